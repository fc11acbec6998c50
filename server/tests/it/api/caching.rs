use base::{clock::Clock, random::Random};
use model::ReportType::Spirit;

use svc::service::Service;

use crate::harness::{Answer, But, Running, instant, report, settings};

const READS: [&str; 8] = [
    "/api/v1/metrics",
    "/api/v1/metrics?country=BR",
    "/api/v1/metrics/series",
    "/api/v1/metrics/series?interval=day&from=2026-02-01&country=BR",
    "/api/v1/reports",
    "/api/v1/reports?limit=99",
    "/api/v1/geo-facets?from=2024-01-01&to=2026-12-31",
    "/embed/metrics",
];

#[tokio::test]
async fn a_read_is_not_sent_again_until_it_changes() {
    let running = Running::new().await;
    for path in READS {
        let first = running.get(path).await;
        assert_eq!(first.status, 200, "{path}");
        // API responses carry the quota of one client, so shared caches must not store them.
        let who = if path.starts_with("/api/") { "private" } else { "public" };
        let kept = format!("{who}, max-age=1, stale-while-revalidate=5");
        assert_eq!(first.header("cache-control"), kept);
        let etag = first.header("etag").to_owned();
        for known in [etag.clone(), format!("\"x\", {etag}"), "*".to_owned()] {
            let again = running.get_with(path, &[("if-none-match", &known)]).await;
            assert_eq!((again.status, again.body.len()), (304, 0), "{path} {known}");
            assert_eq!(again.header("etag"), etag);
            assert_eq!(again.header("cache-control"), first.header("cache-control"));
            let vary = |answer: &Answer| -> Vec<_> {
                answer.headers.get_all("vary").into_iter().cloned().collect()
            };
            assert_eq!(vary(&again), vary(&first), "{path}");
        }
        running.publish(&[report(path, Spirit).at(path, "", "BR")]).await;
        let changed = running.get_with(path, &[("if-none-match", &etag)]).await;
        assert_eq!(changed.status, 200, "{path}");
        assert_ne!(changed.header("etag"), etag);
    }
}

#[tokio::test]
async fn what_nodes_have_counted_at_different_moments_is_the_same_to_clients() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    let later = Clock::stepped(instant("2026-03-01T12:34:56.789Z"));
    let elsewhere = running.database.elsewhere().await;
    let other = Service::start(settings(), elsewhere, later, Random::seeded(2)).await.unwrap();
    for path in [
        "/api/v1/metrics",
        "/api/v1/metrics?country=BR",
        "/api/v1/metrics/series?interval=day",
        "/api/v1/reports",
    ] {
        let here = running.get(path).await;
        let there = running.http.get(format!("http://{}{path}", other.addr));
        let known = there.header("if-none-match", here.header("etag")).send().await.unwrap();
        assert_eq!(known.status(), 304, "{path}");
    }
    other.stop().await;
}

#[tokio::test]
async fn any_page_may_read_and_see_the_useful_headers() {
    let running = Running::new().await;
    let answer = running.get_with("/api/v1/metrics", &[("origin", "https://example.org")]).await;
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(
        answer.header("access-control-expose-headers"),
        "etag,link,reports-revision,retry-after,ratelimit,ratelimit-policy,deprecation,sunset,x-request-id,idempotent-replayed"
    );
}

#[tokio::test]
async fn options_says_what_a_page_may_send() {
    let running = Running::new().await;
    let request = running
        .http
        .request(reqwest::Method::OPTIONS, running.url("/api/v1/metrics"))
        .header("origin", "https://example.org")
        .header("access-control-request-method", "GET")
        .header("access-control-request-headers", "authorization");
    let answer = Answer::of(request.send().await.unwrap()).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(answer.header("access-control-allow-methods"), "GET,HEAD,OPTIONS,POST,PATCH,DELETE");
    assert!(answer.header("access-control-allow-headers").contains("authorization"));
    assert_eq!(answer.header("access-control-max-age"), "86400");
}

#[tokio::test]
async fn head_answers_like_get_without_the_body() {
    let running = Running::new().await;
    for path in READS.into_iter().chain(["/api/v1/stream", "/", "/embed.js"]) {
        let head = Answer::of(running.http.head(running.url(path)).send().await.unwrap()).await;
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        if path != "/api/v1/stream" {
            let get = running.get(path).await;
            assert_eq!(head.header("etag"), get.header("etag"), "{path}");
            assert_eq!(head.header("content-length"), get.body.len().to_string(), "{path}");
        }
    }
}

#[tokio::test]
async fn what_is_worth_it_is_compressed() {
    let running = Running::new().await;
    let reports: Vec<_> = (0..20).map(|number| report(&format!("r{number}"), Spirit)).collect();
    running.publish(&reports).await;
    let plain = running.get("/api/v1/reports").await;
    // A new response is compressed fast at first, and well after it has been requested again.
    for (accepted, coding) in [("gzip", "gzip"), ("br, gzip", "br")] {
        for path in ["/api/v1/reports", "/", "/embed.js", "/embed/metrics"] {
            let ask = async || running.get_with(path, &[("accept-encoding", accepted)]).await;
            let mut answer = ask().await;
            while answer.header("content-encoding") != coding {
                assert_eq!(answer.header("content-encoding"), "gzip", "{path}");
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                answer = ask().await;
            }
            let vary: Vec<_> = answer.headers.get_all("vary").iter().collect();
            assert!(vary.iter().any(|vary| *vary == "accept-encoding"), "{path} {vary:?}");
        }
        let client = crate::harness::http();
        let read = client.get(running.url("/api/v1/reports")).send().await.unwrap();
        assert_eq!(read.bytes().await.unwrap(), plain.body);
    }
    let small = running.get_with("/embed.js", &[("accept-encoding", "br;q=0, gzip")]).await;
    assert_eq!(small.header("content-encoding"), "gzip");
}

#[tokio::test]
async fn places_that_are_spelled_differently_share_an_answer() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit).at("Zürich", "", "CH")]).await;
    let one = running.get("/api/v1/metrics?city=Z%C3%BCrich").await;
    let other = running.get("/api/v1/metrics?city=ZURICH").await;
    assert_eq!(one.header("etag"), other.header("etag"));
}
