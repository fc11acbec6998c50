//! Replays requested by the operator or a partner.

use std::future::ready;

use chrono::TimeDelta;
use domain::subscription::DeliveryStatus::{self, Delivered, Failed, Pending};
use store::{LogPosition, LostPlace, Replay, Replayed};

use crate::{
    harness::soon,
    node::{DAY, MILLISECOND, Node, ReportCreated, Subscription},
    receiver::{Receiver, Reply, Request},
    webhooks::switchable_receiver::SwitchableReceiver,
};

async fn replay(node: &Node, of: &Subscription, replay: Replay) -> Replayed {
    node.store().deliveries().replay(Some(node.partner_id), &of.id, replay).await.unwrap()
}

fn reports(requests: &[Request]) -> Vec<String> {
    requests.iter().map(Request::report).collect()
}

/// Creates a subscription that has received `a`, and a day later `b` and `c`.
async fn told(receiver: &Receiver) -> (Node, Subscription) {
    let node = Node::new().await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    node.clock.advance(DAY);
    node.approve(&["b", "c"]).await;
    node.dispatch().await;
    (node, subscription)
}

#[tokio::test]
async fn everything_from_a_time_on_comes_again_as_it_was_and_then_what_is_new() {
    let receiver = Receiver::with(Reply::Status(200)).await;
    let (node, subscription) = told(&receiver).await;
    let day = Replay::Everything(LogPosition::From(node.now()));
    assert_eq!(replay(&node, &subscription, day).await, Replayed::Events(2));
    node.approve(&["d"]).await;
    assert_eq!(node.dispatch().await, 3);
    let requests = receiver.requests();
    assert_eq!(reports(&requests[3..]), ["b", "c", "d"]);
    for (again, before) in requests[3..5].iter().zip(&requests[1..3]) {
        assert_eq!((again.id(), &again.body), (before.id(), &before.body));
        assert!(again.is_signed_with(&subscription.secret));
    }
    let log = node.log(&subscription).await;
    let attempts: Vec<_> = log.iter().map(|one| (one.status, one.attempts)).collect();
    assert_eq!(attempts, [(Delivered, 1), (Delivered, 2), (Delivered, 2), (Delivered, 1)]);
    assert_eq!(node.rows("attempts").await, 6);
    // The replay has ended.
    assert_eq!(node.dispatch().await, 0);
}

#[tokio::test]
async fn a_time_before_the_log_and_a_cursor_at_its_beginning_mean_everything() {
    let receiver = Receiver::with(Reply::Status(200)).await;
    let (node, subscription) = told(&receiver).await;
    let long_ago = LogPosition::From(node.now() - TimeDelta::days(1_000));
    for (place, expected) in [(long_ago, 3), (LogPosition::After(0), 3), (LogPosition::After(6), 0)]
    {
        let replayed = replay(&node, &subscription, Replay::Everything(place)).await;
        assert_eq!(replayed, Replayed::Events(expected), "{place:?}");
        assert_eq!(node.dispatch().await as u64, expected, "{place:?}");
    }
}

#[tokio::test]
async fn a_place_that_is_not_in_the_log_is_refused() {
    let receiver = Receiver::with(Reply::Status(200)).await;
    let (node, subscription) = told(&receiver).await;
    node.clock.advance(DAY * 29 + DAY / 2);
    node.store().event_log().prune(node.now() - TimeDelta::days(30), || ready(())).await.unwrap();
    for (after, expected) in [
        (1, Replayed::Lost(LostPlace::Pruned)),
        (7, Replayed::Lost(LostPlace::Ahead)),
        (2, Replayed::Events(2)),
    ] {
        let everything = Replay::Everything(LogPosition::After(after));
        assert_eq!(replay(&node, &subscription, everything).await, expected, "{after}");
    }
    let other = Subscription { id: "sub_x".to_owned(), ..subscription.clone() };
    let everything = Replay::Everything(LogPosition::After(2));
    assert_eq!(replay(&node, &other, everything).await, Replayed::Unknown);
    let rivals =
        node.store().deliveries().replay(Some(node.partner_id + 1), &subscription.id, everything);
    assert_eq!(rivals.await.unwrap(), Replayed::Unknown);
}

#[tokio::test]
async fn only_what_has_failed_is_sent_again_if_that_is_asked_for() {
    let node = Node::new().await;
    let receiver = SwitchableReceiver::new(200).await;
    let subscription = node.subscribe(&receiver.receiver.url(), &[ReportCreated]).await;
    node.approve(&["a", "b", "c", "d"]).await;
    node.dispatch().await;
    let fail =
        "UPDATE deliveries SET status = 'FAILED', failures = 10 WHERE event_seq IN (1, 5, 7)";
    node.database.tamper(fail).await;
    let later = Replay::Failed(Some(LogPosition::After(1)));
    assert_eq!(replay(&node, &subscription, later).await, Replayed::Events(2));
    let statuses: Vec<DeliveryStatus> = node.statuses(&subscription).await;
    assert_eq!(statuses, [Failed, Delivered, Pending, Pending]);
    assert_eq!(replay(&node, &subscription, Replay::Failed(None)).await, Replayed::Events(1));
    assert_eq!(node.failures(&subscription).await, [0; 4]);
    assert_eq!(node.dispatch().await, 3);
    assert_eq!(receiver.told_from(4), ["a", "c", "d"]);
    assert_eq!(replay(&node, &subscription, Replay::Failed(None)).await, Replayed::Events(0));
}

#[tokio::test]
async fn a_replay_waits_for_the_request_that_is_under_way_and_sends_its_event_again() {
    let node = Node::new().await;
    let receiver = Receiver::scripted(|_, number| match number {
        3 => Reply::Held(200),
        _ => Reply::Status(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a", "b", "c"]).await;
    let running = node.dispatching();
    receiver.until(3).await;
    let everything = Replay::Everything(LogPosition::After(0));
    assert_eq!(replay(&node, &subscription, everything).await, Replayed::Events(3));
    receiver.let_go(1);
    soon("the end", running).await.unwrap();
    let mut told = reports(&receiver.requests()[3..]);
    told.sort();
    assert_eq!(told, ["a", "b", "c"]);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 3]);
}

#[tokio::test]
async fn a_second_replay_begins_anew_and_a_disabled_subscription_waits_until_it_is_enabled() {
    let node = Node::new().await;
    let receiver = SwitchableReceiver::new(200).await;
    let subscription = node.subscribe(&receiver.receiver.url(), &[ReportCreated]).await;
    node.approve(&["a", "b"]).await;
    node.dispatch().await;
    node.clock.advance(MILLISECOND);
    let everything = Replay::Everything(LogPosition::After(0));
    for _ in 0..2 {
        assert_eq!(replay(&node, &subscription, everything).await, Replayed::Events(2));
    }
    node.store().subscriptions().disable(&subscription.id, "A test.").await.unwrap();
    assert_eq!(node.dispatch().await, 0);
    assert_eq!(node.enable(&subscription).await, 2);
    assert_eq!(receiver.told_from(2), ["a", "b"]);
}
