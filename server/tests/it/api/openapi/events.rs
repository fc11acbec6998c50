//! Stream events and webhooks, checked against their description in the document.

use axum::{body::Bytes, http::HeaderMap};
use base::random::Random;
use chrono::{DateTime, Utc};
use domain::{
    event::{Event, EventName},
    report::NewReport,
    tier::Tier,
};
use model::ReportType::Water;
use serde_json::{Value, json};
use store::Corrected;
use tokio::{net::TcpListener, sync::mpsc};
use webhooks::{client::Client, dispatcher::Dispatcher, resolver::Resolver};

use super::{PATH, running};
use crate::{
    harness::{But, Running, START, instant, report, soon},
    schema::faults,
};

#[tokio::test]
async fn real_events_of_the_stream_are_as_described() {
    let running = running().await;
    let document = running.json(PATH).await;
    let response = &document["paths"]["/api/v1/stream"]["get"]["responses"]["200"];
    let schema = &response["content"]["text/event-stream"]["schema"];
    assert_eq!(schema["type"], "string");
    let schema = &schema["contentSchema"];
    let example = response["content"]["text/event-stream"]["example"].as_str().unwrap();
    let mut stream = running.http.get(running.url("/api/v1/stream")).send().await.unwrap();
    for name in response["headers"].as_object().unwrap().keys() {
        assert!(stream.headers().contains_key(name), "{name}");
    }
    let cache = &response["headers"]["Cache-Control"]["example"];
    assert_eq!(cache, stream.headers()["cache-control"].to_str().unwrap());
    let mut sent = String::new();
    while sent.matches("\n\n").count() < 2 {
        let chunk = soon("a tick", stream.chunk()).await.unwrap().unwrap();
        sent.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    let failed = String::from_utf8(svc::responses::frame::failed().to_vec()).unwrap();
    for (text, names) in [
        (example, ["metrics", "reports"].as_slice()),
        (&sent, &["metrics", "reports"]),
        (&failed, &["error"]),
    ] {
        let events = events(text);
        assert_eq!(faults(&document, schema, &json!(events)), [""; 0], "{text}");
        let got: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
        assert_eq!(got, names);
    }
}

/// Events in the text of a stream, each with its name and data.
fn events(text: &str) -> Vec<Value> {
    // The first event is preceded by the retry time.
    let named = text.split("\n\n").filter_map(|block| Some(block.split_once("event: ")?.1));
    named
        .map(|event| {
            let (name, data) = event.split_once("\ndata: ").unwrap();
            json!({ "event": name, "data": serde_json::from_str::<Value>(data).unwrap() })
        })
        .collect()
}

/// Makes two more subscriptions of the partner; one is paused, the other disabled.
async fn stop_others(running: &Running, headers: &[(&str, &str)]) {
    let body = json!({ "url": "http://127.0.0.1:9/", "events": ["subscription.paused"] });
    for _ in 0..2 {
        let request = running.http.post(running.url("/api/v1/webhooks")).body(body.to_string());
        assert_eq!(running.ask(request, headers).await.status, 201);
    }
    let database = &running.database;
    database
        .tamper(
            "UPDATE subscriptions SET failures = 5, paused_until = 9000000000000, failing_since = 0
             WHERE seq = 2",
        )
        .await;
    database
        .tamper("UPDATE subscriptions SET status = 'DISABLED', disabled_reason = 'A break.' WHERE seq = 3")
        .await;
    assert_eq!(database.store.subscriptions().announce_endpoints(true).await.unwrap(), 2);
}

#[tokio::test]
async fn real_deliveries_are_as_described() {
    let running = running().await;
    let document = running.json(PATH).await;
    let (sender, mut received) = mpsc::unbounded_channel();
    let receive = async move |headers: HeaderMap, body: Bytes| {
        sender.send((headers, serde_json::from_slice::<Value>(&body).unwrap())).unwrap();
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let receiver = axum::Router::new().route("/", axum::routing::post(receive));
    tokio::spawn(async move { axum::serve(listener, receiver).await });

    let key = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    let body = json!({ "url": url, "events": EventName::PUBLIC });
    let request = running.http.post(running.url("/api/v1/webhooks")).body(body.to_string());
    let headers = [("authorization", key.as_str()), ("content-type", "application/json")];
    let created = running.ask(request, &headers).await;
    assert_eq!(created.status, 201);
    running.publish(&[report("new", Water)]).await;
    let corrected = running
        .database
        .store
        .reports()
        .correct("new", |report| Ok::<_, ()>(NewReport { people_count: 7, ..report.clone() }));
    assert_eq!(corrected.await.unwrap(), Corrected::Now);
    running.withdraw("new").await;
    running.backfill(&[report("old", Water).created("2026-01-04T08:00:00Z")]).await;
    let log = running.database.store.event_log();
    assert!(log.announce_history(DateTime::<Utc>::MAX_UTC).await.unwrap());
    stop_others(&running, &headers).await;
    // The service's own dispatcher waits for the clock, which this test does not step.
    let store = running.database.elsewhere().await;
    let client =
        Client::new(running.service.app.settings.endpoints.clone(), Resolver::system()).unwrap();
    let mut dispatcher = Dispatcher::new(store, running.clock.clone(), Random::seeded(2), client);
    assert_eq!(dispatcher.dispatch_due().await.unwrap(), 7);

    let mut described: Vec<&String> = document["webhooks"].as_object().unwrap().keys().collect();
    for _ in 0..7 {
        let (headers, body) = soon("a delivery", received.recv()).await.unwrap();
        let name = body["event"].as_str().unwrap();
        described.retain(|described| *described != name);
        let post = &document["webhooks"][name]["post"];
        let schema = &post["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(faults(&document, schema, &body), [""; 0], "{body}");
        for header in post["parameters"].as_array().unwrap() {
            let value = headers[header["name"].as_str().unwrap()].to_str().unwrap();
            assert_eq!(faults(&document, &header["schema"], &json!(value)), [""; 0]);
        }
    }
    assert_eq!(described, ["webhook.test"], "each event that partners subscribe to was sent");

    let id = created.json()["subscription"]["id"].as_str().unwrap().to_owned();
    let path = "/api/v1/webhooks/deliveries";
    let listed = running.get_with(&format!("{path}?id={id}"), &headers[..1]).await.json();
    let response = &document["paths"][path]["get"]["responses"]["200"];
    let schema = &response["content"]["application/json"]["schema"];
    assert_eq!(faults(&document, schema, &listed), [""; 0], "{listed}");
    let deliveries = listed["deliveries"].as_array().unwrap();
    let told: Vec<_> = deliveries.iter().map(|one| (&one["event"], &one["status"])).collect();
    let delivered = json!("DELIVERED");
    let names = [
        "subscription.disabled",
        "subscription.paused",
        "reports.imported",
        "report.withdrawn",
        "report.updated",
        "metrics.updated",
        "report.created",
    ];
    let names = names.map(Value::from);
    assert_eq!(told, names.each_ref().map(|name| (name, &delivered)));
    assert_eq!(
        (deliveries[0]["attempts"][0]["status"].as_u64(), &listed["more"]),
        (Some(200), &json!(false))
    );
}

#[tokio::test]
async fn the_test_event_is_as_described() {
    let document = running().await.json(PATH).await;
    let body = &document["webhooks"]["webhook.test"]["post"]["requestBody"];
    let media = &body["content"]["application/json"];
    let event = Event::test("sub_7hQm2Z", instant(START), &Random::seeded(1));
    let sent: Value = serde_json::from_slice(&event.body).unwrap();
    assert_eq!(faults(&document, &media["schema"], &sent), [""; 0]);
    assert_eq!(media["example"], sent);
}
