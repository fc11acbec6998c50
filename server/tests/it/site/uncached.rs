use std::time::Duration;

use model::ReportType::Spirit;
use serde_json::json;

use crate::harness::{Running, report};

const HOME: (&str, &str) = ("x-forwarded-for", "192.0.2.1");
const NEIGHBOUR: (&str, &str) = ("x-forwarded-for", "192.0.2.2");

#[tokio::test]
async fn an_address_has_600_things_made_in_a_minute_and_what_is_cached_as_often_as_it_likes() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    let ask = async |path: &str, from| running.get_with(path, &[from]).await;
    for number in 0..600 {
        let path = format!("/embed/metrics?title={number}");
        assert_eq!(ask(&path, HOME).await.status, 200, "{path}");
        assert_eq!(ask(&path, HOME).await.status, 200, "{path} again");
    }
    for path in [
        "/embed/metrics?title=600",
        "/embed/feed",
        "/docs",
        "/embed/metrics.svg",
        "/embed/feed.png?theme=dark",
        "/social.png",
        "/embed/globe/markers?city=Campinas",
        "/embed/trend/series?city=Campinas",
        "/embed/live?view=city%3DCampinas",
    ] {
        let refused = ask(path, HOME).await;
        assert_eq!(refused.status, 429, "{path}");
        assert_eq!(refused.header("retry-after"), "1");
        assert_eq!(
            refused.json(),
            json!({
                "type": "/docs/errors#RATE_LIMITED",
                "title": "Too many requests",
                "status": 429,
                "detail": "Too many uncached pages, pictures or responses were requested from this address. Wait for \
                    the time in Retry-After.",
                "code": "RATE_LIMITED",
            })
        );
        assert_eq!(ask(path, NEIGHBOUR).await.status, 200, "others are not concerned: {path}");
        assert_eq!(ask(path, HOME).await.status, 200, "what others had made is there: {path}");
    }
    // Missing pages and API requests do not count against this limit.
    assert_eq!(ask("/nothing", HOME).await.status, 404);
    let api = ask("/api/v1/metrics", HOME).await;
    assert_eq!((api.status, api.header("ratelimit")), (200, "\"public\";r=59;t=60"));
    running.clock.advance(Duration::from_secs(60));
    assert_eq!(ask("/embed/metrics?title=601", HOME).await.status, 200);
}

#[tokio::test]
async fn another_host_name_is_another_page_but_no_other_data() {
    let running = Running::new().await;
    let ask = async |path: &str, number: u32| {
        let host = format!("h{number}.example");
        running.get_with(path, &[HOME, ("host", &host)]).await.status
    };
    for number in 0..600 {
        assert_eq!(ask("/embed/metrics", number).await, 200);
    }
    assert_eq!(ask("/embed/metrics", 600).await, 429);
    let markers = "/embed/globe/markers";
    assert_eq!(running.get_with(markers, &[NEIGHBOUR]).await.status, 200);
    for number in 0..10 {
        assert_eq!(ask(markers, number).await, 200, "the host is no part of their key");
    }
}
