use app::pages::docs::PublicPage;

use crate::harness::{Running, START, reached_at};

#[tokio::test]
async fn the_sitemap_names_pages_that_are_there() {
    let running = Running::new().await;
    let answer = running.get("/sitemap.xml").await;
    assert_eq!(answer.header("content-type"), "application/xml; charset=utf-8");
    let xml = answer.text();
    let named: Vec<&str> =
        xml.split("<loc>").skip(1).map(|rest| rest.split("</loc>").next().unwrap()).collect();
    let named: Vec<&str> =
        named.into_iter().map(|url| url.strip_prefix(&running.url("")).unwrap()).collect();
    let pages: Vec<&str> =
        ["/", "/data"].into_iter().chain(PublicPage::ALL.map(PublicPage::path)).collect();
    assert_eq!(named, pages);
    for path in named {
        assert_eq!(running.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn the_sitemap_is_xml_whatever_the_public_address() {
    let running = Running::with(reached_at("https://svc.example.org/a&b"), START).await;
    let xml = running.get("/sitemap.xml").await.text();
    assert!(xml.contains("<loc>https://svc.example.org/a&amp;b/docs</loc>"), "{xml}");
    assert!(!xml.replace("&amp;", "").contains('&'), "{xml}");
}

#[tokio::test]
async fn robots_are_told_of_the_sitemap_under_the_public_address() {
    let running = Running::with(reached_at("https://svc.example.org"), START).await;
    let answer = running.get("/robots.txt").await;
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    let text = answer.text();
    assert_eq!(
        text,
        "User-agent: *\nDisallow: /api/\nDisallow: /docs/send/\nDisallow: /oembed\n\n\
         Sitemap: https://svc.example.org/sitemap.xml\n"
    );
    assert!(
        running.get("/sitemap.xml").await.text().contains("<loc>https://svc.example.org/</loc>")
    );
}
