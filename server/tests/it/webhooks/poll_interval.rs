//! Poll interval of the dispatcher.

use std::{sync::atomic::Ordering, time::Duration};

use base::clock::Clock;
use domain::subscription::DeliveryStatus::Delivered;
use tokio_util::sync::CancellationToken;
use webhooks::dispatcher::{POLL_INTERVAL, REST};

use crate::{
    harness::soon,
    node::{MILLISECOND, Node, ReportCreated},
    receiver::{Receiver, Reply},
};

/// Moves the clock, and waits until the dispatcher, the only task waiting on the clock, waits again.
async fn step(clock: &Clock, duration: Duration) {
    clock.advance(duration);
    let asleep = async {
        loop {
            // Woken tasks run first.
            tokio::task::yield_now().await;
            if clock.waiting() == 1 {
                break;
            }
        }
    };
    soon("the dispatcher's rest", asleep).await;
}

#[tokio::test]
async fn it_looks_rarely_while_nobody_subscribes_and_often_while_somebody_does() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let dispatcher = node.dispatcher();
    let tally = dispatcher.tally();
    let polls = || tally.polls.load(Ordering::Relaxed);
    let stopping = CancellationToken::new();
    let running = tokio::spawn(dispatcher.run(stopping.clone()));

    step(&node.clock, Duration::ZERO).await;
    step(&node.clock, POLL_INTERVAL).await;
    assert_eq!(polls(), 1);
    node.approve(&["unheard"]).await;
    step(&node.clock, REST - MILLISECOND).await;
    assert_eq!(polls(), 1);
    step(&node.clock, MILLISECOND).await;
    assert_eq!(polls(), 2);

    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["first"]).await;
    step(&node.clock, REST).await;
    let delivered = async { while node.statuses(&subscription).await != [Delivered] {} };
    soon("the first delivery", delivered).await;
    step(&node.clock, Duration::ZERO).await;
    let before = polls();
    for further in 1..=4 {
        step(&node.clock, POLL_INTERVAL).await;
        assert_eq!(polls(), before + further);
    }

    node.store().subscriptions().unsubscribe(node.partner_id, &subscription.id).await.unwrap();
    step(&node.clock, POLL_INTERVAL).await;
    let before = polls();
    step(&node.clock, REST - MILLISECOND).await;
    assert_eq!(polls(), before);
    step(&node.clock, MILLISECOND).await;
    assert_eq!(polls(), before + 1);

    stopping.cancel();
    soon("the stop", running).await.unwrap();
}
