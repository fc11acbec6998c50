//! Deliveries of a disabled subscription after it is enabled again.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use domain::subscription::{
    DeliveryStatus::Delivered,
    SubscriptionStatus::{Active, Disabled},
};
use store::{Enabled, Redelivered};

use super::switchable_receiver::with_subscription;
use crate::{
    harness::soon,
    node::{MILLISECOND, Node, ReportCreated, id},
    receiver::{Receiver, Reply, Request},
};

#[tokio::test]
async fn what_had_failed_before_the_failures_began_is_not_sent_again() {
    let node = Node::new().await;
    let is_gone = Arc::new(AtomicBool::new(false));
    let gone = Arc::clone(&is_gone);
    let receiver = Receiver::scripted(move |request, _| match request.report().as_str() {
        _ if gone.load(Ordering::Relaxed) => Reply::Status(410),
        "long ago" => Reply::Status(500),
        _ => Reply::Status(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.fail_for_good(&subscription, "long ago").await;
    is_gone.store(true, Ordering::Relaxed);
    node.clock.advance(MILLISECOND);
    node.approve(&["gone"]).await;
    node.dispatch().await;
    let sent = receiver.count();
    is_gone.store(false, Ordering::Relaxed);
    assert_eq!(node.enable(&subscription).await, 1);
    let told: Vec<String> = receiver.requests()[sent..].iter().map(Request::report).collect();
    assert_eq!(told, ["gone"]);
}

/// The dispatcher that sent a request in flight keeps the lease of the subscription.
#[tokio::test]
async fn what_is_on_its_way_when_a_subscription_is_enabled_is_not_sent_twice_at_the_same_time() {
    let node = Node::new().await;
    let receiver = Receiver::scripted(|_, number| match number {
        1 => Reply::Status(200),
        2 => Reply::Held(410),
        _ => Reply::Held(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["first", "a", "b"]).await;
    let running = node.dispatching();
    receiver.until(3).await;
    receiver.let_go(1);
    soon("the answer 410", async {
        while node.health(&subscription).await.0 == Active {
            tokio::task::yield_now().await;
        }
    })
    .await;
    node.store().subscriptions().enable(&subscription.id).await.unwrap();
    assert_eq!(node.dispatch().await, 0);
    // The first event is sent again; the second is still in flight.
    receiver.let_go(2);
    assert_eq!(soon("the ends", running).await.unwrap(), 4);
    assert_eq!(receiver.count(), 4);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 3]);
}

#[tokio::test]
async fn enabling_what_is_active_or_not_there_changes_nothing() {
    let (node, receiver, subscription) = with_subscription(500).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    let enable = async |id: &str| node.store().subscriptions().enable(id).await.unwrap();
    assert_eq!(enable(&subscription.id).await, Enabled::Before);
    assert_eq!(enable("sub_x").await, Enabled::Unknown);
    assert_eq!((node.dispatch().await, receiver.receiver.count()), (0, 1));
    node.store().subscriptions().unsubscribe(node.partner_id, &subscription.id).await.unwrap();
    assert_eq!(enable(&subscription.id).await, Enabled::Unknown);
}

#[tokio::test]
async fn an_endpoint_that_is_not_well_when_it_is_enabled_is_disabled_again_and_loses_nothing() {
    let (node, receiver, subscription) = with_subscription(410).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    // The endpoint still fails: its first response disables the subscription again, and no event is lost.
    assert_eq!(node.enable(&subscription).await, 1);
    assert_eq!(node.health(&subscription).await.0, Disabled);
    let delivery = id(&node.log(&subscription).await[0]);
    let again = node.store().deliveries().redeliver(delivery).await.unwrap();
    assert_eq!(again, Redelivered::Disabled);
    receiver.answers(200);
    assert_eq!(node.enable(&subscription).await, 1);
    assert_eq!(node.statuses(&subscription).await, [Delivered]);
    assert_eq!(node.log(&subscription).await[0].attempts, 3);
}
