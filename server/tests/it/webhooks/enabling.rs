//! What a disabled subscription gets when it is enabled again.

use svc::{
    domain::subscription::{
        DeliveryStatus::{Delivered, Failed},
        SubscriptionStatus::{Active, Disabled},
    },
    store::{Enabled, Redelivered},
};

use super::{
    moody::with_subscription,
    node::{DAY, Node, ReportCreated, after, id},
    receiver::{Receiver, Reply},
};
use crate::harness::soon;
#[tokio::test]
async fn what_had_failed_before_the_failures_began_is_not_sent_again() {
    let (node, moody, subscription) = with_subscription(500).await;
    node.approve(&["long ago"]).await;
    node.run_until(&subscription, after(4)).await;
    assert_eq!(node.statuses(&subscription).await, [Failed]);
    moody.answers(200);
    node.approve(&["well"]).await;
    node.dispatch().await;
    moody.answers(410);
    node.approve(&["gone"]).await;
    node.dispatch().await;
    let sent = moody.receiver.count();
    moody.answers(200);
    assert_eq!(node.enable(&subscription).await, 1);
    assert_eq!(moody.told_from(sent), ["gone"]);
}

/// Its first try was before the others' failures began, its last one within them.
#[tokio::test]
async fn what_failed_for_good_while_the_endpoint_failed_is_missed_whenever_its_tries_began() {
    let (node, moody, subscription) = with_subscription(500).await;
    node.approve(&["early"]).await;
    node.dispatch().await;
    moody.answers(200);
    node.approve(&["well"]).await;
    node.dispatch().await;
    moody.answers(500);
    node.run_until(&subscription, after(4)).await;
    assert_eq!(node.statuses(&subscription).await, [Failed, Delivered]);
    node.clock.advance(DAY * 2);
    node.approve(&["late"]).await;
    node.dispatch().await;
    assert_eq!(node.health(&subscription).await.0, Disabled);
    let sent = moody.receiver.count();
    moody.answers(200);
    assert_eq!(node.enable(&subscription).await, 2);
    assert_eq!(moody.told_from(sent), ["early", "late"]);
}

/// Enabling makes due what waits; what is on its way at that moment does not wait.
#[tokio::test]
async fn what_is_on_its_way_when_a_subscription_is_enabled_is_not_sent_twice_at_the_same_time() {
    let node = Node::new().await;
    let receiver =
        Receiver::scripted(|_, number| Reply::Held(if number == 1 { 410 } else { 200 })).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a", "b"]).await;
    let running = node.dispatching();
    receiver.until(2).await;
    receiver.let_go(1);
    soon("the answer 410", async {
        while node.health(&subscription).await.0 == Active {
            tokio::task::yield_now().await;
        }
    })
    .await;
    node.store().enable_subscription(&subscription.id).await.unwrap();
    let other = node.dispatching();
    // The first one is sent again, the second one is still being sent.
    receiver.until(3).await;
    receiver.let_go(2);
    let attempts = soon("the ends", async { running.await.unwrap() + other.await.unwrap() }).await;
    assert_eq!((attempts, receiver.count()), (3, 3));
    assert_eq!(node.statuses(&subscription).await, [Delivered; 2]);
}

#[tokio::test]
async fn enabling_what_is_active_or_not_there_changes_nothing() {
    let (node, moody, subscription) = with_subscription(500).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    let enable = async |id: &str| node.store().enable_subscription(id).await.unwrap();
    assert_eq!(enable(&subscription.id).await, Enabled::Before);
    assert_eq!(enable("sub_x").await, Enabled::Unknown);
    assert_eq!((node.dispatch().await, moody.receiver.count()), (0, 1));
    node.store().unsubscribe(node.partner_id, &subscription.id).await.unwrap();
    assert_eq!(enable(&subscription.id).await, Enabled::Unknown);
}

#[tokio::test]
async fn an_endpoint_that_is_not_well_when_it_is_enabled_is_disabled_again_and_loses_nothing() {
    let (node, moody, subscription) = with_subscription(410).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    // It is not well yet: disabled again by its first answer, and nothing is lost.
    assert_eq!(node.enable(&subscription).await, 1);
    assert_eq!(node.health(&subscription).await.0, Disabled);
    let delivery = id(&node.log(&subscription).await[0]);
    let again = node.store().redeliver(delivery).await.unwrap();
    assert_eq!(again, Redelivered::Disabled);
    moody.answers(200);
    assert_eq!(node.enable(&subscription).await, 1);
    assert_eq!(node.statuses(&subscription).await, [Delivered]);
    assert_eq!(node.log(&subscription).await[0].attempts, 3);
}
