//! What the operator's `/metrics` tells of each subscription.

use std::time::Duration;

use app::model::ReportType::Water;
use serde_json::json;
use svc::{
    config::{Endpoints, Serve},
    domain::tier::Tier,
};

use super::{
    node::DAY,
    receiver::{Receiver, Reply},
};
use crate::harness::{Running, START, report, settings, soon};

const DOCS: &str = include_str!("../../../../docs/operate.md");

async fn numbers(running: &Running) -> String {
    let ops = running.service.ops_addr.unwrap();
    let answer = running.http.get(format!("http://{ops}/metrics")).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.text().await.unwrap()
}

/// The lines about webhooks.
async fn webhooks(running: &Running) -> String {
    let numbers = numbers(running).await;
    let lines = numbers.lines().filter(|line| line.contains("svc_webhook_"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[tokio::test]
async fn the_backlog_of_each_subscription_and_the_age_of_its_oldest_event_are_gauges() {
    let serve = Serve { endpoints: Endpoints::lenient(), ..settings() };
    let running = Running::with(serve, START).await;
    let key = running.key("Aid", Tier::Partner).await;
    let (well, down) =
        (Receiver::with(Reply::Status(204)).await, Receiver::with(Reply::Status(500)).await);
    let mut ids = Vec::new();
    for receiver in [&well, &down] {
        let events = ["report.created", "metrics.updated"];
        let body = json!({ "url": receiver.url(), "events": events }).to_string();
        let request = running.http.post(running.url("/api/v1/webhooks")).body(body);
        let bearer = format!("Bearer {}", key.as_str());
        let headers = [("authorization", &*bearer), ("content-type", "application/json")];
        let created = running.ask(request, &headers).await.json();
        ids.push(created["subscription"]["id"].as_str().unwrap().to_owned());
    }
    let [well_id, down_id] = [&ids[0], &ids[1]];
    let expected = |accepted: i64, failed: i64, backlog: i64, age: &str| {
        format!(
            "# HELP svc_webhook_attempts_accepted_total Webhook requests that a receiver accepted.\n\
             # TYPE svc_webhook_attempts_accepted_total counter\n\
             svc_webhook_attempts_accepted_total {accepted}\n\
             # HELP svc_webhook_attempts_failed_total Webhook requests that failed.\n\
             # TYPE svc_webhook_attempts_failed_total counter\n\
             svc_webhook_attempts_failed_total {failed}\n\
             # HELP svc_webhook_deliveries_pending Events that wait, of all subscriptions together; -1 while the data cannot be read.\n\
             # TYPE svc_webhook_deliveries_pending gauge\n\
             svc_webhook_deliveries_pending {backlog}\n\
             # HELP svc_webhook_backlog_events Events that wait for a subscription, in the log or for another attempt.\n\
             # TYPE svc_webhook_backlog_events gauge\n\
             svc_webhook_backlog_events{{subscription=\"{well_id}\"}} 0\n\
             svc_webhook_backlog_events{{subscription=\"{down_id}\"}} {backlog}\n\
             # HELP svc_webhook_oldest_undelivered_seconds Age of the oldest event that waits for a subscription; 0 if there is none.\n\
             # TYPE svc_webhook_oldest_undelivered_seconds gauge\n\
             svc_webhook_oldest_undelivered_seconds{{subscription=\"{well_id}\"}} 0\n\
             svc_webhook_oldest_undelivered_seconds{{subscription=\"{down_id}\"}} {age}\n"
        )
    };
    assert_eq!(webhooks(&running).await, expected(0, 0, 0, "0"));
    let reports: Vec<_> = (0..8).map(|number| report(&format!("r-{number}"), Water)).collect();
    running.publish(&reports).await;
    running.clock.advance(Duration::from_millis(1_500));
    well.until(16).await;
    down.until(5).await;
    let done = format!("svc_webhook_backlog_events{{subscription=\"{well_id}\"}} 0\n");
    soon("the results", async {
        while let numbers = webhooks(&running).await
            && !(numbers.contains("attempts_failed_total 5\n") && numbers.contains(&done))
        {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(webhooks(&running).await, expected(16, 5, 16, "1.5"));
    let disable = svc::store::Disabled::Now;
    let store = &running.database.store;
    assert_eq!(store.disable_subscription(down_id, "A test.").await.unwrap(), disable);
    running.clock.advance(DAY);
    assert_eq!(webhooks(&running).await, expected(16, 5, 16, "86401.5"));
    assert!(store.delete_subscription(down_id).await.unwrap());
    assert!(!webhooks(&running).await.contains(down_id));
}

#[tokio::test]
async fn every_number_is_in_the_docs_with_its_kind() {
    // Some numbers are only there where limits are shared, even if nothing listens.
    let shared = Serve { redis_url: Some("redis://127.0.0.1:1".parse().unwrap()), ..settings() };
    let running = Running::with(shared, START).await;
    let numbers = numbers(&running).await;
    let shown: Vec<&str> =
        numbers.lines().filter_map(|line| line.strip_prefix("# TYPE ")).collect();
    let rows = DOCS.lines().filter_map(|line| line.strip_prefix("| `svc_"));
    let documented: Vec<String> = rows
        .map(|row| {
            let mut cells = row.split(" | ");
            let name = cells.next().unwrap().split(['`', '{']).next().unwrap();
            format!("svc_{name} {}", cells.next().unwrap())
        })
        .collect();
    assert_eq!(documented, shown);
}
