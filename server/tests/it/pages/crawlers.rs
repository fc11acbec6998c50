use app::pages::docs::Page;
use svc::config;

use crate::harness::{Running, START, settings};

#[tokio::test]
async fn the_sitemap_names_pages_that_are_there() {
    let running = Running::new().await;
    let answer = running.get("/sitemap.xml").await;
    assert_eq!(answer.header("content-type"), "application/xml; charset=utf-8");
    let xml = answer.text();
    let named: Vec<&str> =
        xml.split("<loc>").skip(1).map(|rest| rest.split("</loc>").next().unwrap()).collect();
    assert_eq!(named.len(), 1 + Page::ALL.len());
    for url in named {
        let path = url.strip_prefix(&running.url("")).unwrap();
        assert_eq!(running.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn robots_are_told_of_the_sitemap_under_the_public_address() {
    let public_url = Some("https://svc.example.org".to_owned());
    let running = Running::with(config::Serve { public_url, ..settings() }, START).await;
    let answer = running.get("/robots.txt").await;
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    let text = answer.text();
    assert!(text.starts_with("User-agent: *\nDisallow: /api/\n"), "{text}");
    assert!(text.ends_with("\nSitemap: https://svc.example.org/sitemap.xml\n"), "{text}");
    assert!(
        running.get("/sitemap.xml").await.text().contains("<loc>https://svc.example.org/</loc>")
    );
}
