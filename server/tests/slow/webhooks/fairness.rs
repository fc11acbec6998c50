//! One endpoint never delays another.

use base::clock::Clock;
use domain::subscription::DeliveryStatus::Delivered;
use tokio_util::sync::CancellationToken;

use crate::{
    harness::soon,
    node::{MetricsUpdated, Node, PATIENT, ReportCreated},
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn an_endpoint_gets_everything_while_others_hang_and_fail() {
    const HANGING: usize = 100;
    const FAILING: usize = 300;
    const REPORTS: usize = 60;
    let node = Node::with(Clock::system(), PATIENT).await;
    let hanging = Receiver::with(Reply::Held(200)).await;
    let failing = Receiver::with(Reply::Status(500)).await;
    for _ in 0..HANGING {
        node.subscribe(&hanging.url(), &[ReportCreated]).await;
    }
    for _ in 0..FAILING {
        node.subscribe(&failing.url(), &[ReportCreated]).await;
    }
    // This subscription is created last, so that any order puts the others first.
    let well = Receiver::with(Reply::Status(200)).await;
    let its = node.subscribe(&well.url(), &[ReportCreated, MetricsUpdated]).await;
    node.approve_many(REPORTS).await;
    let stopping = CancellationToken::new();
    let running = tokio::spawn(node.dispatcher().run(stopping.clone()));
    well.until(2 * REPORTS).await;
    // Each hanging endpoint has received one request and no more.
    hanging.until(HANGING).await;
    assert_eq!(hanging.count(), HANGING);
    hanging.let_go(HANGING * REPORTS);
    stopping.cancel();
    soon("the stop", running).await.unwrap();
    assert_eq!(node.statuses(&its).await, [Delivered; 2 * REPORTS]);
}

/// Endpoints that had several concurrent requests before they began to hang leave room for the others too.
#[tokio::test]
async fn endpoints_that_begin_to_hang_leave_the_others_their_room() {
    const HANGING: usize = 16;
    const BEFORE: usize = 150;
    let node = Node::with(Clock::system(), PATIENT).await;
    let mut receivers = Vec::new();
    for _ in 0..HANGING {
        let receiver = Receiver::scripted(|_, number| match number {
            ..=BEFORE => Reply::Status(200),
            _ => Reply::Held(200),
        })
        .await;
        node.subscribe(&receiver.url(), &[ReportCreated]).await;
        receivers.push(receiver);
    }
    let well = Receiver::with(Reply::Status(200)).await;
    node.subscribe(&well.url(), &[ReportCreated]).await;
    let stopping = CancellationToken::new();
    let running = tokio::spawn(node.dispatcher().run(stopping.clone()));
    node.approve_many(500).await;
    well.until(500).await;
    for receiver in &receivers {
        receiver.let_go(500);
        receiver.until(500).await;
    }
    stopping.cancel();
    soon("the stop", running).await.unwrap();
}
