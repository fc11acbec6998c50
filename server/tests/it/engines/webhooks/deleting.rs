//! Deletion of subscriptions.

use std::future::ready;

use chrono::TimeDelta;
use domain::subscription::SubscriptionStatus::Active;

use crate::{
    harness::soon,
    node::{DAY, Node, ReportCreated},
    receiver::{Receiver, Reply},
    webhooks::switchable_receiver::with_subscription,
};

#[tokio::test]
async fn deleting_a_subscription_stops_its_deliveries() {
    let (node, receiver, subscription) = with_subscription(500).await;
    node.approve(&["retried", "b", "c"]).await;
    node.dispatch().await;
    node.clock.advance(DAY);
    node.approve(&["due"]).await;
    let sent = receiver.receiver.count();
    assert!(
        node.store().subscriptions().unsubscribe(node.partner_id, &subscription.id).await.unwrap()
    );
    assert_eq!((node.dispatch().await, receiver.receiver.count()), (0, sent));
    node.clock.advance(DAY * 30);
    assert_eq!((node.dispatch().await, receiver.receiver.count()), (0, sent));
}

/// An attempt in flight when its subscription is deleted ends, and leaves no rows behind.
#[tokio::test]
async fn deleting_a_subscription_while_it_is_sent_to_is_the_end_of_it() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Held(500)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve_many(10).await;
    let running = node.dispatching();
    receiver.until(1).await;
    assert!(
        node.store().subscriptions().unsubscribe(node.partner_id, &subscription.id).await.unwrap()
    );
    node.store().event_log().prune(node.now() - TimeDelta::days(30), || ready(())).await.unwrap();
    receiver.let_go(1);
    assert_eq!(soon("the end", running).await.unwrap(), 1);
    node.clock.advance(DAY);
    assert_eq!((node.dispatch().await, receiver.count()), (0, 1));
    for table in ["subscriptions", "deliveries", "attempts"] {
        assert_eq!(node.rows(table).await, 0, "{table}");
    }
}

/// The new subscription is independent of the deleted one.
#[tokio::test]
async fn what_still_ends_of_a_deleted_subscription_does_not_count_against_the_next_one() {
    let node = Node::new().await;
    let gone = Receiver::with(Reply::Held(410)).await;
    let deleted = node.subscribe(&gone.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    let running = node.dispatching();
    gone.until(1).await;
    assert!(node.store().subscriptions().unsubscribe(node.partner_id, &deleted.id).await.unwrap());
    node.store().event_log().prune(node.now() - TimeDelta::days(30), || ready(())).await.unwrap();
    let next = node.subscribe("http://127.0.0.1:9/", &[ReportCreated]).await;
    gone.let_go(1);
    assert_eq!(soon("the end", running).await.unwrap(), 1);
    assert_eq!(node.health(&next).await, (Active, None));
}
