//! Note, contact and network of a sender: who sees them, and how long they are kept.

use std::time::Duration;

use domain::{scope::Scope, tier::Tier};
use reqwest::Method;
use serde_json::{Value, json};

use super::{Open, lyon};
use crate::{
    desk::Browser,
    harness::{Running, soon},
    operator::{START, key},
};

const NOTE: &str = "CANARY-NOTE";
const CONTACT: &str = "CANARY-CONTACT";

async fn told(open: &Open) -> String {
    let mut body = lyon();
    body["note"] = json!(NOTE);
    body["contact"] = json!(CONTACT);
    open.accepted(body, "192.0.2.77").await
}

#[tokio::test]
async fn moderators_see_them_and_readers_the_source() {
    let open = Open::new().await;
    let id = told(&open).await;
    let submission = json!({
        "source": "public", "note": NOTE, "contact": CONTACT, "submittedAt": START,
    });
    let reader = key(&open.running, "Ada", Tier::Operator, Some(Scope::Read)).await;
    for path in [format!("/operator/v1/reports/{id}"), format!("/operator/v1/report?id={id}")] {
        assert_eq!(open.moderated(&path).await["submission"], submission);
        let read = open.by_key(&reader, Method::GET, &path, &json!({})).await.json();
        assert_eq!(read["submission"], json!({ "source": "public", "submittedAt": START }));
    }
    let page = format!("/desk/report?id={id}");
    let maria = Browser::of(&open.running, "Maria at the desk", Scope::Moderate).await;
    let shown = maria.get(&page).await.text();
    for text in ["<dt>Source</dt>", "<bdi>Form</bdi>", NOTE, CONTACT] {
        assert!(shown.contains(text), "{text} is not in {shown}");
    }
    let ada = Browser::of(&open.running, "Ada at the desk", Scope::Read).await;
    let shown = ada.get(&page).await.text();
    assert!(shown.contains("<bdi>Form</bdi>"), "{shown}");
    assert!(!shown.contains("CANARY"), "{shown}");
}

#[tokio::test]
async fn nothing_public_contains_them() {
    let open = Open::new().await;
    let partner = open.running.key("Aid", Tier::Enterprise).await;
    let id = told(&open).await;
    open.approve(&id).await;
    for path in [
        "/api/v1/reports",
        "/api/v1/reports?city=Lyon",
        "/api/v1/metrics",
        "/api/v1/metrics/by?group=city",
        "/api/v1/geo-facets?from=2026-01-01&to=2026-12-31",
        "/api/v1/events?events=report.created,metrics.updated",
        "/",
        "/embed/feed",
        "/embed/globe",
        "/embed/globe/markers",
        "/embed/feed.svg",
        "/operator/v1/reports",
        "/operator/v1/audit",
    ] {
        let answer = match path.starts_with("/operator") {
            true => open.moderated(path).await.to_string(),
            false => {
                let answer = open.by_key(&partner, Method::GET, path, &json!({})).await;
                assert_eq!(answer.status, 200, "{path}: {}", answer.text());
                answer.text()
            }
        };
        assert!(answer.contains("Lyon") || !path.contains("reports"), "{path}: {answer}");
        assert!(!answer.contains("CANARY") && !answer.contains("192.0.2.77"), "{path}: {answer}");
    }
    // The bodies of webhooks. PostgreSQL writes bytes as hexadecimal digits.
    let database = &open.running.database;
    let bodies = "SELECT count(*) FROM events WHERE CAST(body AS TEXT) LIKE '%Lyon%'
         OR CAST(body AS TEXT) LIKE '%4c796f6e%'";
    assert!(database.count(bodies).await > 0);
    let bodies = "SELECT count(*) FROM events WHERE CAST(body AS TEXT) LIKE '%CANARY%'
         OR CAST(body AS TEXT) LIKE '%43414e415259%'";
    assert_eq!(database.count(bodies).await, 0);
}

/// Number of submissions that still have their note.
async fn notes(running: &Running) -> i64 {
    running.database.count("SELECT count(*) FROM submissions WHERE note <> ''").await
}

/// Lets the worker that removes old data run, until `sql` counts `expected` rows.
async fn pruned(running: &Running, sql: &'static str, expected: i64) {
    soon(sql, async {
        loop {
            running.clock.advance(Duration::from_secs(600));
            tokio::time::sleep(Duration::from_millis(20)).await;
            if running.database.count(sql).await == expected {
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn notes_are_kept_for_the_retention_after_the_decision_and_undecided_ones_for_longer() {
    let open = Open::new().await;
    let decided = told(&open).await;
    open.accepted(
        json!({ "type": "water", "city": "Nice", "country": "France", "note": NOTE }),
        "192.0.2.78",
    )
    .await;
    let running = &open.running;
    let after = async |days: u64| {
        running.clock.advance(Duration::from_secs(days * 24 * 3_600));
        let reports = running.database.store.reports();
        let (now, kept) = (running.clock.now(), chrono::TimeDelta::days(30));
        while reports.forget_submissions(now, kept).await.unwrap() {}
        notes(running).await
    };
    assert_eq!(after(40).await, 2, "none is decided");
    open.approve(&decided).await;
    assert_eq!(after(0).await, 2, "it has just been decided");
    assert_eq!(after(29).await, 2);
    assert_eq!(after(2).await, 1);
    let report = open.moderated(&format!("/operator/v1/reports/{decided}")).await;
    assert_eq!((&report["status"], &report["submission"]), (&json!("APPROVED"), &Value::Null));
    assert_eq!(after(18).await, 1);
    assert_eq!(after(2).await, 0, "undecided for 90 days");
    assert_eq!(open.pending().await.len(), 1);
}

#[tokio::test]
async fn networks_are_hashed_and_the_worker_removes_the_hashes_after_a_day() {
    let open = Open::new().await;
    told(&open).await;
    let running = &open.running;
    let clear = "SELECT count(*) FROM submissions WHERE CAST(network AS TEXT) LIKE '%192.0.2%'";
    assert_eq!(running.database.count(clear).await, 0);
    let hashed =
        "SELECT count(*) FROM submissions WHERE length(network) = 32 AND length(fingerprint) = 32";
    assert_eq!(running.database.count(hashed).await, 1);
    assert_eq!(running.database.count("SELECT count(*) FROM used_proofs").await, 1);
    pruned(running, "SELECT count(*) FROM used_proofs", 0).await;
    assert_eq!(running.database.count(hashed).await, 1, "the day is not over");
    running.clock.advance(Duration::from_secs(24 * 3_600));
    pruned(running, "SELECT count(*) FROM submissions WHERE network IS NOT NULL", 0).await;
    assert_eq!(notes(running).await, 1);
}
