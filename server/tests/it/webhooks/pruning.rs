//! Forgetting what is over.

use chrono::TimeDelta;
use svc::domain::subscription::DeliveryStatus::{Delivered, Failed, Pending};

use super::{
    node::{DAY, MetricsUpdated, Node, ReportCreated},
    receiver::{Receiver, Reply},
};

/// Forgets what is older than 30 days, as the service does now and then.
async fn prune(node: &Node) {
    while node.store().prune(node.now() - TimeDelta::days(30)).await.unwrap() {}
}

/// The rows of events, deliveries and attempts.
async fn rows(node: &Node) -> [i64; 3] {
    [node.rows("events").await, node.rows("deliveries").await, node.rows("attempts").await]
}

#[tokio::test]
async fn what_is_over_is_forgotten_when_it_is_old_and_not_before() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated, MetricsUpdated]).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    node.clock.advance(DAY);
    node.approve(&["b"]).await;
    node.dispatch().await;
    node.clock.advance(DAY * 29);
    prune(&node).await;
    assert_eq!(rows(&node).await, [4, 4, 4]);
    node.clock.advance(std::time::Duration::from_millis(1));
    prune(&node).await;
    assert_eq!(rows(&node).await, [2, 2, 2]);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 2]);
    node.clock.advance(DAY);
    prune(&node).await;
    assert_eq!(rows(&node).await, [0, 0, 0]);
    // Reports and counters are not what is forgotten, and the next event is told as ever.
    assert_eq!(node.store().check().await.unwrap().differences, []);
    node.approve(&["c"]).await;
    assert_eq!(node.dispatch().await, 2);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 2]);
}

#[tokio::test]
async fn what_waits_is_kept_however_old_and_what_has_failed_is_not() {
    let node = Node::new().await;
    let failing = Receiver::with(Reply::Status(500)).await;
    let subscription = node.subscribe(&failing.url(), &[ReportCreated]).await;
    node.approve(&["failed"]).await;
    node.run_until(&subscription, node.now() + DAY * 4).await;
    let well = Receiver::with(Reply::Status(200)).await;
    let other = node.subscribe(&well.url(), &[ReportCreated]).await;
    node.approve(&["waits"]).await;
    node.dispatch().await;
    assert_eq!(node.statuses(&subscription).await, [Failed, Pending]);
    assert_eq!(node.statuses(&other).await, [Delivered]);
    node.clock.advance(DAY * 100);
    prune(&node).await;
    // Of the one event both deliveries are kept or none: it is one subscription's that is over.
    assert_eq!(node.statuses(&subscription).await, [Pending]);
    assert_eq!(node.statuses(&other).await, []);
    assert_eq!(rows(&node).await, [1, 1, 1]);
    assert_eq!(node.store().check().await.unwrap().differences, []);
    let sent = failing.count();
    assert_eq!((node.dispatch().await, failing.count()), (1, sent + 1));
    assert_eq!(failing.requests()[sent].report(), "waits");
}

#[tokio::test]
async fn what_waits_for_a_disabled_subscription_is_forgotten_when_it_is_old() {
    let node = Node::new().await;
    let gone = Receiver::with(Reply::Status(410)).await;
    let subscription = node.subscribe(&gone.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    node.clock.advance(DAY * 20);
    node.approve(&["b"]).await;
    node.clock.advance(DAY * 11);
    prune(&node).await;
    assert_eq!(node.statuses(&subscription).await, [Pending]);
    assert_eq!(rows(&node).await, [2, 1, 0]);
}

#[tokio::test]
async fn nothing_of_a_deleted_subscription_is_left() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let deleted = node.subscribe(&receiver.url(), &[ReportCreated, MetricsUpdated]).await;
    let kept = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    // More than one batch of it.
    node.approve_many(700).await;
    node.dispatch().await;
    node.approve(&["waits"]).await;
    node.store().unsubscribe(node.partner_id, &deleted.id).await.unwrap();
    prune(&node).await;
    assert_eq!(node.rows("subscriptions").await, 1);
    assert_eq!(rows(&node).await, [1_402, 701, 700]);
    assert_eq!(node.dispatch().await, 1);
    assert_eq!(node.statuses(&kept).await, vec![Delivered; 701]);
    assert_eq!(node.store().check().await.unwrap().differences, []);
}

/// The oldest thousand events wait, and behind them is what is over.
#[tokio::test]
async fn what_waits_does_not_keep_what_is_over_from_being_forgotten() {
    let node = Node::new().await;
    let waiting = node.subscribe("http://127.0.0.1:9/", &[ReportCreated]).await;
    node.approve_many(1_100).await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let over = node.subscribe(&receiver.url(), &[MetricsUpdated]).await;
    // Nobody sends to the first one all that time.
    node.claim(&waiting, 1, TimeDelta::days(365)).await;
    node.approve(&["a"]).await;
    node.claim(&waiting, 1, TimeDelta::days(365)).await;
    node.dispatch().await;
    assert_eq!(node.statuses(&over).await, [Delivered]);
    node.clock.advance(DAY * 31);
    prune(&node).await;
    assert_eq!(node.statuses(&over).await, []);
    assert_eq!(rows(&node).await, [1_101, 1_101, 0]);
}
