//! One endpoint never holds up another.

use svc::{clock::Clock, domain::subscription::DeliveryStatus::Delivered};
use tokio_util::sync::CancellationToken;

use super::{
    node::{MetricsUpdated, Node, PATIENT, ReportCreated},
    receiver::{Receiver, Reply},
};
use crate::harness::soon;

#[tokio::test]
async fn an_endpoint_gets_everything_while_a_hundred_others_hang() {
    const HANGING: usize = 100;
    const REPORTS: usize = 60;
    let node = Node::with(Clock::system(), PATIENT).await;
    let hanging = Receiver::with(Reply::Held(200)).await;
    let mut stuck = Vec::new();
    for _ in 0..HANGING {
        stuck.push(node.subscribe(&hanging.url(), &[ReportCreated]).await);
    }
    // After them, so that those are first wherever there is an order.
    let well = Receiver::with(Reply::Status(200)).await;
    let its = node.subscribe(&well.url(), &[ReportCreated, MetricsUpdated]).await;
    node.approve_many(REPORTS).await;
    let stopping = CancellationToken::new();
    let running = tokio::spawn(node.dispatcher().run(stopping.clone()));
    well.until(2 * REPORTS).await;
    // All others hang, with the two requests that each gets at first and not one more.
    hanging.until(2 * HANGING).await;
    assert_eq!(hanging.count(), 2 * HANGING);
    hanging.let_go(2 * HANGING);
    stopping.cancel();
    soon("the stop", running).await.unwrap();
    assert_eq!(node.statuses(&its).await, [Delivered; 2 * REPORTS]);
}

#[tokio::test]
async fn an_endpoint_that_fails_gets_one_request_at_a_time_until_it_is_well() {
    let node = Node::new().await;
    // Fails twice, hangs once, and is well from then on.
    let receiver = Receiver::scripted(|_, number| match number {
        1 | 2 => Reply::Status(500),
        3 => Reply::Held(200),
        _ => Reply::Status(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve_many(40).await;
    let running = node.dispatching();
    receiver.until(3).await;
    let in_flight = async || {
        let log = node.log(&subscription).await;
        log.iter().filter(|delivery| delivery.attempts > 0).count() - 2
    };
    // The ends of both failures are written down by the round that claimed the third.
    assert_eq!(in_flight().await, 1);
    receiver.let_go(1);
    assert_eq!(soon("the end", running).await.unwrap(), 40);
    let delivered = node.statuses(&subscription).await;
    assert_eq!(delivered.into_iter().filter(|status| *status == Delivered).count(), 38);
}
