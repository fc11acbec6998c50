//! Receivers that request a pause with `Retry-After`.

use std::sync::Mutex;

use chrono::{DateTime, TimeDelta, Utc};
use domain::subscription::DeliveryStatus::{self, Delivered, Failed, Pending};

use crate::{
    harness::soon,
    node::{Node, ReportCreated, Subscription},
    receiver::{Receiver, Reply},
};

/// Response that requests a pause of `seconds`.
fn later(seconds: u64) -> Reply {
    Reply::Text(format!("HTTP/1.1 429 So\r\nRetry-After: {seconds}\r\nContent-Length: 0\r\n\r\n"))
}

/// Sends until nothing is due, at most `times` times after the first.
async fn run(node: &Node, of: &Subscription, times: usize) {
    node.dispatch().await;
    for _ in 0..times {
        let Some(next) = node.next_try(of).await else { return };
        node.advance_to(next);
        node.dispatch().await;
    }
}

#[tokio::test]
async fn a_pause_that_was_asked_for_lasts_although_what_was_under_way_is_accepted() {
    let node = Node::new().await;
    // Enough successes for several concurrent requests.
    let receiver = Receiver::scripted(|_, number| match number {
        ..=20 => Reply::Status(200),
        21 => later(3_600),
        _ => Reply::Held(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve_many(100).await;
    let running = node.dispatching();
    receiver.until(25).await;
    // Requests in flight when the receiver requests the pause.
    while node.paused_until().await.is_none() {
        tokio::task::yield_now().await;
    }
    let sent = receiver.count();
    receiver.let_go(100);
    soon("the pause", running).await.unwrap();
    assert_eq!((receiver.count(), sent < 60), (sent, true));
    let until = node.paused_until().await.unwrap();
    assert_eq!(until, node.now() + TimeDelta::hours(1));
    let statuses = node.statuses(&subscription).await;
    let delivered = statuses.iter().filter(|status| **status == Delivered).count();
    assert_eq!((statuses.len(), delivered), (sent, sent - 1));
    receiver.let_go(100);
    node.advance_to(until);
    node.dispatch().await;
    assert_eq!(node.statuses(&subscription).await, [Delivered; 100]);
}

#[tokio::test]
async fn an_event_for_which_a_pause_is_always_asked_fails_after_ten_attempts_of_its_own() {
    let node = Node::new().await;
    let receiver = Receiver::scripted(|request, _| match request.report().as_str() {
        "poison" => later(1),
        _ => Reply::Status(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["poison"]).await;
    let mut others = 0;
    while node.statuses(&subscription).await.first() != Some(&Failed) {
        assert!(others < 40, "{:?}", node.log(&subscription).await[0]);
        node.approve(&[&format!("r{others}")]).await;
        others += 1;
        run(&node, &subscription, 2).await;
    }
    let log = node.log(&subscription).await;
    assert!((10..=14).contains(&log[0].attempts), "{}", log[0].attempts);
    assert!(log[1..].iter().all(|delivery| delivery.status == Delivered), "{log:?}");
}

#[tokio::test]
async fn a_receiver_that_takes_one_event_a_minute_gets_all_of_them_and_none_fails() {
    let node = Node::new().await;
    let clock = node.clock.clone();
    let free_at: Mutex<DateTime<Utc>> = Mutex::new(DateTime::UNIX_EPOCH);
    let receiver = Receiver::scripted(move |_, _| {
        let mut free_at = free_at.lock().unwrap();
        if clock.now() < *free_at {
            return later(60);
        }
        *free_at = clock.now() + TimeDelta::seconds(60);
        Reply::Status(200)
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve_many(40).await;
    run(&node, &subscription, 100).await;
    assert_eq!(node.statuses(&subscription).await, [Delivered; 40]);
    assert_eq!(node.failures(&subscription).await, [0; 40]);
    // The order is kept, because refused events are sent first after a pause.
    let mut accepted: Vec<String> = Vec::new();
    for request in receiver.requests() {
        accepted.retain(|report| *report != request.report());
        accepted.push(request.report());
    }
    let expected: Vec<String> = (0..40).map(|number| format!("r{number}")).collect();
    assert_eq!(accepted, expected);
}

#[tokio::test]
async fn a_response_of_410_disables_at_once_whatever_else_comes_back_with_it() {
    for _ in 0..10 {
        let node = Node::new().await;
        let receiver = Receiver::scripted(|_, number| match number {
            ..=20 => Reply::Status(200),
            21 => Reply::Held(410),
            _ => Reply::Held(500),
        })
        .await;
        let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
        node.approve_many(100).await;
        let running = node.dispatching();
        receiver.until(24).await;
        let sent = receiver.count();
        receiver.let_go(100);
        soon("the end", running).await.unwrap();
        let reason = format!("The receiver answered 410 Gone at {}.", "2026-03-01T12:00:00.000Z");
        assert_eq!(node.health(&subscription).await.1, Some(reason));
        assert!(receiver.count() <= sent + 20, "{} after {sent}", receiver.count());
        let statuses: Vec<DeliveryStatus> = node.statuses(&subscription).await;
        assert!(statuses[20..].iter().all(|status| *status == Pending), "{statuses:?}");
    }
}

#[tokio::test]
async fn a_probe_that_fails_after_a_pause_that_was_asked_for_is_the_only_request() {
    let node = Node::new().await;
    let receiver = Receiver::scripted(|_, number| match number {
        1 => later(120),
        _ => Reply::Status(500),
    })
    .await;
    let _subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve_many(4).await;
    node.dispatch().await;
    for requests in 1..5 {
        assert_eq!(receiver.count(), requests);
        let until = node.paused_until().await.unwrap();
        assert!(until > node.now(), "{requests} requests");
        node.advance_to(until);
        node.dispatch().await;
    }
}
