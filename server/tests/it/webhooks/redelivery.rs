//! Sending again what is over.

use svc::{
    domain::subscription::{
        DeliveryId,
        DeliveryStatus::{Delivered, Failed},
    },
    store::Redelivered,
};

use super::{
    node::{DAY, LEASE, Node, ReportCreated, id},
    receiver::{Receiver, Reply},
};
use crate::harness::soon;

#[tokio::test]
async fn what_was_delivered_is_sent_again_as_it_was() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a", "b"]).await;
    node.dispatch().await;
    node.clock.advance(DAY);
    let first = id(&node.log(&subscription).await[0]);
    assert_eq!(node.store().redeliver(first).await.unwrap(), Redelivered::Due);
    assert_eq!(node.dispatch().await, 1);
    let requests = receiver.requests();
    let before = requests[..2].iter().find(|request| request.report() == "a").unwrap();
    assert_eq!((requests[2].id(), &requests[2].body), (before.id(), &before.body));
    // It is a try of now, which replay protection lets pass.
    assert_eq!(requests[2].header("webhook-timestamp"), node.now().timestamp().to_string());
    assert!(requests[2].is_signed_with(&subscription.secret));
    let delivery = node.log(&subscription).await.remove(0);
    assert_eq!((delivery.status, delivery.attempts), (Delivered, 2));
}

#[tokio::test]
async fn what_has_failed_gets_all_its_tries_again() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(500)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    node.run_until(&subscription, node.now() + DAY * 4).await;
    assert_eq!((node.statuses(&subscription).await, receiver.count()), (vec![Failed], 10));
    let delivery = id(&node.log(&subscription).await[0]);
    assert_eq!(node.store().redeliver(delivery).await.unwrap(), Redelivered::Due);
    // Twenty tries of nothing but failures do not make five days.
    node.run_until(&subscription, node.now() + DAY - LEASE).await;
    assert!(receiver.count() > 15, "{}", receiver.count());
    assert_eq!(node.rows("attempts").await, i64::try_from(receiver.count()).unwrap());
}

#[tokio::test]
async fn what_is_being_tried_is_not_tried_twice_at_the_same_time() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Held(200)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    let first = node.dispatching();
    receiver.until(1).await;
    let delivery = id(&node.log(&subscription).await[0]);
    assert_eq!(node.store().redeliver(delivery).await.unwrap(), Redelivered::Due);
    assert_eq!(node.dispatch().await, 0);
    receiver.let_go(1);
    assert_eq!(soon("the end", first).await.unwrap(), 1);
    assert_eq!((node.statuses(&subscription).await, receiver.count()), (vec![Delivered], 1));
}

#[tokio::test]
async fn nothing_is_sent_again_to_whom_nothing_is_sent() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(410)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    let delivery = id(&node.log(&subscription).await[0]);
    let again = async || node.store().redeliver(delivery).await.unwrap();
    assert_eq!(again().await, Redelivered::Disabled);
    node.store().unsubscribe(node.partner_id, &subscription.id).await.unwrap();
    assert_eq!(again().await, Redelivered::Unknown);
    let unknown = DeliveryId { event: 99, ..delivery };
    assert_eq!(node.store().redeliver(unknown).await.unwrap(), Redelivered::Unknown);
    node.clock.advance(DAY);
    assert_eq!((node.dispatch().await, receiver.count()), (0, 1));
}
