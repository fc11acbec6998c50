//! Replays requested by a partner over HTTP, and the resulting requests to its endpoint.

use std::{
    sync::{Arc, atomic::AtomicBool, atomic::Ordering::Relaxed},
    time::Duration,
};

use base::time::format_instant;
use domain::{report::NewReport, tier::Tier};
use model::ReportType::{self, Spirit, Water};
use reqwest::Method;
use serde_json::{Value, json};
use store::{LogPosition, Replay, Replayed};

use svc::{
    config::{Serve, WebhookTargets},
    keys::ApiKey,
};

use crate::{
    harness::{Answer, Running, START, report, settings, soon},
    node::DAY,
    receiver::{Receiver, Reply, Request},
};

/// Longer than a dispatcher waits between two polls for work.
const MOMENT: Duration = Duration::from_secs(1);

/// Partner with one subscription, whose endpoint accepts everything but the report `lost`, unless the endpoint is down.
struct Partner {
    running: Running,
    key: ApiKey,
    receiver: Receiver,
    is_down: Arc<AtomicBool>,
    subscription: Value,
}

impl Partner {
    async fn new(subscribing: Value) -> Self {
        let serve = Serve { endpoints: WebhookTargets::lenient(), ..settings() };
        let running = Running::with(serve, START).await;
        // The tests poll without a pause, which only this tier permits.
        let key = running.key("Aid", Tier::Enterprise).await;
        let is_down = Arc::new(AtomicBool::new(false));
        let down = Arc::clone(&is_down);
        let reply = move |request: &Request, _| {
            let refused = down.load(Relaxed) || request.json()["data"]["id"] == "lost";
            Reply::Status(if refused { 503 } else { 204 })
        };
        let receiver = Receiver::scripted(reply).await;
        let subscription = Value::Null;
        let mut partner = Self { running, key, receiver, is_down, subscription };
        let mut body = subscribing;
        body["url"] = json!(partner.receiver.url());
        let created = partner.ask(Method::POST, "", &body).await;
        assert_eq!(created.status, 201, "{}", created.text());
        partner.subscription = created.json()["subscription"].clone();
        partner
    }

    async fn to_all() -> Self {
        Self::new(json!({ "events": ["report.created", "metrics.updated"] })).await
    }

    async fn ask(&self, method: Method, path: &str, body: &Value) -> Answer {
        let request =
            self.running.http.request(method, self.running.url(&format!("/api/v1/webhooks{path}")));
        let bearer = format!("Bearer {}", self.key.as_str());
        let headers = [("authorization", &*bearer), ("content-type", "application/json")];
        self.running.ask(request.body(body.to_string()), &headers).await
    }

    fn id(&self) -> &str {
        self.subscription["id"].as_str().unwrap()
    }

    fn now(&self) -> String {
        format_instant(self.running.clock.now())
    }

    /// Requests a replay, and returns the number of events to send again.
    async fn replay(&self, body: Value) -> u64 {
        let answer = self.ask(Method::POST, &format!("/replay?id={}", self.id()), &body).await;
        assert_eq!((answer.status, answer.header("cache-control")), (202, "no-store"));
        let events = answer.json()["events"].as_u64().unwrap();
        assert_eq!(answer.json(), json!({ "events": events }));
        events
    }

