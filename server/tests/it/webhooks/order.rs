//! Events of one report arrive in order, each after the previous one has ended, and carry a sequence number.

use std::collections::HashMap;

use domain::report::Step;
use domain::{event::EventName, subscription::DeliveryStatus::Failed};

use crate::{
    node::Node,
    receiver::{Receiver, Reply, Request},
};

fn told(requests: &[Request]) -> Vec<(String, String)> {
    let text = |request: &Request, member: &str| {
        request.json().pointer(member).and_then(|text| text.as_str()).unwrap().to_owned()
    };
    requests.iter().map(|one| (text(one, "/data/id"), text(one, "/event"))).collect()
}

/// Events of one report, in the order received.
fn of(requests: &[Request], report: &str) -> Vec<String> {
    let told = told(requests).into_iter().filter(|(id, _)| id == report);
    told.map(|(_, event)| event).collect()
}

const REPORTS: [EventName; 3] =
    [EventName::ReportCreated, EventName::ReportWithdrawn, EventName::ReportUpdated];

/// Starts a receiver that refuses the first `times` requests about the publication of `a`.
async fn refusing(times: usize) -> Receiver {
    let left = std::sync::Mutex::new(times);
    Receiver::scripted(move |request, _| {
        let is_it = request.report() == "a" && request.json()["event"] == "report.created";
        let mut left = left.lock().unwrap();
        if is_it && *left > 0 {
            *left -= 1;
            return Reply::Status(500);
        }
        Reply::Status(200)
    })
    .await
}

#[tokio::test]
async fn a_withdrawal_waits_until_the_publication_was_accepted_and_holds_up_no_other_report() {
    let node = Node::new().await;
    let receiver = refusing(3).await;
    let subscription = node.subscribe(&receiver.url(), &REPORTS).await;
    node.approve(&["a", "b"]).await;
    node.store().reports().decide(Step::Withdraw, &["a".to_owned(), "b".to_owned()]).await.unwrap();
    node.approve(&["c"]).await;
    node.dispatch().await;
    // Each call uses a new dispatcher, as after a restart.
    node.dispatch().await;
    let soon = receiver.requests();
    assert_eq!(of(&soon, "a"), ["report.created"]);
    assert_eq!(of(&soon, "b"), ["report.created", "report.withdrawn"]);
    assert_eq!(of(&soon, "c"), ["report.created"]);
    for _ in 0..4 {
        let due = node.next_due(subscription.seq).await.unwrap();
        node.advance_to(due);
        node.dispatch().await;
    }
    let all = receiver.requests();
    let [created @ .., withdrawn] = &of(&all, "a")[..] else { panic!("{all:?}") };
    assert_eq!(
        (created, withdrawn.as_str()),
        (&["report.created"; 4].map(str::to_owned)[..], "report.withdrawn")
    );
    assert_eq!(all.len(), 8);
}

#[tokio::test]
async fn what_waits_is_sent_when_the_earlier_event_has_failed_for_good() {
    let node = Node::new().await;
    let receiver = refusing(usize::MAX).await;
    let subscription = node.subscribe(&receiver.url(), &REPORTS).await;
    node.approve(&["a"]).await;
    node.store().reports().decide(Step::Withdraw, &["a".to_owned()]).await.unwrap();
    for number in 0..12 {
        node.approve(&[&format!("b{number}")]).await;
        node.dispatch().await;
        let Some(due) = node.next_due(subscription.seq).await else { break };
        node.advance_to(due.max(node.now()));
    }
    let events = of(&receiver.requests(), "a");
    assert_eq!(events.len(), 11, "{events:?}");
    assert_eq!(events.last().map(String::as_str), Some("report.withdrawn"));
    assert_eq!(node.log(&subscription).await[0].status, Failed);
}

#[tokio::test]
async fn of_one_report_only_one_event_is_in_flight() {
    let node = Node::new().await;
    let receiver = Receiver::scripted(|request, _| match request.report() {
        id if id == "a" => Reply::Held(200),
        _ => Reply::Status(200),
    })
    .await;
    node.subscribe(&receiver.url(), &REPORTS).await;
    // Successes raise the concurrency, so that several requests may be in flight.
    let before = 5;
    node.approve_many(before).await;
    node.approve(&["a"]).await;
    node.store().reports().decide(Step::Withdraw, &["a".to_owned()]).await.unwrap();
    node.approve(&["b"]).await;
    let dispatching = node.dispatching();
    receiver.until(before + 2).await;
    let mut come = told(&receiver.requests()[before..]);
    come.sort();
    let event = |id: &str| (id.to_owned(), "report.created".to_owned());
    assert_eq!(come, [event("a"), event("b")]);
    receiver.let_go(1);
    receiver.until(before + 3).await;
    assert_eq!(of(&receiver.requests(), "a"), ["report.created", "report.withdrawn"]);
    receiver.let_go(1);
    dispatching.await.unwrap();
}

#[tokio::test]
async fn each_request_has_the_sequence_that_the_log_has() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    node.subscribe(&receiver.url(), &EventName::PUBLIC).await;
    node.approve(&["a", "b"]).await;
    node.store().reports().decide(Step::Withdraw, &["a".to_owned()]).await.unwrap();
    node.dispatch().await;
    let query = store::LogQuery {
        after: None,
        events: EventName::PUBLIC.to_vec(),
        place: Default::default(),
        types: store::ALL_TYPES,
        limit: 100,
    };
    let log = node.store().event_log().page(&query).await.unwrap().unwrap().events;
    let logged: HashMap<String, i64> = log.into_iter().map(|event| (event.id, event.seq)).collect();
    let sent: HashMap<String, i64> = receiver
        .requests()
        .iter()
        .map(|request| {
            let header = |name: &str| request.headers[name].to_str().unwrap().to_owned();
            (header("webhook-id"), header("x-svc-sequence").parse().unwrap())
        })
        .collect();
    assert_eq!((sent.len(), &sent), (5, &logged));
}
