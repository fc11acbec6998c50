//! Forgetting what is over.

use chrono::TimeDelta;
use svc::domain::subscription::DeliveryStatus::{Delivered, Pending};

use super::{
    moody::Moody,
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
async fn what_waits_is_kept_however_old_and_what_is_over_is_not() {
    let node = Node::new().await;
    let failing = Receiver::with(Reply::Status(500)).await;
    let subscription = node.subscribe(&failing.url(), &[ReportCreated]).await;
    let well = Receiver::with(Reply::Status(200)).await;
    let other = node.subscribe(&well.url(), &[ReportCreated]).await;
    node.approve(&["before"]).await;
    node.clock.advance(DAY * 2);
    node.approve_many(20).await;
    node.dispatch().await;
    // The first five were tried, the others wait behind them.
    assert_eq!(node.statuses(&subscription).await, [Pending; 5]);
    assert_eq!(node.statuses(&other).await, [Delivered; 21]);
    node.clock.advance(DAY * 100);
    prune(&node).await;
    assert_eq!(node.statuses(&subscription).await, [Pending; 5]);
    assert_eq!(node.statuses(&other).await, []);
    assert_eq!(rows(&node).await, [42, 5, 5]);
    assert_eq!(node.store().check().await.unwrap().differences, []);
    // A deleted one keeps nothing.
    node.store().unsubscribe(node.partner_id, &subscription.id).await.unwrap();
    prune(&node).await;
    assert_eq!(rows(&node).await, [0, 0, 0]);
}

#[tokio::test]
async fn what_waits_for_a_disabled_subscription_is_forgotten_when_it_is_old() {
    let node = Node::new().await;
    let moody = Moody::new(410).await;
    let subscription = node.subscribe(&moody.receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    node.clock.advance(DAY * 20);
    node.approve(&["b"]).await;
    node.clock.advance(DAY * 11);
    prune(&node).await;
    assert_eq!(rows(&node).await, [2, 0, 0]);
    moody.answers(200);
    // It goes on as far as the log reaches.
    assert_eq!(node.enable(&subscription).await, 1);
    assert_eq!(moody.told_from(1), ["b"]);
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
    assert_eq!(rows(&node).await, [1_402, 700, 700]);
    assert_eq!(node.dispatch().await, 1);
    assert_eq!(node.statuses(&kept).await, vec![Delivered; 701]);
    assert_eq!(node.store().check().await.unwrap().differences, []);
}
