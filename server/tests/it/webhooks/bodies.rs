//! Received webhooks: bytes, headers and signatures.

use domain::report::NewReport;
use domain::report::Step;
use model::ReportType::{Both, Water};
use serde_json::json;
use store::Mode;

use crate::{
    harness::{But, report},
    node::{MetricsUpdated, Node, ReportCreated},
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn a_report_and_the_counters_arrive_in_their_exact_forms() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(204)).await;
    node.subscribe(&receiver.url(), &[ReportCreated, MetricsUpdated]).await;
    let told = NewReport { people_count: 12, ..report("r-ä\"1", Both) }
        .at("São “Paulo”", "SP", "Brasil")
        .created("2026-03-01T11:59:00.123Z");
    node.store().reports().import(&[told], Mode::Pending).await.unwrap();
    node.store().reports().decide(Step::Approve, &["r-ä\"1".to_owned()]).await.unwrap();
    assert_eq!(node.dispatch().await, 2);
    let mut bodies: Vec<String> = receiver
        .requests()
        .into_iter()
        .map(|request| String::from_utf8(request.body).unwrap())
        .collect();
    bodies.sort();
    assert_eq!(
        bodies,
        [
            "{\"event\":\"metrics.updated\",\"timestamp\":\"2026-03-01T12:00:00.000Z\",\"data\":\
             {\"spirit\":0,\"water\":0,\"both\":1,\"total\":1,\"spiritToday\":0,\"waterToday\":0,\
             \"bothToday\":1,\"totalToday\":1,\"countries\":1,\"cities\":1,\
             \"updatedAt\":\"2026-03-01T12:00:00.000Z\"}}",
            "{\"event\":\"report.created\",\"timestamp\":\"2026-03-01T12:00:00.000Z\",\"data\":\
             {\"id\":\"r-ä\\\"1\",\"city\":\"São “Paulo”\",\"country\":\"Brasil\",\
             \"peopleCount\":12,\"type\":\"both\",\"createdAt\":\"2026-03-01T11:59:00.123Z\",\
             \"status\":\"APPROVED\"}}",
        ]
    );
}

#[tokio::test]
async fn every_try_sends_the_same_bytes_and_id_and_both_signatures_verify() {
    let node = Node::new().await;
    let receiver =
        Receiver::scripted(|_, number| Reply::Status(if number < 4 { 500 } else { 200 })).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.store()
        .reports()
        .import(&[report("Łódź", Water).at("Łódź", "", "Poland")], Mode::Approve)
        .await
        .unwrap();
    let mut tried_at = Vec::new();
    while let Some(due) = node.next_try(&subscription).await {
        node.advance_to(due);
        // The event does not change when the report is withdrawn before the next attempt.
        node.store().reports().decide(Step::Withdraw, &["Łódź".to_owned()]).await.unwrap();
        tried_at.push(due.timestamp().to_string());
        assert_eq!(node.dispatch().await, 1);
    }
    let requests = receiver.requests();
    let sent_at: Vec<&str> =
        requests.iter().map(|request| request.header("webhook-timestamp")).collect();
    assert_eq!(sent_at, tried_at);
    assert_eq!(requests.len(), 4);
    for request in &requests {
        assert_eq!((request.id(), &request.body), (requests[0].id(), &requests[0].body));
        assert!(request.id().starts_with("evt_"), "{}", request.id());
        assert!(request.is_signed_with(&subscription.secret));
        assert!(!request.is_signed_with("whsec_AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="));
        assert_eq!(request.header("content-type"), "application/json");
        assert!(request.header("user-agent").starts_with("svc/"));
        assert_eq!(request.header("host"), receiver.address.to_string());
    }
    assert_eq!(requests[0].json()["data"]["status"], json!("APPROVED"));
}

#[tokio::test]
async fn each_subscription_signs_with_its_own_secret_and_gets_the_same_event() {
    let node = Node::new().await;
    let one = Receiver::with(Reply::Status(200)).await;
    let other = Receiver::with(Reply::Status(200)).await;
    let its = node.subscribe(&one.url(), &[ReportCreated]).await;
    let others = node.subscribe(&other.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    let (one, other) = (&one.requests()[0], &other.requests()[0]);
    assert_eq!((one.id(), &one.body), (other.id(), &other.body));
    assert!(one.is_signed_with(&its.secret) && !one.is_signed_with(&others.secret));
    assert!(other.is_signed_with(&others.secret) && !other.is_signed_with(&its.secret));
}
