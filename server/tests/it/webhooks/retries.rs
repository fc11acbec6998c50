//! When a delivery that failed is tried again, and when no more.

use std::time::Duration;

use svc::{domain::subscription::DeliveryStatus, webhooks::schedule::WAITS};

use super::{
    node::{DAY, MILLISECOND, Node, ReportCreated},
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn ten_tries_follow_the_schedule_and_then_it_has_failed() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(500)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    assert_eq!(node.dispatch().await, 1);
    for (number, planned) in (1..).zip(WAITS) {
        let due = node.next_try(&subscription).await.unwrap();
        let wait = (due - node.now()).to_std().unwrap();
        assert!((planned * 4 / 5..=planned * 6 / 5).contains(&wait), "after {number}: {wait:?}");
        node.clock.advance(wait - MILLISECOND);
        assert_eq!((node.dispatch().await, receiver.count()), (0, number), "too early");
        node.clock.advance(MILLISECOND);
        assert_eq!((node.dispatch().await, receiver.count()), (1, number + 1));
    }
    let delivery = node.log(&subscription).await.remove(0);
    assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Failed, 10));
    assert_eq!(delivery.next_attempt_at, None);
    assert_eq!(node.rows("attempts").await, 10);
    node.clock.advance(DAY * 30);
    assert_eq!((node.dispatch().await, receiver.count()), (0, 10));
}

#[tokio::test]
async fn a_success_ends_the_tries() {
    let node = Node::new().await;
    let receiver =
        Receiver::scripted(|_, number| Reply::Status(if number < 3 { 503 } else { 204 })).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    node.run_until(&subscription, node.now() + DAY).await;
    node.clock.advance(DAY * 30);
    assert_eq!((node.dispatch().await, receiver.count()), (0, 3));
    let delivery = node.log(&subscription).await.remove(0);
    assert_eq!((delivery.status, delivery.attempts), (DeliveryStatus::Delivered, 3));
    assert_eq!(delivery.last_attempt.unwrap().status_code, Some(204));
}

/// The wait after an answer of this status and this `Retry-After`, at 12:00 on 2026-03-01.
async fn wait_after(status: u16, retry_after: &str) -> Duration {
    let node = Node::new().await;
    let text =
        format!("HTTP/1.1 {status} So\r\nRetry-After: {retry_after}\r\nContent-Length: 0\r\n\r\n");
    let receiver = Receiver::with(Reply::Text(text)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    assert_eq!(node.dispatch().await, 1);
    let due = node.next_try(&subscription).await.unwrap();
    let wait = (due - node.now()).to_std().unwrap();
    node.clock.advance(wait - MILLISECOND);
    assert_eq!((node.dispatch().await, receiver.count()), (0, 1), "too early");
    node.clock.advance(MILLISECOND);
    assert_eq!((node.dispatch().await, receiver.count()), (1, 2));
    wait
}

#[tokio::test]
async fn a_receiver_is_left_alone_for_as_long_as_it_asks() {
    let minutes = |count: u64| Duration::from_secs(60 * count);
    for (status, retry_after, expected) in [
        (429, "120", minutes(2)),
        (429, "Sun, 01 Mar 2026 12:02:00 GMT", minutes(2)),
        (503, "7200", minutes(120)),
        (503, "Sun, 01 Mar 2026 14:00:00 GMT", minutes(120)),
        (500, "60", minutes(1)),
        (307, "60", minutes(1)),
        (429, "86400", DAY),
        (429, "86401", DAY),
        (429, "Fri, 31 Dec 9999 23:59:59 GMT", DAY),
    ] {
        assert_eq!(wait_after(status, retry_after).await, expected, "{status} {retry_after}");
    }
}

#[tokio::test]
async fn a_receiver_that_asks_for_less_or_for_nonsense_waits_as_planned() {
    let planned = Duration::from_secs(4)..=Duration::from_secs(6);
    for retry_after in ["0", "1", "Sun, 01 Mar 2026 11:00:00 GMT", "-60", "soon", ""] {
        let wait = wait_after(429, retry_after).await;
        assert!(planned.contains(&wait), "{retry_after:?}: {wait:?}");
    }
}
