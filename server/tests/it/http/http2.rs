use std::time::Duration;

use domain::tier::Tier;

use svc::config::Serve;

use super::http2_client::{Http2, read};
use crate::harness::{Running, START, settings, soon};

/// One path of each kind of resource, and one that does not exist.
const RESOURCES: [&str; 15] = [
    "/",
    "/api/v1/metrics",
    "/api/v1/reports?limit=2",
    "/api/v1/reports?limit=0",
    "/api/v1/openapi.json",
    "/docs",
    "/docs/api",
    "/embed.js",
    "/embed/feed",
    "/embed/globe",
    "/embed/trend",
    "/embed/metrics",
    "/robots.txt",
    "/social.png",
    "/nowhere",
];

#[tokio::test]
async fn every_resource_is_the_same_as_with_http_1() {
    let running = Running::new().await;
    let client = Http2::plain(&running).await;
    let visitor = [("x-forwarded-for", "203.0.113.7")];
    for path in RESOURCES {
        let here = client.ask("GET", path, &visitor).await;
        let host = [("host", "svc.example.org"), visitor[0]];
        let mut there = running.get_with(path, &host).await;
        assert_eq!((here.status, &here.body), (there.status, &there.body), "{path}");
        let mut headers = here.headers;
        for changing in ["date", "ratelimit", "x-request-id"] {
            headers.remove(changing);
            there.headers.remove(changing);
        }
        assert_eq!(headers, there.headers, "{path}");

        let head = client.ask("HEAD", path, &[("x-forwarded-for", "203.0.113.8")]).await;
        assert_eq!((head.status, head.body.len()), (here.status, 0), "{path}");
    }
}

#[tokio::test]
async fn what_is_known_is_not_sent_again() {
    let running = Running::new().await;
    let client = Http2::plain(&running).await;
    let tag = client.get("/docs").await.header("etag").to_owned();
    let known = client.ask("GET", "/docs", &[("if-none-match", &tag)]).await;
    assert_eq!((known.status, known.body.len(), known.header("content-length")), (304, 0, ""));
}

#[tokio::test]
async fn bodies_of_requests_arrive() {
    let running = Running::new().await;
    let key = format!("Bearer {}", running.key("us", Tier::Partner).await.as_str());
    let client = Http2::plain(&running).await;
    let headers = [("authorization", &*key), ("content-type", "application/json")];
    let response = client.send("POST", "/api/v1/webhooks", &headers, "{\"url\":1}").await.unwrap();
    let answer = read(response).await;
    assert_eq!((answer.status, &answer.json()["code"]), (400, &"INVALID_URL".into()));
}

#[tokio::test]
async fn streams_of_many_widgets_share_a_connection() {
    let running = Running::new().await;
    let client = Http2::plain(&running).await;
    let mut streams = Vec::new();
    for _ in 0..20 {
        let mut stream = client.stream().await;
        assert!(stream.until("event: reports").await.starts_with("retry: "));
        streams.push(stream);
    }
    let refused = client.get("/api/v1/stream").await;
    assert_eq!((refused.status, &refused.json()["code"]), (429, &"TOO_MANY_STREAMS".into()));
    for _ in 0..2 {
        running.clock.advance(Duration::from_secs(5));
        for stream in &mut streams {
            let tick = stream.until("event: reports").await;
            assert_eq!(tick.matches("event: metrics").count(), 1, "{tick}");
        }
    }
    streams.pop();
    soon("room for another", async {
        while client.send("GET", "/api/v1/stream", &[], "").await.unwrap().status() != 200 {}
    })
    .await;
}

#[tokio::test]
async fn when_the_service_stops_streams_say_when_to_come_back_and_the_connection_ends() {
    let running = Running::new().await;
    let client = Http2::plain(&running).await;
    let mut stream = client.stream().await;
    stream.until("event: reports").await;
    let Running { service, database: _kept, .. } = running;
    let (last, ()) = tokio::join!(stream.rest(), service.stop());
    assert!(last.starts_with("retry: "), "{last}");
    soon("the end of the connection", client.driving).await.unwrap().unwrap();
}

#[tokio::test]
async fn an_http_2_connection_counts_like_any_other() {
    let strict = Serve { connections_per_address: 1, ..Serve::default() };
    let running = Running::with(strict, START).await;
    let client = Http2::plain(&running).await;
    assert_eq!(client.get("/robots.txt").await.status, 200);
    assert!(running.send("").await.starts_with("HTTP/1.1 429 "));
    drop(client);
    let running = Running::with(Serve { connections_per_address: 1, ..settings() }, START).await;
    let clients = [Http2::plain(&running).await, Http2::plain(&running).await];
    for client in &clients {
        assert_eq!(client.get("/robots.txt").await.status, 200, "proxies have no limit");
    }
}
