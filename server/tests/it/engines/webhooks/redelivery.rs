//! Redelivery of deliveries that have ended.

use domain::subscription::{
    DeliveryId,
    DeliveryStatus::{Delivered, Failed, Pending},
};
use store::Redelivered;

use crate::{
    harness::soon,
    node::{DAY, Node, ReportCreated, id},
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn what_was_delivered_is_sent_again_as_it_was() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a", "b"]).await;
    node.dispatch().await;
    node.clock.advance(DAY);
    let first = id(&node.log(&subscription).await[0]);
    assert_eq!(node.store().deliveries().redeliver(first).await.unwrap(), Redelivered::Due);
    assert_eq!(node.dispatch().await, 1);
    let requests = receiver.requests();
    let before = requests[..2].iter().find(|request| request.report() == "a").unwrap();
    assert_eq!((requests[2].id(), &requests[2].body), (before.id(), &before.body));
    // The timestamp is that of the new attempt, so replay protection accepts it.
    assert_eq!(requests[2].header("webhook-timestamp"), node.now().timestamp().to_string());
    assert!(requests[2].is_signed_with(&subscription.secret));
    let delivery = node.log(&subscription).await.remove(0);
    assert_eq!((delivery.status, delivery.attempts), (Delivered, 2));
}

#[tokio::test]
async fn what_has_failed_gets_all_its_attempts_again() {
    let node = Node::new().await;
    let receiver = Receiver::refusing("a").await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.fail_for_good(&subscription, "a").await;
    let delivery = node.log(&subscription).await.remove(0);
    assert_eq!((delivery.status, delivery.attempts), (Failed, 10));
    assert_eq!(node.store().deliveries().redeliver(id(&delivery)).await.unwrap(), Redelivered::Due);
    node.dispatch().await;
    let delivery = node.log(&subscription).await.remove(0);
    assert_eq!((delivery.status, delivery.attempts), (Pending, 11));
    assert_eq!(node.failures(&subscription).await[0], 1);
}

#[tokio::test]
async fn what_is_being_tried_is_not_tried_twice_at_the_same_time() {
    let node = Node::new().await;
    let receiver = Receiver::scripted(|_, number| match number {
        1 => Reply::Status(500),
        _ => Reply::Held(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    let due = node.next_try(&subscription).await.unwrap();
    node.advance_to(due);
    let second = node.dispatching();
    receiver.until(2).await;
    let delivery = id(&node.log(&subscription).await[0]);
    assert_eq!(node.store().deliveries().redeliver(delivery).await.unwrap(), Redelivered::Due);
    assert_eq!(node.dispatch().await, 0);
    receiver.let_go(1);
    assert_eq!(soon("the end", second).await.unwrap(), 1);
    assert_eq!((node.statuses(&subscription).await, receiver.count()), (vec![Delivered], 2));
}

#[tokio::test]
async fn nothing_is_sent_again_to_whom_nothing_is_sent() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(410)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    let delivery = id(&node.log(&subscription).await[0]);
    let again = async || node.store().deliveries().redeliver(delivery).await.unwrap();
    assert_eq!(again().await, Redelivered::Disabled);
    node.store().subscriptions().unsubscribe(node.partner_id, &subscription.id).await.unwrap();
    assert_eq!(again().await, Redelivered::Unknown);
    let unknown = DeliveryId { event: 99, ..delivery };
    assert_eq!(node.store().deliveries().redeliver(unknown).await.unwrap(), Redelivered::Unknown);
    node.clock.advance(DAY);
    assert_eq!((node.dispatch().await, receiver.count()), (0, 1));
}
