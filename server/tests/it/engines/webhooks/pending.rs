//! `report.pending`, the event that only the operator's subscriptions list.

use base::random::Random;
use chrono::TimeDelta;
use domain::{
    actor::Actor,
    event::EventName::{self, ReportPending},
    event_filter::EventFilter,
    place_filter::PlaceFilter,
    report::Step,
    subscription::{MAX_SUBSCRIPTIONS, NewSubscription, OPERATOR},
};
use model::ReportType::{Spirit, Water};
use serde_json::{Value, json};
use store::{Change, Changed, LogQuery, Mode, Store};

use crate::{
    harness::{But, Engine, report},
    node::{Node, ReportCreated},
    receiver::{Receiver, Reply},
};

const NOWHERE: &str = "http://127.0.0.1:9/";

/// Subscribes the operator to these events.
async fn subscribe(store: &Store, events: &[EventName]) -> String {
    subscribe_at(NOWHERE, store, events).await
}

async fn subscribe_at(url: &str, store: &Store, events: &[EventName]) -> String {
    let id = format!("sub_{}", Random::system().base62(22));
    let new = NewSubscription {
        id: id.clone(),
        partner_id: OPERATOR,
        url: url.to_owned(),
        events: events.to_vec(),
        filter: None,
        secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=".to_owned(),
    };
    assert!(store.subscriptions().create(&new, MAX_SUBSCRIPTIONS).await.unwrap().is_some());
    id
}

/// Number of events that wait for a subscription.
async fn waiting(store: &Store, id: &str) -> i64 {
    store.subscriptions().find(id).await.unwrap().unwrap().pending
}

/// Bodies of all events in the log, oldest first.
async fn bodies(node: &Node) -> Vec<Value> {
    let events: Vec<String> = node.ask("SELECT name FROM events ORDER BY seq").await;
    let as_text = match node.database.engine() {
        Engine::Sqlite => "CAST(body AS TEXT)",
        Engine::Postgres => "convert_from(body, 'UTF8')",
    };
    let bodies: Vec<String> = node.ask(&format!("SELECT {as_text} FROM events ORDER BY seq")).await;
    let bodies: Vec<Value> =
        bodies.iter().map(|body| serde_json::from_str(body).unwrap()).collect();
    for (name, body) in events.iter().zip(&bodies) {
        assert_eq!(&body["event"], name);
    }
    bodies
}

async fn decide(store: &Store, step: Step, id: &str) {
    store.reports().decide(step, &[id.to_owned()]).await.unwrap();
}

#[tokio::test]
async fn a_report_is_announced_whenever_it_becomes_pending() {
    let node = Node::new().await;
    let actor = Actor { name: "maria".into(), key: None, origin: "web1".into() };
    let store = node.store().clone().acting(actor);
    let operators = subscribe(&store, &[ReportPending]).await;
    let reports = [report("a", Spirit).at("Campinas", "SP", "Brazil").on("2026-02-28")];
    store.reports().import(&reports, Mode::Pending).await.unwrap();
    // A repeated row changes nothing.
    store.reports().import(&reports, Mode::Pending).await.unwrap();
    let announced = bodies(&node).await;
    let timestamp = announced[0]["timestamp"].clone();
    let expected = json!({
        "event": "report.pending",
        "timestamp": timestamp,
        "data": {
            "id": "a", "city": "Campinas", "region": "SP", "country": "Brazil", "peopleCount": 1,
            "type": "spirit", "eventDate": "2026-02-28", "createdAt": announced[0]["data"]["createdAt"],
            "status": "PENDING",
        },
    });
    assert_eq!(announced, [expected]);
    decide(&store, Step::Reject, "a").await;
    decide(&store, Step::Reopen, "a").await;
    decide(&store, Step::Approve, "a").await;
    let since = node.now() - TimeDelta::minutes(1);
    let decision = store.audit_log().own_decisions(since, 1).await.unwrap().remove(0);
    let mut undoing = store.reports().undoing(decision.number, since).await.unwrap().unwrap();
    while undoing.next_batch().await.unwrap().is_some() {}
    let names: Vec<_> = bodies(&node).await.iter().map(|body| body["event"].clone()).collect();
    let (pending, created, updated) = ("report.pending", "report.created", "metrics.updated");
    assert_eq!(names, [pending, pending, created, updated, "report.withdrawn", pending]);
    assert_eq!(waiting(&store, &operators).await, 3);
}

#[tokio::test]
async fn nothing_is_written_while_no_subscription_lists_it() {
    let node = Node::new().await;
    let store = node.store();
    node.subscribe(NOWHERE, &EventName::PUBLIC).await;
    let import = async |id: &str| {
        store.reports().import(&[report(id, Spirit)], Mode::Pending).await.unwrap();
        node.rows("events").await
    };
    assert_eq!(import("a").await, 0);
    let operators = subscribe(store, &[ReportCreated, ReportPending]).await;
    assert_eq!(import("b").await, 1);
    // A disabled subscription gets the events that it missed when it is enabled.
    store.subscriptions().disable(&operators, "Maintenance").await.unwrap();
    assert_eq!(import("c").await, 2);
    let change = Change { events: Some(vec![ReportCreated]), ..Change::default() };
    let changed = store.subscriptions().change(OPERATOR, &operators, &change).await.unwrap();
    assert!(matches!(changed, Changed::Now(_)));
    assert_eq!(import("d").await, 2);
    let change = Change { events: Some(vec![ReportPending]), ..Change::default() };
    store.subscriptions().change(OPERATOR, &operators, &change).await.unwrap();
    assert_eq!(import("e").await, 3);
    assert!(store.subscriptions().delete(&operators).await.unwrap());
    assert_eq!(import("f").await, 3);
}

#[tokio::test]
async fn partners_neither_get_nor_read_it() {
    let node = Node::new().await;
    let store = node.store();
    let partners = node.subscribe(NOWHERE, &EventName::PUBLIC).await;
    let operators = subscribe(store, &[ReportPending]).await;
    store.reports().import(&[report("a", Spirit)], Mode::Pending).await.unwrap();
    assert_eq!(waiting(store, &partners.id).await, 0);
    assert_eq!(waiting(store, &operators).await, 1);
    assert_eq!(node.take_all(&partners).await.len(), 0);
    let query = LogQuery {
        after: None,
        events: EventName::PUBLIC.to_vec(),
        place: PlaceFilter::default(),
        types: store::ALL_TYPES,
        limit: 100,
    };
    let page = store.event_log().page(&query).await.unwrap().unwrap();
    assert_eq!((page.events, page.more), (vec![], false));
}

#[tokio::test]
async fn filters_select_it_like_other_events_about_reports() {
    let node = Node::new().await;
    let store = node.store();
    let receiver = Receiver::with(Reply::Status(204)).await;
    let operators = subscribe_at(&receiver.url(), store, &[ReportPending]).await;
    let change = Change {
        filter: Some(EventFilter::new(Some("Brasil"), None, None, &[Water])),
        ..Change::default()
    };
    store.subscriptions().change(OPERATOR, &operators, &change).await.unwrap();
    let reports = [
        report("a", Water).at("Campinas", "", "Brazil"),
        report("b", Spirit).at("Campinas", "", "Brazil"),
        report("c", Water).at("Oslo", "", "Norway"),
    ];
    store.reports().import(&reports, Mode::Pending).await.unwrap();
    assert_eq!((node.dispatch().await, receiver.count()), (1, 1));
    let sent: Value = serde_json::from_slice(&receiver.requests()[0].body).unwrap();
    assert_eq!((&sent["event"], &sent["data"]["id"]), (&json!("report.pending"), &json!("a")));
}
