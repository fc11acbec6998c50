//! Partners test the endpoint of a subscription.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
    time::Duration,
};

use axum::{body::Bytes, http::StatusCode};
use domain::tier::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use svc::keys::ApiKey;

use tokio::{net::TcpListener, sync::mpsc};

use super::{PATH, ask, list, running, subscribe};
use crate::harness::{Answer, Running, soon};

const PAUSE: Duration = Duration::from_secs(5);

async fn test(running: &Running, key: &ApiKey, id: &str) -> Answer {
    ask(running, Method::POST, &format!("{PATH}/test?id={id}"), key).await
}

/// Endpoint on this machine.
struct Endpoint {
    url: String,
    /// Status of the responses.
    status: Arc<AtomicU16>,
    received: mpsc::UnboundedReceiver<Value>,
}

impl Endpoint {
    async fn new() -> Self {
        let (sender, received) = mpsc::unbounded_channel();
        let status = Arc::new(AtomicU16::new(204));
        let responding = Arc::clone(&status);
        let receive = async move |body: Bytes| {
            sender.send(serde_json::from_slice(&body).unwrap()).unwrap_or_default();
            StatusCode::from_u16(responding.load(Ordering::Relaxed)).unwrap()
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let router = axum::Router::new().route("/", axum::routing::post(receive));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, status, received }
    }

    fn respond(&self, status: u16) {
        self.status.store(status, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn a_test_event_is_sent_at_once_and_the_response_is_told() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let mut endpoint = Endpoint::new().await;
    let id = subscribe(&running, &key, &endpoint.url).await["id"].as_str().unwrap().to_owned();
    for status in [204, 500, 410] {
        endpoint.respond(status);
        let answer = test(&running, &key, &id).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.json(), json!({ "status": status, "durationMs": 0 }));
        let event = soon("the test event", endpoint.received.recv()).await.unwrap();
        assert_eq!(event["event"], "webhook.test");
        assert_eq!(event["data"]["subscription"], *id);
        assert_eq!(
            list(&running, &key).await[0]["status"],
            if status == 410 { "DISABLED" } else { "ACTIVE" }
        );
        running.clock.advance(PAUSE);
    }
    let path = format!("{PATH}/deliveries?id={id}");
    let log = ask(&running, Method::GET, &path, &key).await.json();
    let statuses: Vec<_> =
        log["deliveries"].as_array().unwrap().iter().map(|delivery| &delivery["status"]).collect();
    assert_eq!(statuses, ["FAILED", "FAILED", "DELIVERED"]);
    // A disabled subscription can be tested, and stays disabled.
    endpoint.respond(200);
    let answer = test(&running, &key, &id).await;
    assert_eq!(answer.json(), json!({ "status": 200, "durationMs": 0 }));
    assert_eq!(list(&running, &key).await[0]["status"], "DISABLED");
}

#[tokio::test]
async fn a_test_without_a_response_says_why() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", closed.local_addr().unwrap());
    drop(closed);
    let id = subscribe(&running, &key, &url).await["id"].as_str().unwrap().to_owned();
    let answer = test(&running, &key, &id).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let told = answer.json();
    let error = told["error"].as_str().unwrap();
    assert!(!error.is_empty());
    assert_eq!(told, json!({ "durationMs": 0, "error": error }));
}

#[tokio::test]
async fn a_subscription_that_the_operator_has_disabled_cannot_be_tested() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let mut endpoint = Endpoint::new().await;
    let created = subscribe(&running, &key, &endpoint.url).await;
    let id = created["id"].as_str().unwrap();
    running.database.store.subscriptions().disable(id, "Too many requests.").await.unwrap();
    let refused = test(&running, &key, id).await;
    assert_eq!((refused.status, refused.json()["code"].clone()), (403, json!("FORBIDDEN")));
    assert!(endpoint.received.try_recv().is_err(), "nothing was sent");
}

