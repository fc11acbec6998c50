//! A service whose public URL has a path.

use serde_json::json;

use super::snippet;
use crate::harness::{Running, START, reached_at};

const BASE: &str = "https://example.org/counters";
const BROWSER: (&str, &str) = ("accept", "text/html");
const PAGES: [&str; 19] = [
    "/",
    "/docs",
    "/docs/api",
    "/docs/stream",
    "/docs/webhooks",
    "/docs/webhooks-reference",
    "/docs/partners",
    "/docs/embed",
    "/docs/recipes",
    "/docs/clients",
    "/docs/limits",
    "/docs/mirroring",
    "/docs/errors",
    "/embed/metrics?accent=c0ffee",
    "/embed/feed",
    "/embed/globe",
    "/embed/trend",
    "/nothing",
    "/embed/nothing",
];

async fn running() -> Running {
    Running::with(reached_at(BASE), START).await
}

/// URLs on this origin in the attributes of a page.
fn references(html: &str) -> Vec<String> {
    let attributes = [" href=\"", " src=\"", " action=\"", " data-path=\""];
    let values = attributes.iter().flat_map(|start| html.split(start).skip(1));
    let values = values.map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&"));
    values.filter(|value| value.starts_with('/')).collect()
}

#[tokio::test]
async fn every_reference_of_a_page_is_below_it_and_leads_somewhere() {
    let running = running().await;
    for page in PAGES {
        let html = running.get_with(page, &[BROWSER]).await.text();
        let references = references(&html);
        assert!(references.len() > 3, "{page}: {references:?}");
        for reference in references {
            assert!(reference.starts_with("/counters/"), "{reference} of {page}");
            // Forms of the API reference have required fields, streams do not end, and partner endpoints need a key.
            let is_sent =
                ["/docs/send/", "/stream", "/webhooks", "/v1/events"].iter().any(|part| {
                    reference.contains(part)
                        && !reference.starts_with("/counters/docs/stream")
                        && !reference.starts_with("/counters/docs/webhooks")
                });
            let path = reference.split('#').next().unwrap();
            if !is_sent && !path.contains("geo-facets") {
                assert_eq!(running.get(path).await.status, 200, "{reference} of {page}");
            }
        }
        assert!(!html.contains("\"markersUrl\":\"/"), "{page}");
    }
}

#[tokio::test]
async fn it_is_the_same_service_with_the_path_and_without() {
    let running = running().await;
    for path in PAGES.into_iter().chain([
        "/embed.js",
        "/oembed?url=https://example.org/counters/embed/feed",
        "/social.png",
        "/embed/metrics.svg",
        "/embed/globe/markers",
        "/embed/trend/series",
        "/api/v1/metrics",
        "/api/v1/metrics/series",
        "/api/v1/metrics?from=x",
        "/api/v1/openapi.json",
        "/sitemap.xml",
        "/docs/send/metrics?city=",
        "/docs/api/?x=1",
    ]) {
        let stripped = running.get_with(path, &[BROWSER]).await;
        let whole = running.get_with(&format!("/counters{path}"), &[BROWSER]).await;
        assert_eq!((whole.status, &whole.body), (stripped.status, &stripped.body), "{path}");
        for name in ["location", "etag", "content-type", "ratelimit-policy"] {
            assert_eq!(whole.header(name), stripped.header(name), "{name} of {path}");
        }
    }
}

#[tokio::test]
async fn only_the_whole_path_is_taken_off_and_only_once() {
    let running = running().await;
    for path in ["/counters2/docs", "/Counters/docs", "/counters/counters/docs", "/x/counters/docs"]
    {
        assert_eq!(running.get(path).await.status, 404, "{path}");
    }
    let answer = running.get("/counters?widget=feed").await;
    assert_eq!((answer.status, answer.header("location")), (308, "/counters/?widget=feed"));
    let elsewhere = running.get("/counters//evil.example/").await;
    assert_eq!((elsewhere.status, elsewhere.header("location")), (404, ""));
}

#[tokio::test]
async fn a_service_at_the_root_takes_nothing_off() {
    let running = Running::with(reached_at("https://example.org"), START).await;
    assert_eq!(running.get("/counters/docs").await.status, 404);
    assert_eq!(running.get("/docs").await.status, 200);
}

