use std::{collections::HashMap, time::Duration};

use domain::report::Step;
use futures_util::future::join_all;
use model::ReportType::{Spirit, Water};
use store::Mode;

use svc::responses::snapshot::POLL_INTERVAL;

use crate::harness::{But, Running, report, settings, soon};

#[tokio::test]
async fn a_publication_of_another_process_shows_at_the_next_look() {
    let running = Running::new().await;
    let elsewhere = running.database.elsewhere().await;
    let mut changes = running.service.app.snapshots.changes();
    elsewhere.reports().import(&[report("a", Spirit)], Mode::Approve).await.unwrap();
    assert_eq!(running.json("/api/v1/metrics").await["total"], 0);
    running.clock.advance(POLL_INTERVAL);
    soon("the snapshot", changes.changed()).await.unwrap();
    assert_eq!(running.json("/api/v1/metrics").await["total"], 1);
    assert_eq!(running.json("/api/v1/reports").await["reports"][0]["id"], "a");
    assert_eq!(running.json("/api/v1/metrics?city=campinas").await["total"], 1);
}

#[tokio::test]
async fn what_has_the_same_time_is_the_same_and_nobody_sees_an_older_state_after_a_newer_one() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    let elsewhere = running.database.elsewhere().await;
    let paths = [
        "/api/v1/metrics?city=campinas",
        "/api/v1/metrics?country=BR",
        "/api/v1/metrics?country=BR&city=campinas",
        "/api/v1/metrics",
    ];
    let mut totals = HashMap::new();
    let mut last = 0;
    for (id, count) in [("b", 2), ("c", 3), ("d", 4), ("e", 5)] {
        // The service has cached the earlier state for the first two.
        for path in &paths[..2] {
            let answer = running.json(path).await;
            let total = answer["total"].as_u64().unwrap();
            assert!(total >= last, "{path}: {last}, then {total}");
            last = total;
        }
        elsewhere.reports().import(&[report(id, Spirit)], Mode::Approve).await.unwrap();
        for path in [paths[2], paths[1], paths[0], paths[3]] {
            let answer = running.json(path).await;
            let total = answer["total"].as_u64().unwrap();
            assert!(total >= last, "{path}: {last}, then {total}");
            last = total;
            let at = answer["updatedAt"].as_str().unwrap().to_owned();
            assert_eq!(*totals.entry(at.clone()).or_insert(total), total, "{path} at {at}");
        }
        assert_eq!(last, count);
    }
}

#[tokio::test]
async fn looks_at_the_same_time_are_one_change() {
    let running = Running::new().await;
    let elsewhere = running.database.elsewhere().await;
    elsewhere.reports().import(&[report("a", Spirit)], Mode::Approve).await.unwrap();
    let snapshots = &running.service.app.snapshots;
    let changes = snapshots.changes();
    let before = *changes.borrow();
    join_all((0..8).map(|_| snapshots.refresh())).await;
    assert_eq!(running.json("/api/v1/metrics").await["total"], 1);
    assert_eq!(*changes.borrow(), before + 1);
}

#[tokio::test]
async fn what_is_pending_or_rejected_shows_nowhere_and_what_is_withdrawn_no_more() {
    let running = Running::new().await;
    let elsewhere = running.database.elsewhere().await;
    elsewhere
        .reports()
        .import(&[report("a", Spirit), report("b", Water)], Mode::Pending)
        .await
        .unwrap();
    elsewhere.reports().decide(Step::Reject, &["a".to_owned()]).await.unwrap();
    running.service.app.snapshots.refresh().await;
    assert_eq!(running.json("/api/v1/metrics").await["total"], 0);
    elsewhere.reports().decide(Step::Approve, &["b".to_owned()]).await.unwrap();
    running.service.app.snapshots.refresh().await;
    assert_eq!(running.json("/api/v1/metrics").await["total"], 1);
    elsewhere.reports().decide(Step::Withdraw, &["b".to_owned()]).await.unwrap();
    running.service.app.snapshots.refresh().await;
    let metrics = running.json("/api/v1/metrics").await;
    assert_eq!((&metrics["total"], &metrics["cities"]), (&0.into(), &0.into()));
    assert_eq!(running.json("/api/v1/reports").await["reports"].as_array().unwrap().len(), 0);
}

#[tokio::test]
async fn the_counters_of_today_turn_at_midnight_by_themselves() {
    let running = Running::with(settings(), "2026-03-01T23:59:59.900Z").await;
    running.publish(&[report("a", Spirit).on("2026-03-01")]).await;
    let before = running.json("/api/v1/metrics").await;
    assert_eq!((&before["total"], &before["totalToday"]), (&1.into(), &1.into()));
    let filtered = running.json("/api/v1/metrics?country=BR").await;
    assert_eq!(filtered["totalToday"], 1);
    let mut changes = running.service.app.snapshots.changes();
    running.clock.advance(Duration::from_millis(250));
    soon("the new day", changes.changed()).await.unwrap();
    let after = running.json("/api/v1/metrics").await;
    assert_eq!((&after["total"], &after["totalToday"]), (&1.into(), &0.into()));
    // Today's counters changed when the day began.
    assert_eq!(after["updatedAt"], "2026-03-02T00:00:00.000Z");
    let filtered = running.json("/api/v1/metrics?country=BR").await;
    assert_eq!(filtered["totalToday"], 0);
}

#[tokio::test]
async fn a_database_that_fails_leaves_the_last_good_answers_and_recovers_by_itself() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    let good = running.get("/api/v1/metrics").await;
    let health = async || {
        let ops = running.service.ops_addr.unwrap();
        let health = running.http.get(format!("http://{ops}/health")).send().await.unwrap();
        health.status().as_u16()
    };
    assert_eq!(health().await, 200);
    running.database.tamper("ALTER TABLE data_version RENAME TO elsewhere").await;
    running.service.app.snapshots.refresh().await;
    assert_eq!(health().await, 503);
    assert_eq!(running.get("/api/v1/metrics").await.body, good.body);
    running.database.tamper("ALTER TABLE elsewhere RENAME TO data_version").await;
    running.service.app.snapshots.refresh().await;
    assert_eq!(health().await, 200);
    running.publish(&[report("b", Spirit)]).await;
    assert_eq!(running.json("/api/v1/metrics").await["total"], 2);
}

#[tokio::test]
async fn a_failure_that_passes_changes_no_answer_that_the_data_does_not() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit)]).await;
    let paths = ["/api/v1/metrics", "/api/v1/metrics?country=BR"];
    let before = [running.get(paths[0]).await.text(), running.get(paths[1]).await.text()];
    running.database.tamper("ALTER TABLE data_version RENAME TO elsewhere").await;
    running.service.app.snapshots.refresh().await;
    running.clock.advance(Duration::from_secs(60));
    running.database.tamper("ALTER TABLE elsewhere RENAME TO data_version").await;
    running.service.app.snapshots.refresh().await;
    assert_eq!([running.get(paths[0]).await.text(), running.get(paths[1]).await.text()], before);
}
