//! Endpoints that fail every request are paused and probed.

use std::{
    io,
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use base::clock::Clock;
use domain::subscription::{
    DeliveryStatus::{Delivered, Failed, Pending},
    SubscriptionStatus::Active,
};
use scratch::log::Log;
use webhooks::{client::Client, resolver::Resolver, schedule::PROBES};

use super::switchable_receiver::{SwitchableReceiver, with_subscription};
use crate::{
    harness::{START, instant, soon},
    node::{DAY, LENIENT, MILLISECOND, Node, PATIENT, ReportCreated},
    receiver::{Receiver, Reply},
};

/// Checks that nothing is sent before a pause of `planned` ends, and then exactly one probe.
async fn probe(node: &Node, planned: Duration, since: chrono::DateTime<chrono::Utc>) {
    let until = node.paused_until().await.unwrap();
    let wait = (until - since).to_std().unwrap();
    assert!((planned * 4 / 5..=planned * 6 / 5).contains(&wait), "{planned:?}: {wait:?}");
    node.advance_to(until - chrono::TimeDelta::milliseconds(1));
    assert_eq!(node.dispatch().await, 0, "before {planned:?}");
    node.clock.advance(MILLISECOND);
    assert_eq!(node.dispatch().await, 1, "after {planned:?}");
}

#[tokio::test]
async fn after_five_failures_in_a_row_there_are_probes_ever_more_rarely_and_nothing_else() {
    let (node, receiver, subscription) = with_subscription(500).await;
    node.approve_many(100).await;
    assert_eq!(node.dispatch().await, 5);
    let mut since = node.now();
    for planned in PROBES.into_iter().chain([PROBES[5]; 3]) {
        probe(&node, planned, since).await;
        since = node.now();
    }
    // Each probe is recorded, and uses an event that has not failed before.
    assert_eq!(node.statuses(&subscription).await, [Pending; 14]);
    assert!(node.log(&subscription).await.iter().all(|delivery| delivery.attempts == 1));
    receiver.answers(200);
    let until = node.paused_until().await.unwrap();
    node.advance_to(until);
    assert_eq!(node.dispatch().await, 100);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 100]);
    let (told, expected) = (receiver.told_from(14), (0..100).map(|number| format!("r{number}")));
    let mut expected: Vec<String> = expected.collect();
    expected.sort();
    assert_eq!(told, expected);
}

#[tokio::test]
async fn the_log_names_partner_and_host_says_once_that_an_endpoint_fails_and_when_it_is_paused_and_well()
 {
    let (log, _listening) = Log::listen();
    let (node, receiver) = (Node::new().await, SwitchableReceiver::new(500).await);
    let url = receiver.receiver.url();
    let host = url.split('/').nth(2).unwrap();
    let subscription = node.subscribe(&format!("{url}/secret-path"), &[ReportCreated]).await;
    node.approve_many(100).await;
    assert_eq!(node.dispatch().await, 5);
    let named = |line: &String| {
        let of = format!("subscription=\"{}\" partner=\"Aid\" host=\"{host}\"", subscription.id);
        line.contains(&of) && !line.contains("secret-path")
    };
    let lines = log.taken("subscription=");
    let [failed, paused] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(lines.iter().all(named), "{lines:?}");
    assert!(failed.contains("a webhook was not delivered"), "{failed}");
    assert!(paused.contains("an endpoint is paused"), "{paused}");

    receiver.answers(200);
    node.advance_to(node.paused_until().await.unwrap());
    assert_ne!(node.dispatch().await, 0);
    let lines = log.taken("subscription=");
    let [again] = lines.as_slice() else { panic!("{lines:?}") };
    assert!(named(again) && again.contains("an endpoint accepts webhooks again"), "{again}");
}