#[tokio::test]
async fn redirects_stay_below_it() {
    let running = running().await;
    let sent = running.get("/docs/send/metrics?country=BR").await;
    assert_eq!(
        (sent.status, sent.header("location")),
        (303, "/counters/api/v1/metrics?country=BR")
    );
    let slash = running.get("/docs/?x=1").await;
    assert_eq!((slash.status, slash.header("location")), (308, "/counters/docs?x=1"));
}

#[tokio::test]
async fn problems_point_to_their_explanation_below_it() {
    let running = running().await;
    for (path, status, code) in [
        ("/api/v1/metrics?from=x", 400, "INVALID_PERIOD"),
        ("/api/v1/nothing", 404, "NOT_FOUND"),
        ("/nothing", 404, "NOT_FOUND"),
        ("/api/v1/webhooks", 401, "UNAUTHENTICATED"),
        ("/oembed", 400, "INVALID_PARAMETER"),
        ("/api/v1/reports?limit=x", 400, "INVALID_LIMIT"),
    ] {
        let answer = running.get(path).await;
        assert_eq!(answer.status, status, "{path}");
        let problem = answer.json();
        assert_eq!(problem["type"], format!("/counters/docs/errors#{code}"), "{path}");
        assert_eq!(problem["code"], code, "{path}");
        let length = answer.header("content-length");
        assert_eq!(length, answer.body.len().to_string(), "{path}");
    }
    // Other headers stay in responses that are compressed or that refuse the request or its method.
    let accept = [("accept-encoding", "br")];
    let packed = running.get_with("/api/v1/reports?limit=x", &accept).await;
    let coded = packed.header("content-encoding").to_owned();
    assert!(coded.is_empty() && packed.json()["type"] == "/counters/docs/errors#INVALID_LIMIT");
    let request = running.http.delete(running.url("/api/v1/metrics"));
    let refused = running.ask(request, &[]).await;
    assert_eq!(refused.header("allow"), "GET,HEAD,OPTIONS");
    assert_eq!(refused.json()["type"], "/counters/docs/errors#METHOD_NOT_ALLOWED");
    running.database.store.close().await;
    let unavailable = running.get("/api/v1/metrics?city=Oslo").await;
    assert_eq!(unavailable.json()["type"], "/counters/docs/errors#UNAVAILABLE");
    assert!(unavailable.json()["requestId"].is_string());
}

#[tokio::test]
async fn the_description_is_of_the_service_below_it() {
    let document = running().await.json("/api/v1/openapi.json").await;
    assert_eq!(document["servers"], json!([{ "url": BASE }]));
    assert_eq!(document["externalDocs"]["url"], format!("{BASE}/docs"));
    assert_eq!(
        document["components"]["schemas"]["Problem"]["example"]["type"],
        "/counters/docs/errors#INVALID_PERIOD"
    );
}

#[tokio::test]
async fn what_others_read_names_the_whole_address() {
    let running = running().await;
    let robots = running.get("/robots.txt").await.text();
    assert_eq!(
        robots,
        "User-agent: *\nDisallow: /counters/api/\nDisallow: /counters/docs/send/\n\
         Disallow: /counters/oembed\n\nSitemap: https://example.org/counters/sitemap.xml\n"
    );
    let sitemap = running.get("/sitemap.xml").await.text();
    assert!(sitemap.contains("<loc>https://example.org/counters/docs/api</loc>"), "{sitemap}");
    let html = running.get("/").await.text();
    let script = snippet(&html, "script");
    assert!(script.contains("src=\"https://example.org/counters/embed.js\""), "{script}");
    assert!(script.contains("data-base=\"https://example.org/counters\""), "{script}");
    for address in [
        "content=\"https://example.org/counters/social.png\"",
        "href=\"https://example.org/counters/\"",
    ] {
        assert!(html.contains(address), "{address} in {html}");
    }
    let widget = running.get("/embed/feed").await.text();
    assert!(widget.contains("href=\"https://example.org/counters/oembed?url="), "{widget}");
}
