//! `reports.imported`, the one event for an import of history.

use chrono::{DateTime, TimeDelta, Utc};
use domain::event::EventName::ReportsImported;
use model::ReportType::{Both, Spirit, Water};
use serde_json::{Value, json};
use store::Mode;

use crate::{
    harness::{But, Svc, report},
    node::{Node, ReportCreated},
};

const NOWHERE: &str = "http://127.0.0.1:9/";

/// Bodies of the events that wait for a subscription to all events of a mirror.
async fn data(node: &Node) -> Vec<Value> {
    let events = node.store().deliveries().events_after(0, i64::MAX).await.unwrap();
    let body = |event: &store::QueuedEvent| serde_json::from_slice::<Value>(&event.body).unwrap();
    events.iter().map(body).map(|body| json!([body["event"], body["data"]])).collect()
}

#[tokio::test]
async fn all_batches_of_an_import_have_one_event_with_their_number_and_times() {
    let node = Node::new().await;
    let subscription = node.subscribe(NOWHERE, &[ReportCreated, ReportsImported]).await;
    let reports = node.store().reports();
    for batch in [
        [
            report("b", Water).created("2026-02-01T08:00:00Z"),
            report("a", Spirit).created("2025-01-01T08:00:00.250Z"),
        ],
        [
            report("d", Both).created("2026-02-11T08:00:00Z"),
            report("c", Spirit).created("2025-06-01T08:00:00Z"),
        ],
    ] {
        reports.import(&batch, Mode::Backfill).await.unwrap();
    }
    assert!(node.take_all(&subscription).await.is_empty(), "before the import has ended");
    assert!(node.store().event_log().announce_history(DateTime::<Utc>::MAX_UTC).await.unwrap());
    let imported = json!({
        "reports": 4, "since": "2025-01-01T08:00:00.250Z", "until": "2026-02-11T08:00:00.000Z",
    });
    assert_eq!(data(&node).await, [json!(["reports.imported", imported])]);
    assert_eq!(node.take_all(&subscription).await.len(), 1);
    assert!(!node.store().event_log().announce_history(DateTime::<Utc>::MAX_UTC).await.unwrap());
}

#[tokio::test]
async fn history_of_an_import_that_died_is_announced_once_after_it_was_quiet() {
    let node = Node::new().await;
    let died = [report("a", Spirit).created("2025-01-01T08:00:00Z")];
    node.store().reports().import(&died, Mode::Backfill).await.unwrap();
    let announce = async || {
        let quiet_since = node.now() - TimeDelta::seconds(60);
        node.store().event_log().announce_history(quiet_since).await.unwrap()
    };
    assert!(!announce().await, "the import may still run");
    node.clock.advance(TimeDelta::seconds(61).to_std().unwrap());
    let both = tokio::join!(announce(), announce());
    assert!(both.0 != both.1, "two nodes announce it together: {both:?}");
    assert_eq!(data(&node).await.len(), 1);
}

#[tokio::test]
async fn rows_that_were_there_already_or_are_not_published_have_no_event() {
    let node = Node::new().await;
    let reports = node.store().reports();
    let old = [report("a", Spirit).created("2025-01-01T08:00:00Z")];
    reports.import(&old, Mode::Pending).await.unwrap();
    reports.import(&old, Mode::Backfill).await.unwrap();
    assert!(!node.store().event_log().announce_history(DateTime::<Utc>::MAX_UTC).await.unwrap());
}

#[tokio::test]
async fn the_command_announces_the_history_that_it_has_imported() {
    let svc = Svc::migrated();
    let csv = "id,type,city,country,createdAt\na,spirit,Oslo,NO,2024-03-01T12:00:00Z\n\
               b,water,Oslo,NO,2024-02-01T12:00:00Z\n";
    let import = ["reports", "import", "-", "--format", "csv", "--backfill"];
    for _ in 0..2 {
        let ran = svc.run_with_input(&import, csv.as_bytes());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
    }
    let store = svc.open(store::Missing::Refuse).await;
    let events = store.deliveries().events_after(0, i64::MAX).await.unwrap();
    let bodies: Vec<Value> =
        events.iter().map(|event| serde_json::from_slice(&event.body).unwrap()).collect();
    let data = json!({
        "reports": 2, "since": "2024-02-01T12:00:00.000Z", "until": "2024-03-01T12:00:00.000Z",
    });
    assert_eq!(bodies.iter().map(|body| &body["data"]).collect::<Vec<_>>(), [&data]);
}
