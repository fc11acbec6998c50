//! Subscriptions that filter events about reports.

use domain::report::Step;
use domain::{
    event::EventName, event_filter::EventFilter, report::NewReport,
    subscription::SubscriptionStatus::Active,
};
use model::ReportType::{Both, Spirit, Water};
use store::{Change, Corrected, LogQuery, Mode, PlaceFilter};

use crate::{
    harness::{But, report},
    node::{Node, Subscription},
    receiver::{Receiver, Reply},
};

async fn set_filter(node: &Node, of: &Subscription, filter: Option<EventFilter>) {
    let change = Change { filter: Some(filter), ..Change::default() };
    node.store().subscriptions().change(node.partner_id, &of.id, &change).await.unwrap();
}

/// Approves reports from three places, and returns the ids of the reports received and the number of counter events.
async fn told(node: &Node, receiver: &Receiver, ids: [&str; 4]) -> (Vec<String>, usize) {
    let before = receiver.count();
    let [a, b, c, d] = ids;
    let reports = [
        report(a, Spirit).at("São Paulo", "SP", "Brazil"),
        report(b, Water).at("Sao Paulo", "", "BR"),
        report(c, Water).at("Oslo", "", "Norway"),
        report(d, Both).at("Rio", "RJ", "Brasil"),
    ];
    node.store().reports().import(&reports, Mode::Approve).await.unwrap();
    node.dispatch().await;
    let bodies: Vec<_> = receiver.requests()[before..].iter().map(|one| one.json()).collect();
    let (told, counters): (Vec<_>, Vec<_>) =
        bodies.iter().partition(|body| body["event"] == "report.created");
    let ids = told.iter().map(|body| body["data"]["id"].as_str().unwrap().to_owned());
    (ids.collect(), counters.len())
}

#[tokio::test]
async fn a_filter_narrows_the_events_about_reports_and_not_the_counters() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let subscription = node.subscribe(&receiver.url(), &EventName::PUBLIC).await;
    let brazil = EventFilter::new(Some("Brasil"), None, None, &[]);
    set_filter(&node, &subscription, brazil).await;
    let mut sent = told(&node, &receiver, ["a", "b", "c", "d"]).await;
    sent.0.sort();
    assert_eq!(sent, (["a", "b", "d"].map(str::to_owned).to_vec(), 4));
    let water = EventFilter::new(Some("BRA"), None, Some("SAO PAULO"), &[Water]);
    set_filter(&node, &subscription, water).await;
    assert_eq!(told(&node, &receiver, ["e", "f", "g", "h"]).await, (vec!["f".to_owned()], 4));
    set_filter(&node, &subscription, None).await;
    assert_eq!(told(&node, &receiver, ["i", "j", "k", "l"]).await.0.len(), 4);
    assert_eq!(node.health(&subscription).await, (Active, None));
}

/// The cursor passes events that the filter excludes, so none is examined twice.
#[tokio::test]
async fn what_nobody_wants_is_not_sent_when_it_is_wanted_later() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let subscription = node.subscribe(&receiver.url(), &[EventName::ReportCreated]).await;
    let nowhere = EventFilter::new(Some("Atlantis"), None, None, &[]);
    set_filter(&node, &subscription, nowhere).await;
    assert_eq!(told(&node, &receiver, ["a", "b", "c", "d"]).await, (vec![], 0));
    set_filter(&node, &subscription, None).await;
    assert_eq!((node.dispatch().await, node.rows("deliveries").await), (0, 0));
}

#[tokio::test]
async fn who_was_told_of_a_report_is_told_when_a_correction_takes_it_out_of_the_filter() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let events = [EventName::ReportUpdated, EventName::ReportWithdrawn];
    let subscription = node.subscribe(&receiver.url(), &events).await;
    let brazil = EventFilter::new(Some("Brazil"), None, None, &[Spirit]);
    set_filter(&node, &subscription, brazil).await;
    node.store().reports().import(&[report("a", Spirit)], Mode::Approve).await.unwrap();
    let query = LogQuery {
        after: Some(node.store().event_log().newest().await.unwrap()),
        events: events.to_vec(),
        place: PlaceFilter::new(Some("BR"), None, None),
        types: store::ALL_TYPES,
        limit: 10,
    };
    let correct = async |becomes: NewReport| {
        let corrected =
            node.store().reports().correct("a", |_| Ok::<_, ()>(becomes.clone())).await.unwrap();
        assert!(matches!(corrected, Corrected::Now), "{corrected:?}");
        node.dispatch().await;
        receiver
            .requests()
            .iter()
            .map(|one| one.json()["data"]["country"].clone())
            .collect::<Vec<_>>()
    };
    // Corrections: out of the place, between other places, back, and out by type.
    let oslo = || report("a", Spirit).at("Oslo", "", "Norway");
    let arica = || report("a", Spirit).at("Arica", "", "Chile");
    let rio = || report("a", Spirit).at("Rio", "", "Brazil");
    assert_eq!(correct(oslo()).await, ["Norway"]);
    assert_eq!(correct(arica()).await, ["Norway"]);
    assert_eq!(correct(rio()).await, ["Norway", "Brazil"]);
    assert_eq!(correct(NewReport { kind: Water, ..rio() }).await, ["Norway", "Brazil", "Brazil"]);
    node.store().reports().decide(Step::Withdraw, &["a".to_owned()]).await.unwrap();
    assert_eq!((node.dispatch().await, receiver.count()), (0, 3));
    // The log cannot be filtered by type.
    let log = node.store().event_log().page(&query).await.unwrap().unwrap();
    assert_eq!(log.events.len(), 4);
}