#[tokio::test]
async fn a_pause_uses_up_none_of_an_events_attempts() {
    let (node, receiver, subscription) = with_subscription(500).await;
    node.approve(&["a"]).await;
    // Five attempts by the event's own schedule, and then probes for two days.
    node.run_until(&subscription, node.now() + DAY * 2).await;
    assert_eq!(node.statuses(&subscription).await, [Pending]);
    assert!(receiver.receiver.count() > 40, "{}", receiver.receiver.count());
    receiver.answers(200);
    node.run_until(&subscription, node.now() + DAY).await;
    assert_eq!(node.statuses(&subscription).await, [Delivered]);
    assert_eq!(node.paused_until().await, None);
}

#[tokio::test]
async fn requests_under_way_when_an_endpoint_is_paused_count_for_nothing() {
    let node = Node::new().await;
    // Enough successes for several concurrent requests, which then all fail.
    let receiver = Receiver::scripted(|_, number| match number {
        ..=20 => Reply::Status(200),
        _ => Reply::Held(500),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve_many(100).await;
    let running = node.dispatching();
    receiver.until(30).await;
    receiver.let_go(100);
    soon("the pause", running).await.unwrap();
    let statuses = node.statuses(&subscription).await;
    let pending = statuses.iter().filter(|status| **status == Pending).count();
    assert_eq!((statuses.len() - pending, pending), (20, 5));
    assert_eq!(node.rows("attempts").await, 25);
}

/// Pause after a response with this status and this `Retry-After`, at 12:00 on 2026-03-01.
async fn wait_after(status: u16, retry_after: &str) -> Option<Duration> {
    let node = Node::new().await;
    let text =
        format!("HTTP/1.1 {status} So\r\nRetry-After: {retry_after}\r\nContent-Length: 0\r\n\r\n");
    let receiver = Receiver::with(Reply::Text(text)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a", "b"]).await;
    node.dispatch().await;
    let wait = (node.paused_until().await? - node.now()).to_std().unwrap();
    assert_eq!(receiver.count(), 1);
    node.clock.advance(wait - MILLISECOND);
    assert_eq!((node.dispatch().await, receiver.count()), (0, 1), "too early");
    node.clock.advance(MILLISECOND);
    assert_eq!((node.dispatch().await, receiver.count()), (1, 2));
    // The probe sends the same event: the receiver may only accept one at a time.
    assert_eq!(node.failures(&subscription).await, [0]);
    Some(wait)
}

#[tokio::test]
async fn a_receiver_is_left_alone_for_as_long_as_it_asks() {
    let minutes = |count: u64| Some(Duration::from_secs(60 * count));
    for (status, retry_after, expected) in [
        (429, "120", minutes(2)),
        (429, "Sun, 01 Mar 2026 12:02:00 GMT", minutes(2)),
        (503, "7200", minutes(120)),
        (503, "Sun, 01 Mar 2026 14:00:00 GMT", minutes(120)),
        (500, "60", minutes(1)),
        (307, "60", minutes(1)),
        (429, "86400", Some(DAY)),
        (429, "86401", Some(DAY)),
        (429, "Fri, 31 Dec 9999 23:59:59 GMT", Some(DAY)),
    ] {
        assert_eq!(wait_after(status, retry_after).await, expected, "{status} {retry_after}");
    }
}

#[tokio::test]
async fn a_receiver_that_asks_for_less_is_left_alone_for_the_first_pause() {
    let planned = Duration::from_secs(4)..=Duration::from_secs(6);
    for retry_after in ["0", "1", "Sun, 01 Mar 2026 11:00:00 GMT"] {
        let wait = wait_after(429, retry_after).await.unwrap();
        assert!(planned.contains(&wait), "{retry_after:?}: {wait:?}");
    }
    for nonsense in ["-60", "soon", ""] {
        assert_eq!(wait_after(429, nonsense).await, None, "{nonsense}");
    }
}

#[tokio::test]
async fn an_event_that_is_always_refused_keeps_no_others_back() {
    let node = Node::new().await;
    let receiver = Receiver::refusing("poison").await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["poison"]).await;
    // No other event is sent, so everything seems to fail.
    while node.paused_until().await.is_none() {
        let next = node.next_try(&subscription).await.unwrap();
        node.advance_to(next);
        node.dispatch().await;
    }
    node.approve(&["a", "b"]).await;
    let until = node.paused_until().await.unwrap();
    node.advance_to(until);
    node.dispatch().await;
    assert_eq!(node.statuses(&subscription).await, [Pending, Delivered, Delivered]);
    node.fail_for_good(&subscription, "c").await;
    let log = node.log(&subscription).await;
    assert_eq!((log[0].status, log.len() > 3), (Failed, true));
}

/// No name server responds, which is not the endpoint's fault. The partner sees the failure all the same.
#[tokio::test]
async fn failures_on_our_side_are_recorded_and_count_against_nobody() {
    let is_down = Arc::new(AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    let resolver = Resolver::scripted(move |_| match down.load(Ordering::Relaxed) {
        true => Err(io::Error::other("no name server answers")),
        false => Ok(vec![Ipv4Addr::LOCALHOST.into()]),
    });
    let client = Client::with_timeouts(LENIENT, resolver, PATIENT).unwrap();
    let node = Node::sending(client, Clock::stepped(instant(START))).await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let url = receiver.url().replace("127.0.0.1", "receiver.test");
    let subscription = node.subscribe(&url, &[ReportCreated]).await;
    node.approve_many(3).await;
    for _ in 0..10 {
        assert_eq!(node.dispatch().await, 1);
        node.clock.advance(DAY);
    }
    // Only the last of these attempts is kept, because an outage may last for days.
    assert_eq!((node.rows("deliveries").await, node.rows("attempts").await), (1, 1));
    assert_eq!(
        (node.statuses(&subscription).await, node.failures(&subscription).await),
        (vec![Pending], vec![0])
    );
    let started: Vec<i64> = node.ask("SELECT started_at FROM attempts").await;
    assert_eq!(started, [(node.now() - DAY).timestamp_millis()]);
    let errors: Vec<String> = node.ask("SELECT error FROM attempts").await;
    assert_eq!(errors, ["the host's name cannot be looked up (no name server answers)"]);
    assert_eq!(
        (node.health(&subscription).await, node.paused_until().await),
        ((Active, None), None)
    );
    is_down.store(false, Ordering::Relaxed);
    assert_eq!(node.dispatch().await, 3);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 3]);
    // The attempt that counts has replaced the others.
    let codes: Vec<i64> = node.ask("SELECT status_code FROM attempts").await;
    assert_eq!(codes, [200; 3]);
}

/// The name servers of one partner fail while other names resolve.
#[tokio::test]
async fn a_name_that_cannot_be_looked_up_while_others_can_is_a_failure_of_its_endpoint() {
    let resolver = Resolver::scripted(|host| match host {
        "well.test" => Ok(vec![Ipv4Addr::LOCALHOST.into()]),
        "broken.test" => Err(io::Error::other("the name server returned Server Failure")),
        _ => Err(io::ErrorKind::NotFound.into()),
    });
    let client = Client::with_timeouts(LENIENT, resolver, PATIENT).unwrap();
    let node = Node::sending(client, Clock::stepped(instant(START))).await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let url = |host: &str| receiver.url().replace("127.0.0.1", host);
    let broken = node.subscribe(&url("broken.test"), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    // No other name has resolved yet, so the fault may be on this side.
    node.dispatch().await;
    assert_eq!(node.health(&broken).await, (Active, None));
    let well = node.subscribe(&url("well.test"), &[ReportCreated]).await;
    node.approve(&["b"]).await;
    node.dispatch().await;
    node.clock.advance(Duration::from_secs(60));
    node.dispatch().await;
    assert_eq!(node.statuses(&well).await, [Delivered]);
    let listed = async || node.store().subscriptions().find(&broken.id).await.unwrap().unwrap();
    assert!(listed().await.failing_since.is_some());
    assert!(node.failures(&broken).await.contains(&1));
    // The endpoint is now treated like any other that fails every request.
    node.run_until(&broken, node.now() + DAY).await;
    assert!(listed().await.paused_until.is_some());
}
