//! Removal of old events, deliveries and attempts.

use std::{cell::Cell, future::ready};

use chrono::TimeDelta;
use domain::subscription::DeliveryStatus::{Delivered, Pending};

use crate::{
    node::{DAY, MILLISECOND, MetricsUpdated, Node, ReportCreated},
    receiver::{Receiver, Reply},
    webhooks::switchable_receiver::SwitchableReceiver,
};

/// Removes everything older than 30 days, as the service does from time to time.
async fn prune(node: &Node) {
    node.store().event_log().prune(node.now() - TimeDelta::days(30), || ready(())).await.unwrap();
}

/// Numbers of events, deliveries and attempts.
async fn rows(node: &Node) -> [i64; 3] {
    [node.rows("events").await, node.rows("deliveries").await, node.rows("attempts").await]
}

#[tokio::test]
async fn what_is_over_is_forgotten_when_it_is_old_and_not_before() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let subscription = node.subscribe(&receiver.url(), &[ReportCreated, MetricsUpdated]).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    node.clock.advance(DAY);
    node.approve(&["b"]).await;
    node.dispatch().await;
    node.clock.advance(DAY * 29);
    prune(&node).await;
    assert_eq!(rows(&node).await, [4, 4, 4]);
    node.clock.advance(std::time::Duration::from_millis(1));
    prune(&node).await;
    assert_eq!(rows(&node).await, [2, 2, 2]);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 2]);
    node.clock.advance(DAY);
    prune(&node).await;
    assert_eq!(rows(&node).await, [0, 0, 0]);
    // Pruning leaves reports and counters alone, and the next event is sent as usual.
    assert_eq!(node.store().check().await.unwrap().differences, []);
    node.approve(&["c"]).await;
    assert_eq!(node.dispatch().await, 2);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 2]);
}

#[tokio::test]
async fn what_waits_is_kept_a_week_longer_than_what_is_over() {
    let node = Node::new().await;
    let failing = Receiver::with(Reply::Status(500)).await;
    let subscription = node.subscribe(&failing.url(), &[ReportCreated]).await;
    let well = Receiver::with(Reply::Status(200)).await;
    let other = node.subscribe(&well.url(), &[ReportCreated]).await;
    node.approve(&["before"]).await;
    node.clock.advance(DAY * 2);
    node.approve_many(20).await;
    node.dispatch().await;
    // The first five were tried; the others wait behind them.
    assert_eq!(node.statuses(&subscription).await, [Pending; 5]);
    assert_eq!(node.statuses(&other).await, [Delivered; 21]);
    node.clock.advance(DAY * 35);
    prune(&node).await;
    assert_eq!(node.statuses(&subscription).await, [Pending; 5]);
    assert_eq!(node.statuses(&other).await, []);
    assert_eq!(rows(&node).await, [42, 5, 5]);
    assert_eq!(node.store().check().await.unwrap().differences, []);
    // The report from two days before the others.
    node.clock.advance(MILLISECOND);
    prune(&node).await;
    assert_eq!(node.statuses(&subscription).await, [Pending; 4]);
    assert_eq!(rows(&node).await, [40, 4, 4]);
    node.clock.advance(DAY * 2);
    prune(&node).await;
    assert_eq!(rows(&node).await, [0, 0, 0]);
    // Delivery continues with new events.
    let sent = failing.count();
    node.approve(&["after"]).await;
    assert_eq!((node.dispatch().await, failing.count()), (2, sent + 1));
    assert_eq!(node.statuses(&subscription).await, [Pending]);
}

#[tokio::test]
async fn what_waits_for_a_disabled_subscription_is_forgotten_when_it_is_old() {
    let node = Node::new().await;
    let receiver = SwitchableReceiver::new(410).await;
    let subscription = node.subscribe(&receiver.receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    node.clock.advance(DAY * 20);
    node.approve(&["b"]).await;
    node.clock.advance(DAY * 11);
    prune(&node).await;
    assert_eq!(rows(&node).await, [2, 0, 0]);
    receiver.answers(200);
    // The subscription receives the events that are still in the log.
    assert_eq!(node.enable(&subscription).await, 1);
    assert_eq!(receiver.told_from(1), ["b"]);
}

#[tokio::test]
async fn nothing_of_a_deleted_subscription_is_left() {
    let node = Node::new().await;
    let receiver = Receiver::with(Reply::Status(200)).await;
    let deleted = node.subscribe(&receiver.url(), &[ReportCreated, MetricsUpdated]).await;
    let kept = node.subscribe(&receiver.url(), &[ReportCreated]).await;
    // The deleted subscription has more rows than one batch.
    node.approve_many(700).await;
    node.dispatch().await;
    node.approve(&["waits"]).await;
    node.store().subscriptions().unsubscribe(node.partner_id, &deleted.id).await.unwrap();
    prune(&node).await;
    assert_eq!(node.rows("subscriptions").await, 1);
    assert_eq!(rows(&node).await, [1_402, 700, 700]);
    assert_eq!(node.dispatch().await, 1);
    assert_eq!(node.statuses(&kept).await, vec![Delivered; 701]);
    assert_eq!(node.store().check().await.unwrap().differences, []);
}

/// Maximum number of rows that one step removes from each table.
const AT_ONCE: i64 = 1_000;

#[tokio::test]
async fn no_step_removes_more_than_its_limit_however_many_subscriptions_there_are() {
    let node = Node::new().await;
    for sql in [
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
         INSERT INTO subscriptions (id, partner_id, url, report_created, metrics_updated, status,
                                    created_at, cursor)
         SELECT 'sub_' || i, 1, 'http://127.0.0.1:9/', TRUE, FALSE, 'ACTIVE', 0, 2500 FROM n",
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
         INSERT INTO events (id, name, body, created_at)
         SELECT 'evt_' || i, 'report.created', x'7b7d', i FROM n",
        // One subscription has very many deliveries.
        "INSERT INTO deliveries (subscription_seq, event_seq, status, attempts)
         SELECT s.seq, e.seq, 'DELIVERED', 1 FROM subscriptions s CROSS JOIN events e
         WHERE e.seq <= 5 OR s.seq = 100",
        "INSERT INTO attempts (subscription_seq, event_seq, number, started_at, duration_ms, status_code)
         SELECT subscription_seq, event_seq, 1, 0, 1, 200 FROM deliveries",
    ] {
        node.database.tamper(sql).await;
    }
    let before = Cell::new(rows(&node).await);
    assert_eq!(before.get(), [2_500, 3_995, 3_995]);
    let look = || async {
        let after = rows(&node).await;
        let removed: Vec<i64> =
            before.replace(after).iter().zip(after).map(|(before, now)| before - now).collect();
        assert!(removed.iter().all(|removed| *removed <= AT_ONCE), "{removed:?}");
    };
    node.store().event_log().prune(node.now() - TimeDelta::days(30), look).await.unwrap();
    assert_eq!(before.get(), [0, 0, 0]);
}
