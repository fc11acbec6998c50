//! Several dispatchers on one database, some of which are killed.

use std::collections::BTreeMap;

use base::clock::Clock;
use chrono::TimeDelta;
use domain::subscription::{DeliveryId, DeliveryStatus::Delivered};
use store::{Ended, NextStep, Round};
use tokio_util::sync::CancellationToken;

use crate::{
    harness::soon,
    leasing::{OWNER, lease, unsent},
    node::{LEASE, MILLISECOND, MetricsUpdated, Node, PATIENT, ReportCreated},
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn what_a_dead_dispatcher_had_is_taken_over_when_its_lease_ends_and_not_before() {
    let node = Node::new().await;
    // The first request gets no response.
    let receiver = Receiver::scripted(|_, number| match number {
        1 => Reply::Stuck(""),
        _ => Reply::Status(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a", "b", "c"]).await;
    let dying = node.dispatching();
    receiver.until(1).await;
    dying.abort();
    assert!(dying.await.unwrap_err().is_cancelled());
    node.clock.advance(LEASE - MILLISECOND);
    assert_eq!((node.dispatch().await, receiver.count()), (0, 1));
    node.clock.advance(MILLISECOND);
    assert_eq!((node.dispatch().await, receiver.count()), (3, 4));
    assert_eq!(node.statuses(&subscription).await, [Delivered; 3]);
    // Repeated requests have the same id and body.
    let mut bodies: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for request in receiver.requests() {
        bodies.entry(request.id().to_owned()).or_default().push(request.body);
    }
    let mut times: Vec<usize> = bodies.values().map(Vec::len).collect();
    times.sort_unstable();
    assert_eq!(times, [1, 1, 2]);
    assert!(bodies.values().all(|sent| sent.iter().all(|body| *body == sent[0])));
}

#[tokio::test]
async fn a_late_result_of_a_lost_lease_changes_nothing() {
    let node = Node::new().await;
    let receiver = Receiver::scripted(|_, number| match number {
        1 => Reply::Held(410),
        _ => Reply::Held(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    let slow = node.dispatching();
    receiver.until(1).await;
    node.clock.advance(LEASE);
    let second = node.dispatching();
    receiver.until(2).await;
    receiver.let_go(1);
    assert_eq!(soon("the late result", slow).await.unwrap(), 1);
    assert_eq!((node.rows("attempts").await, node.rows("deliveries").await), (0, 0));
    // The second dispatcher still has the lease, so no other starts.
    assert_eq!((node.dispatch().await, receiver.count()), (0, 2));
    receiver.let_go(1);
    assert_eq!(soon("the end", second).await.unwrap(), 1);
    assert_eq!(node.statuses(&subscription).await, [Delivered]);
    assert_eq!(node.rows("attempts").await, 1);
}

/// A lease is written once the database is free, which may be long after the dispatcher looked for work.
#[tokio::test]
async fn what_is_sent_after_a_long_wait_for_the_database_has_its_whole_lease_before_it() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Held(200)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    let held = node.database.hold().await;
    let mut dispatcher = node.dispatcher_elsewhere().await;
    let mut waiting = Box::pin(dispatcher.dispatch_due());
    assert!(futures_util::poll!(waiting.as_mut()).is_pending());
    node.clock.advance(LEASE - MILLISECOND);
    held.commit().await;
    tokio::select! {
        attempts = waiting.as_mut() => panic!("{attempts:?} attempts were over"),
        () = receiver.until(1) => {}
    }
    let sql = format!("SELECT lease_until FROM subscriptions WHERE seq = {}", subscription.seq);
    let until: Vec<i64> = node.ask(&sql).await;
    assert_eq!(until, [(node.now() + LEASE).timestamp_millis()]);
    receiver.let_go(1);
    assert_eq!((waiting.await.unwrap(), receiver.count()), (1, 1));
}

#[tokio::test]
async fn only_who_has_the_lease_can_write_results_whatever_they_say() {
    let node = Node::new().await;
    let subscription = node.subscribe("http://127.0.0.1:9/", &[ReportCreated]).await;
    let retry = NextStep::Retry { at: node.now() + TimeDelta::days(1), failures: 1 };
    for (number, then) in
        [retry, NextStep::Failed { failures: 10 }, NextStep::Delivered].into_iter().enumerate()
    {
        node.approve(&[&format!("r{number}")]).await;
        let first = lease(node.store(), subscription.seq).await;
        let event = unsent(node.store(), &first).await[0].seq;
        node.clock.advance(LEASE);
        let other = OWNER + 1;
        let ended = |outcome: u16, next| Ended {
            id: DeliveryId { subscription: subscription.seq, event },
            number: 1,
            started_at: node.now(),
            duration: 1,
            outcome: Ok(outcome),
            response: None,
            next,
        };
        let take = Round {
            owner: other,
            lease: TimeDelta::seconds(25),
            take: vec![subscription.seq],
            ..Round::default()
        };
        assert_eq!(node.store().deliveries().dispatch_round(&take).await.unwrap().taken.len(), 1);
        let late = Round { owner: OWNER, ended: vec![ended(500, then)], ..Round::default() };
        node.store().deliveries().dispatch_round(&late).await.unwrap();
        assert_eq!(node.statuses(&subscription).await.len(), number, "{then:?}");
        let ended = vec![ended(200, NextStep::Delivered)];
        let release = vec![subscription.seq];
        let valid = Round { owner: other, ended, release, ..Round::default() };
        node.store().deliveries().dispatch_round(&valid).await.unwrap();
        node.store().deliveries().dispatch_round(&late).await.unwrap();
        let delivery = node.log(&subscription).await.remove(number);
        assert_eq!((delivery.status, delivery.next_attempt_at), (Delivered, None), "{then:?}");
        assert_eq!(delivery.last_attempt.unwrap().status_code, Some(200));
        // The cursor was not moved, but events with a delivery are skipped all the same.
        assert_eq!(node.dispatch().await, 0);
    }
}

#[tokio::test]
async fn a_lease_from_before_the_clock_was_set_back_holds_nobody_up() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    let an_hour_later = "UPDATE subscriptions SET lease_owner = 99, lease_until = 1772370000000";
    node.database.tamper(an_hour_later).await;
    assert_eq!((node.dispatch().await, receiver.count()), (1, 1));
}

#[tokio::test]
async fn dispatchers_that_share_a_database_never_send_the_same_at_the_same_time() {
    const REPORTS: usize = 400;
    let node = Node::with(Clock::system(), PATIENT).await;
    let mut receivers = Vec::new();
    for _ in 0..3 {
        let receiver = Receiver::with(Reply::Slow(200)).await;
        node.subscribe(&receiver.url(), &[ReportCreated, MetricsUpdated]).await;
        receivers.push(receiver);
    }
    let stopping = CancellationToken::new();
    let mut running = Vec::new();
    for _ in 0..3 {
        let dispatcher = node.dispatcher_elsewhere().await;
        running.push(tokio::spawn(dispatcher.run(stopping.clone())));
    }
    node.approve_many(REPORTS).await;
    for receiver in &receivers {
        receiver.until(2 * REPORTS).await;
    }
    stopping.cancel();
    for running in running {
        soon("the stop", running).await.unwrap();
    }
    // No dispatcher died and no attempt failed, so there is no reason to send anything twice.
    for receiver in receivers {
        let mut ids: Vec<String> =
            receiver.requests().iter().map(|request| request.id().to_owned()).collect();
        ids.sort();
        let sent = ids.len();
        ids.dedup();
        assert_eq!((sent, ids.len()), (2 * REPORTS, 2 * REPORTS));
    }
}