#[tokio::test]
async fn a_subscription_is_tested_once_every_five_seconds_and_only_by_its_partner() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let rival = running.key("Rivals", Tier::Partner).await;
    let mut endpoint = Endpoint::new().await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let created = subscribe(&running, &key, &endpoint.url).await;
        ids.push(created["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(test(&running, &rival, &ids[0]).await.status, 404);
    assert_eq!(test(&running, &key, "sub_x").await.status, 404);
    assert_eq!(test(&running, &key, &ids[0]).await.status, 200);
    running.clock.advance(PAUSE - Duration::from_secs(2));
    let early = test(&running, &key, &ids[0]).await;
    assert_eq!((early.status, early.header("retry-after")), (429, "2"));
    assert_eq!(early.json()["code"], "RATE_LIMITED");
    assert_eq!(test(&running, &key, &ids[1]).await.status, 200, "another one has its own turn");
    running.clock.advance(Duration::from_secs(2));
    assert_eq!(test(&running, &key, &ids[0]).await.status, 200);
    for _ in 0..3 {
        soon("a test event", endpoint.received.recv()).await.unwrap();
    }
    assert!(endpoint.received.try_recv().is_err(), "nothing else was sent");
}

/// Sends a test with this body.
async fn test_with(running: &Running, key: &ApiKey, id: &str, body: &Value) -> Answer {
    let bearer = format!("Bearer {}", key.as_str());
    let request = running.http.post(running.url(&format!("{PATH}/test?id={id}")));
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    running.ask(request.body(body.to_string()), &headers).await
}

#[tokio::test]
async fn a_made_up_event_looks_like_a_real_one_and_is_marked_as_a_test() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let mut endpoint = Endpoint::new().await;
    let id = subscribe(&running, &key, &endpoint.url).await["id"].as_str().unwrap().to_owned();
    let own = json!({ "id": "r-1", "type": "water", "city": " Oslo ", "country": "Norway", "peopleCount": 3,
                      "createdAt": "2026-02-28T10:00:00Z", "region": null });
    let sample = json!({ "id": "rep_test", "type": "spirit", "city": "Campinas", "country": "Brazil",
                         "peopleCount": 12, "createdAt": "2026-03-01T12:00:10.000Z", "status": "WITHDRAWN",
                         "test": true });
    let told = json!({ "id": "r-1", "type": "water", "city": "Oslo", "country": "Norway", "peopleCount": 3,
                       "createdAt": "2026-02-28T10:00:00.000Z", "status": "APPROVED", "test": true });
    for (body, event, data) in [
        (json!({ "event": "report.created", "report": own }), "report.created", Some(&told)),
        (json!({ "event": "report.updated", "report": own }), "report.updated", Some(&told)),
        (json!({ "event": "report.withdrawn" }), "report.withdrawn", Some(&sample)),
        (json!({ "event": "metrics.updated" }), "metrics.updated", None),
        (json!({ "event": "webhook.test" }), "webhook.test", None),
        (json!({}), "webhook.test", None),
    ] {
        let answer = test_with(&running, &key, &id, &body).await;
        assert_eq!(answer.json(), json!({ "status": 204, "durationMs": 0 }), "{body}");
        let sent = soon("the event", endpoint.received.recv()).await.unwrap();
        assert_eq!(sent["event"], event);
        assert_eq!(sent["data"]["test"] == true, event != "webhook.test", "{sent}");
        if let Some(data) = data {
            assert_eq!(&sent["data"], data, "{body}");
        }
        let members: Vec<&String> = sent.as_object().unwrap().keys().collect();
        assert_eq!(members, ["event", "timestamp", "data"]);
        running.clock.advance(PAUSE);
    }
    let log = ask(&running, Method::GET, "/api/v1/events", &key).await.json();
    assert_eq!(log["events"], json!([]), "made-up events are not in the log");
    let path = format!("{PATH}/deliveries?id={id}");
    let deliveries = ask(&running, Method::GET, &path, &key).await.json()["deliveries"].clone();
    let deliveries = deliveries.as_array().unwrap();
    assert_eq!(deliveries.len(), 6);
    assert!(deliveries.iter().all(|delivery| delivery["event"] == "webhook.test"));
}

#[tokio::test]
async fn a_made_up_event_that_is_wrong_is_refused_by_its_pointer() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let id = subscribe(&running, &key, "http://127.0.0.1:9/").await;
    let id = id["id"].as_str().unwrap();
    let created = |report: Value| json!({ "event": "report.created", "report": report });
    for (body, pointer) in [
        (json!({ "event": "report.pending" }), "/event"),
        (json!({ "event": null }), "/event"),
        (json!({ "events": ["report.created"] }), "/events"),
        (json!({ "report": {} }), "/report"),
        (json!({ "event": "metrics.updated", "report": {} }), "/report"),
        (created(json!([])), "/report"),
        (created(json!({ "town": "Oslo" })), "/report/town"),
        (created(json!({ "type": "fire" })), "/report/type"),
        (created(json!({ "city": "" })), "/report/city"),
        (created(json!({ "peopleCount": 0 })), "/report/peopleCount"),
        (created(json!({ "createdAt": "yesterday" })), "/report/createdAt"),
        (created(json!({ "id": "x".repeat(300) })), "/report/id"),
    ] {
        let answer = test_with(&running, &key, id, &body).await;
        let said = answer.json();
        assert_eq!(
            (answer.status, &said["code"], &said["pointer"]),
            (400, &json!("INVALID_BODY"), &json!(pointer)),
            "{body}: {said}"
        );
    }
    assert_eq!(running.database.count("SELECT count(*) FROM events").await, 0);
}
