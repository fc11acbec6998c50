//! Several dispatchers on one database, some of which die.

use std::{collections::BTreeMap, time::Duration};

use chrono::TimeDelta;
use sqlx::Connection;
use svc::{
    clock::Clock,
    domain::subscription::DeliveryStatus::{Delivered, Pending},
    store::{Claim, Claimed, Ended, NextStep},
};
use tokio_util::sync::CancellationToken;

use super::{
    node::{DAY, LEASE, MILLISECOND, MetricsUpdated, Node, PATIENT, ReportCreated},
    receiver::{Receiver, Reply},
};
use crate::harness::soon;

#[tokio::test]
async fn what_a_dead_dispatcher_had_is_taken_over_when_its_leases_end_and_not_before() {
    let node = Node::new().await;
    // The first two are never answered.
    let receiver = Receiver::scripted(|_, number| match number {
        1 | 2 => Reply::Stuck(""),
        _ => Reply::Status(200),
    })
    .await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a", "b", "c"]).await;
    let dying = node.dispatching();
    receiver.until(2).await;
    dying.abort();
    assert!(dying.await.unwrap_err().is_cancelled());
    // What it had not claimed is anybody's.
    assert_eq!((node.dispatch().await, receiver.count()), (1, 3));
    node.clock.advance(LEASE - MILLISECOND);
    assert_eq!((node.dispatch().await, receiver.count()), (0, 3));
    node.clock.advance(MILLISECOND);
    assert_eq!((node.dispatch().await, receiver.count()), (2, 5));
    assert_eq!(node.statuses(&subscription).await, [Delivered; 3]);
    // Each with the id and the bytes of before.
    let mut bodies: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for request in receiver.requests() {
        bodies.entry(request.id().to_owned()).or_default().push(request.body);
    }
    let mut times: Vec<usize> = bodies.values().map(Vec::len).collect();
    times.sort_unstable();
    assert_eq!(times, [1, 2, 2]);
    assert!(bodies.values().all(|sent| sent.iter().all(|body| *body == sent[0])));
    // The numbers tell of the tries whose end nobody knows.
    let attempts: i64 = node.log(&subscription).await.iter().map(|entry| entry.attempts).sum();
    assert_eq!((attempts, node.rows("attempts").await), (5, 3));
}

#[tokio::test]
async fn a_try_that_ends_after_its_lease_changes_nothing_for_who_has_taken_over() {
    let node = Node::new().await;
    let receiver = Receiver::scripted(|_, number| match number {
        1 => Reply::Held(500),
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
    assert_eq!(soon("the late end", slow).await.unwrap(), 1);
    // The second still has it: nobody else may begin, now or when the first would try again.
    let lease_ends = node.now() + LEASE;
    assert_eq!(node.next_try(&subscription).await, Some(lease_ends));
    node.clock.advance(Duration::from_secs(10));
    assert_eq!((node.dispatch().await, receiver.count()), (0, 2));
    receiver.let_go(1);
    assert_eq!(soon("the end", second).await.unwrap(), 1);
    assert_eq!(node.statuses(&subscription).await, [Delivered]);
    // Both tries are in the log all the same.
    assert_eq!(node.rows("attempts").await, 2);
}

/// A claim is written down when the database has a turn for it, which may be long after the
/// dispatcher looked for what is due.
#[tokio::test]
async fn what_is_sent_after_a_long_wait_for_the_database_has_its_whole_lease_before_it() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Held(200)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    let mut writer = sqlx::SqliteConnection::connect(&node.database.url()).await.unwrap();
    sqlx::raw_sql("BEGIN IMMEDIATE").execute(&mut writer).await.unwrap();
    let mut dispatcher = node.dispatcher_elsewhere().await;
    let mut waiting = Box::pin(dispatcher.dispatch_due());
    assert!(futures_util::poll!(waiting.as_mut()).is_pending());
    node.clock.advance(LEASE - MILLISECOND);
    sqlx::raw_sql("ROLLBACK").execute(&mut writer).await.unwrap();
    tokio::select! {
        attempts = waiting.as_mut() => panic!("{attempts:?} attempts were over"),
        () = receiver.until(1) => {}
    }
    assert_eq!(node.next_try(&subscription).await, Some(node.now() + LEASE));
    receiver.let_go(1);
    assert_eq!((waiting.await.unwrap(), receiver.count()), (1, 1));
}

fn ended(claimed: &Claimed, node: &Node, outcome: Result<u16, String>, next: NextStep) -> Ended {
    Ended {
        id: claimed.id,
        lease: claimed.lease,
        number: claimed.number,
        started_at: node.now(),
        duration: 1,
        outcome,
        next,
    }
}

async fn write_down(node: &Node, ended: Ended) {
    node.store().dispatch_round(&[ended], &Claim::NOTHING).await.unwrap();
}

#[tokio::test]
async fn a_late_end_does_not_undo_a_delivery_whatever_it_says() {
    let node = Node::new().await;
    let subscription = node.subscribe("http://127.0.0.1:9/", &[ReportCreated]).await;
    let lease = TimeDelta::seconds(30);
    let retry = NextStep::Retry { at: node.now() + TimeDelta::days(1), failures: 1 };
    for (number, then) in
        [retry, NextStep::Failed { failures: 10 }, NextStep::Delivered].into_iter().enumerate()
    {
        node.approve(&[&format!("r{number}")]).await;
        let first = node.claim(&subscription, 1, lease).await.remove(0);
        node.clock.advance(LEASE);
        let second = node.claim(&subscription, 2, lease).await.remove(0);
        assert_eq!((first.id, first.number, second.number), (second.id, 1, 2));
        // Late, while the second try runs; and again, as after a lost answer of the database.
        write_down(&node, ended(&first, &node, Ok(500), then)).await;
        let delivery = node.log(&subscription).await.remove(number);
        assert_eq!((delivery.status, delivery.last_attempt.is_some()), (Pending, true), "{then:?}");
        assert_eq!(node.next_try(&subscription).await, Some(node.now() + lease));
        write_down(&node, ended(&second, &node, Ok(200), NextStep::Delivered)).await;
        write_down(&node, ended(&first, &node, Ok(500), then)).await;
        let delivery = node.log(&subscription).await.remove(number);
        assert_eq!((delivery.status, delivery.next_attempt_at), (Delivered, None), "{then:?}");
        assert_eq!(delivery.last_attempt.unwrap().status_code, Some(200));
    }
    node.clock.advance(DAY * 2);
    assert_eq!(node.claim(&subscription, 3, lease).await.len(), 0);
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
    // Nobody died and nobody failed, so that there is no reason to send anything twice.
    for receiver in receivers {
        let mut ids: Vec<String> =
            receiver.requests().iter().map(|request| request.id().to_owned()).collect();
        ids.sort();
        let sent = ids.len();
        ids.dedup();
        assert_eq!((sent, ids.len()), (2 * REPORTS, 2 * REPORTS));
    }
}
