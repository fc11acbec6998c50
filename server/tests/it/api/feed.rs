use std::time::Duration;

use app::model::ReportType::{Both, Spirit, Water};
use serde_json::{Value, json};
use svc::snapshot::RECENT;

use crate::harness::{But, Running, report};

const REPORTS: &str = "/embed/feed/reports";

/// One report a second; the last one is the newest.
async fn running() -> Running {
    let running = Running::new().await;
    let lyon = |id, kind| report(id, kind).at("Lyon", "", "France");
    for report in [
        report("a", Water),
        lyon("b", Water),
        lyon("c", Spirit),
        lyon("d", Both),
        report("e", Spirit),
        lyon("f", Water),
    ] {
        running.publish(&[report]).await;
        running.clock.advance(Duration::from_secs(1));
    }
    running
}

fn ids(body: &Value) -> String {
    body["reports"].as_array().unwrap().iter().map(|r| r["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_newest_reports_of_some_types_and_a_place_are_listed_as_in_the_api() {
    let running = running().await;
    let lyon = |id: &str, kind: &str| {
        json!({
            "id": id, "city": "Lyon", "country": "France", "peopleCount": 1,
            "type": kind, "createdAt": "2026-03-01T10:00:00.000Z",
        })
    };
    assert_eq!(
        running.json(&format!("{REPORTS}?types=water,both&country=FR")).await,
        json!({ "reports": [lyon("f", "water"), lyon("d", "both"), lyon("b", "water")] })
    );
    for (query, listed) in [
        ("", "fedcba"),
        ("?types=spirit", "ec"),
        ("?types=spirit&types=both", "edc"),
        ("?types=water&city=campinas", "a"),
        ("?types=both&country=brazil", ""),
        // As in the widget, what means nothing is ignored.
        ("?types=fire&country=%20&theme=dark", "fedcba"),
    ] {
        assert_eq!(ids(&running.json(&format!("{REPORTS}{query}")).await), listed, "{query}");
    }
}

#[tokio::test]
async fn the_list_is_as_long_as_that_of_the_stream() {
    let running = Running::new().await;
    let many: Vec<_> =
        (0..RECENT + 5).map(|number| report(&format!("r{number}"), Spirit)).collect();
    running.publish(&many).await;
    let listed = running.json(&format!("{REPORTS}?types=spirit")).await;
    assert_eq!(listed["reports"].as_array().unwrap().len(), RECENT as usize);
}

#[tokio::test]
async fn the_list_is_not_sent_again_until_it_changes() {
    let running = running().await;
    let path = format!("{REPORTS}?types=water");
    let first = running.get(&path).await;
    assert_eq!(first.header("cache-control"), "public, max-age=1, stale-while-revalidate=5");
    assert_eq!(first.header("content-type"), "application/json");
    assert_eq!(first.header("ratelimit"), "");
    let etag = first.header("etag");
    let again = running.get_with(&path, &[("if-none-match", etag)]).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(again.header("etag"), etag);

    running.publish(&[report("other", Spirit)]).await;
    assert_eq!(running.get_with(&path, &[("if-none-match", etag)]).await.status, 304);
    running.withdraw("b").await;
    let withdrawn = running.get_with(&path, &[("if-none-match", etag)]).await;
    assert_eq!((withdrawn.status, &*ids(&withdrawn.json())), (200, "fa"));
}
