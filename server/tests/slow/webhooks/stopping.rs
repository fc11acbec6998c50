//! Graceful stop: nothing new starts, and requests in flight end or are released.

use base::clock::Clock;
use domain::subscription::DeliveryStatus::Delivered;
use tokio_util::sync::CancellationToken;

use crate::{
    harness::soon,
    node::{Node, PATIENT, ReportCreated},
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn what_is_on_its_way_ends_and_nothing_new_begins() {
    let node = Node::with(Clock::system(), PATIENT).await;
    let receiver = Receiver::with(Reply::Held(200)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a", "b", "c", "d"]).await;
    let stopping = CancellationToken::new();
    let running = tokio::spawn(node.dispatcher().run(stopping.clone()));
    receiver.until(1).await;
    stopping.cancel();
    node.approve(&["e"]).await;
    receiver.let_go(5);
    soon("the stop", running).await.unwrap();
    assert_eq!(receiver.count(), 1);
    assert_eq!(node.statuses(&subscription).await, [Delivered]);
    // The next dispatcher sends the rest at once.
    assert_eq!(node.dispatch().await, 4);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 5]);
    assert_eq!(receiver.count(), 5);
}

/// This test takes as long as the grace period of a receiver, which is shorter than a lease.
#[tokio::test]
async fn what_does_not_end_in_time_is_given_back_at_once() {
    let node = Node::with(Clock::system(), PATIENT).await;
    let receiver = Receiver::scripted(|_, number| match number {
        1 => Reply::Status(200),
        2 => Reply::Stuck("HTTP/1.1 200 "),
        3 => Reply::Held(200),
        _ => Reply::Status(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a", "b", "c", "d"]).await;
    let stopping = CancellationToken::new();
    let running = tokio::spawn(node.dispatcher().run(stopping.clone()));
    receiver.until(3).await;
    stopping.cancel();
    receiver.let_go(1);
    soon("the stop", running).await.unwrap();
    // Only one of the two requests in flight has ended.
    assert_eq!(node.statuses(&subscription).await, [Delivered; 2]);
    assert_eq!(node.rows("subscriptions WHERE lease_owner IS NOT NULL").await, 0);
    assert_eq!((node.dispatch().await, receiver.count()), (2, 5));
    assert_eq!(node.statuses(&subscription).await, [Delivered; 4]);
}

#[tokio::test]
async fn a_dispatcher_that_has_nothing_to_do_stops_at_once() {
    let node = Node::new().await;
    let stopping = CancellationToken::new();
    let running = tokio::spawn(node.dispatcher().run(stopping.clone()));
    stopping.cancel();
    soon("the stop", running).await.unwrap();
}