    async fn change(&self, body: Value) {
        let answer = self.ask(Method::PATCH, &format!("?id={}", self.id()), &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    /// Deliveries, newest event first.
    async fn deliveries(&self) -> Vec<Value> {
        let path = format!("/deliveries?limit=100&id={}", self.id());
        let answer = self.ask(Method::GET, &path, &Value::Null).await;
        answer.json()["deliveries"].as_array().unwrap().clone()
    }

    /// Status and number of attempts of each delivery, oldest event first.
    async fn outcomes(&self) -> Vec<(String, usize)> {
        let outcome = |delivery: &Value| {
            let attempts = delivery["attempts"].as_array().unwrap().len();
            (delivery["status"].as_str().unwrap().to_owned(), attempts)
        };
        self.deliveries().await.iter().rev().map(outcome).collect()
    }

    /// Cursor after the first `events` events of the log.
    async fn cursor_after(&self, events: usize) -> String {
        let path = format!("/api/v1/events?limit={events}");
        let bearer = format!("Bearer {}", self.key.as_str());
        let log = self.running.get_with(&path, &[("authorization", &bearer)]).await.json();
        log["next"].as_str().unwrap().to_owned()
    }

    async fn publish(&self, id: &str, kind: ReportType) {
        let reports: [NewReport; 1] = [report(id, kind)];
        self.running.publish(&reports).await;
    }

    /// Advances the clock past the next poll, and waits until the endpoint has received `requests` in total and every
    /// attempt is recorded.
    async fn receive(&self, requests: usize) {
        self.running.clock.advance(MOMENT);
        self.receiver.until(requests).await;
        soon("the records of the attempts", async {
            while self.outcomes().await.iter().map(|(_, attempts)| attempts).sum::<usize>()
                < requests
            {
                tokio::task::yield_now().await;
            }
        })
        .await;
        assert_eq!(self.receiver.count(), requests);
    }

    /// Names and report ids of the events after the first `requests`, sorted.
    fn received_after(&self, requests: usize) -> Vec<String> {
        let told = |request: &Request| {
            let body = request.json();
            let report = body["data"]["id"].as_str().unwrap_or("-");
            format!("{} {report}", body["event"].as_str().unwrap())
        };
        let mut received: Vec<String> =
            self.receiver.requests()[requests..].iter().map(told).collect();
        received.sort();
        received
    }
}

/// Ids and bodies, ordered by id.
fn sent(requests: &[Request]) -> Vec<(&str, &[u8])> {
    let mut sent: Vec<_> = requests.iter().map(|request| (request.id(), &*request.body)).collect();
    sent.sort_unstable();
    sent
}

fn delivered(attempts: &[usize]) -> Vec<(String, usize)> {
    attempts.iter().map(|attempts| ("DELIVERED".to_owned(), *attempts)).collect()
}

#[tokio::test]
async fn what_happened_up_to_an_event_comes_again_and_nothing_else() {
    let partner = Partner::new(json!({ "events": ["report.created"] })).await;
    for (number, id) in (1..).zip(["a", "b", "c"]) {
        partner.publish(id, Water).await;
        partner.receive(number).await;
    }
    let (store, first) = (&partner.running.database.store, LogPosition::After(0));
    // The log has two events for each report.
    let replayed = store
        .deliveries()
        .replay_up_to(None, partner.id(), Replay::Everything(first), Some(LogPosition::After(4)))
        .await;
    assert_eq!(replayed.unwrap(), Replayed::Events(2));
    partner.receive(5).await;
    assert_eq!(partner.received_after(3), ["report.created a", "report.created b"]);
    assert_eq!(partner.outcomes().await, delivered(&[2, 2, 1]));
}

#[tokio::test]
async fn everything_from_a_time_on_comes_again_with_the_same_ids_and_bodies_and_signed_anew() {
    let partner = Partner::to_all().await;
    partner.publish("a", Water).await;
    partner.receive(2).await;
    partner.running.clock.advance(DAY);
    let from = partner.now();
    partner.publish("b", Water).await;
    partner.receive(4).await;
    partner.publish("c", Spirit).await;
    partner.receive(6).await;
    partner.running.clock.advance(DAY);
    assert_eq!(partner.replay(json!({ "from": from })).await, 4);
    partner.receive(10).await;
    let requests = partner.receiver.requests();
    assert_eq!(sent(&requests[6..]), sent(&requests[2..6]));
    let now = partner.running.clock.now().timestamp();
    for request in &requests[6..] {
        assert!(request.is_signed_with(partner.subscription["secret"].as_str().unwrap()));
        let timestamp: i64 = request.header("webhook-timestamp").parse().unwrap();
        assert!((now - 2..=now).contains(&timestamp), "{timestamp} at {now}");
    }
    assert_eq!(partner.outcomes().await, delivered(&[1, 1, 2, 2, 2, 2]));
}

#[tokio::test]
async fn everything_after_a_cursor_of_the_log_comes_again_and_then_what_is_new() {
    let partner = Partner::to_all().await;
    for (id, requests) in [("a", 2), ("b", 4)] {
        partner.publish(id, Water).await;
        partner.receive(requests).await;
    }
    let after_three = partner.cursor_after(3).await;
    assert_eq!(partner.replay(json!({ "after": after_three })).await, 1);
    partner.receive(5).await;
    assert_eq!(partner.received_after(4), ["metrics.updated -"]);
    let after_two = partner.cursor_after(2).await;
    assert_eq!(partner.replay(json!({ "after": after_two })).await, 2);
    partner.publish("c", Water).await;
    partner.receive(9).await;
    let expected =
        ["metrics.updated -", "metrics.updated -", "report.created b", "report.created c"];
    assert_eq!(partner.received_after(5), expected);
    let end = partner.cursor_after(100).await;
    assert_eq!(partner.replay(json!({ "after": end })).await, 0);
    assert_eq!(partner.outcomes().await, delivered(&[1, 1, 2, 3, 1, 1]));
}

#[tokio::test]
async fn only_what_has_failed_for_good_comes_again_if_that_is_asked_for() {
    let partner = Partner::new(json!({ "events": ["report.created"] })).await;
    partner.publish("lost", Water).await;
    partner.receive(1).await;
    // The delivery fails while others succeed; each step is long enough for the next attempt to be due.
    for number in 1..10 {
        partner.running.clock.advance(DAY + DAY / 4);
        partner.publish(&format!("r-{number}"), Water).await;
        partner.receive(1 + 2 * number).await;
    }
    let failed = ("FAILED".to_owned(), 10);
    assert_eq!(partner.outcomes().await, [vec![failed], delivered(&[1; 9])].concat());
    let after_lost = partner.cursor_after(2).await;
    assert_eq!(partner.replay(json!({ "status": "FAILED", "after": after_lost })).await, 0);
    assert_eq!(partner.replay(json!({ "status": "FAILED", "from": START })).await, 1);
    partner.receive(20).await;
    assert_eq!(partner.received_after(19), ["report.created lost"]);
    // The delivery starts again with all its attempts.
    let pending = ("PENDING".to_owned(), 11);
    assert_eq!(partner.outcomes().await, [vec![pending], delivered(&[1; 9])].concat());
}

#[tokio::test]
async fn a_replay_sends_what_the_events_and_the_filter_select_now() {
    let partner =
        Partner::new(json!({ "events": ["report.created"], "filter": { "types": ["water"] } }))
            .await;
    partner.publish("spirit", Spirit).await;
    partner.publish("water", Water).await;
    partner.receive(1).await;
    assert_eq!(partner.received_after(0), ["report.created water"]);
    assert_eq!(partner.replay(json!({ "from": START })).await, 1);
    partner.receive(2).await;
    assert_eq!(partner.received_after(1), ["report.created water"]);
    partner.change(json!({ "filter": { "types": ["spirit"] } })).await;
    assert_eq!(partner.replay(json!({ "from": START })).await, 1);
    partner.receive(3).await;
    assert_eq!(partner.received_after(2), ["report.created spirit"]);
    partner
        .change(json!({ "filter": null, "events": ["report.created", "metrics.updated"] }))
        .await;
    assert_eq!(partner.replay(json!({ "from": START })).await, 4);
    partner.receive(7).await;
    let expected =
        ["metrics.updated -", "metrics.updated -", "report.created spirit", "report.created water"];
    assert_eq!(partner.received_after(3), expected);
}

#[tokio::test]
async fn a_replay_while_the_endpoint_is_paused_comes_when_it_responds_again() {
    let partner = Partner::new(json!({ "events": ["report.created"] })).await;
    partner.publish("a", Water).await;
    partner.receive(1).await;
    partner.is_down.store(true, Relaxed);
    for number in 0..6 {
        partner.publish(&format!("r-{number}"), Water).await;
    }
    // Five failures pause the endpoint.
    partner.receive(6).await;
    assert_eq!(partner.replay(json!({ "from": START })).await, 7);
    // The replay does not end the pause: the probe fails, and nothing else is sent.
    partner.running.clock.advance(Duration::from_secs(6));
    partner.receive(7).await;
    assert_eq!(partner.received_after(6).len(), 1);
    partner.is_down.store(false, Relaxed);
    partner.running.clock.advance(Duration::from_secs(36));
    partner.receive(14).await;
    let all =
        ["a", "r-0", "r-1", "r-2", "r-3", "r-4", "r-5"].map(|id| format!("report.created {id}"));
    assert_eq!(partner.received_after(7), all);
}

#[tokio::test]
async fn a_replay_of_a_disabled_subscription_comes_when_it_is_enabled() {
    let partner = Partner::new(json!({ "events": ["report.created"] })).await;
    partner.publish("a", Water).await;
    partner.publish("b", Water).await;
    partner.receive(2).await;
    partner.change(json!({ "status": "DISABLED" })).await;
    assert_eq!(partner.replay(json!({ "from": START })).await, 2);
    partner.running.clock.advance(DAY);
    partner.publish("c", Water).await;
    partner.receive(2).await;
    partner.change(json!({ "status": "ACTIVE" })).await;
    partner.receive(5).await;
    let all = ["a", "b", "c"].map(|id| format!("report.created {id}"));
    assert_eq!(partner.received_after(2), all);
    assert_eq!(partner.outcomes().await, delivered(&[2, 2, 1]));
}
