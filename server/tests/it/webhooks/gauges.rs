//! Metrics of each subscription on the operator's `/metrics`.

use std::time::Duration;

use domain::tier::Tier;
use model::ReportType::Water;
use serde_json::json;

use svc::config::{Serve, WebhookTargets};

use crate::{
    exposition::Exposition,
    harness::{Running, START, report, settings, soon},
    node::DAY,
    receiver::{Receiver, Reply},
};

/// Number of accepted and failed attempts, number of pending deliveries, and for each subscription its backlog and the
/// age of its oldest event in seconds.
#[derive(Debug, PartialEq)]
struct Waiting {
    attempts: [f64; 2],
    pending: f64,
    backlogs: Vec<(String, f64)>,
    oldest: Vec<(String, f64)>,
}

async fn waiting(running: &Running) -> Waiting {
    let shown = Exposition::of(running).await;
    Waiting {
        attempts: ["accepted", "failed"]
            .map(|outcome| shown.one(&format!("svc_webhook_attempts_{outcome}_total"))),
        pending: shown.one("svc_webhook_deliveries_pending"),
        backlogs: shown.all("svc_webhook_backlog_events"),
        oldest: shown.all("svc_webhook_oldest_undelivered_seconds"),
    }
}

#[tokio::test]
async fn the_backlog_of_each_subscription_and_the_age_of_its_oldest_event_are_gauges() {
    let serve = Serve { endpoints: WebhookTargets::lenient(), ..settings() };
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
    let of = |values: [f64; 2]| {
        let both = [(well_id, &well), (down_id, &down)].into_iter().zip(values);
        let labelled = both.map(|((id, receiver), value)| {
            let host = receiver.url().split('/').nth(2).unwrap().to_owned();
            (format!("{id},Aid,{host}"), value)
        });
        labelled.collect::<Vec<_>>()
    };
    let expected = |accepted: f64, failed: f64, backlog: f64, age: f64| Waiting {
        attempts: [accepted, failed],
        pending: backlog,
        backlogs: of([0.0, backlog]),
        oldest: of([0.0, age]),
    };
    assert_eq!(waiting(&running).await, expected(0.0, 0.0, 0.0, 0.0));
    let reports: Vec<_> = (0..8).map(|number| report(&format!("r-{number}"), Water)).collect();
    running.publish(&reports).await;
    running.clock.advance(Duration::from_millis(1_500));
    well.until(16).await;
    down.until(5).await;
    soon("the results", async {
        while let now = waiting(&running).await
            && !(now.attempts[1] == 5.0 && now.backlogs[0].1 == 0.0)
        {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(waiting(&running).await, expected(16.0, 5.0, 16.0, 1.5));
    let disable = store::Disabled::Now;
    let store = &running.database.store;
    assert_eq!(store.subscriptions().disable(down_id, "A test.").await.unwrap(), disable);
    running.clock.advance(DAY);
    // Nothing is sent to a disabled subscription, so nothing is late.
    assert_eq!(waiting(&running).await, expected(16.0, 5.0, 16.0, 0.0));
    assert!(store.subscriptions().delete(down_id).await.unwrap());
    assert_eq!(waiting(&running).await.backlogs, of([0.0, 0.0])[..1]);
}
