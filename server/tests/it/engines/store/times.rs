//! Times of changes follow the order of their commits, and each is later than the one before.

use base::clock::Clock;
use chrono::{DateTime, TimeDelta, Utc};
use domain::report::NewReport;
use domain::report::Step;
use model::ReportType::Spirit;
use scratch::log::Log;
use store::{Mode, ReportsQuery, Store};

use crate::harness::{Database, START, instant, report};

/// Publication time of each report, newest first.
async fn published(store: &Store) -> Vec<(String, DateTime<Utc>)> {
    let listed = store.reports().recent(&ReportsQuery::newest(100)).await.unwrap().value;
    listed.into_iter().map(|listed| (listed.report.id, listed.published_at)).collect()
}

#[tokio::test]
async fn a_clock_that_is_set_back_sets_no_publication_back() {
    let database = Database::new().await;
    let (start, hour) = (instant(START), TimeDelta::hours(1));
    let millisecond = TimeDelta::milliseconds(1);
    let long_ago = |id: &str| NewReport { created_at: start - hour * 100, ..report(id, Spirit) };
    database.at(start).reports().import(&[long_ago("a")], Mode::Approve).await.unwrap();
    let earlier = database.at(start - hour);
    earlier.reports().import(&[long_ago("b")], Mode::Approve).await.unwrap();
    earlier.reports().import(&[long_ago("c")], Mode::Pending).await.unwrap();
    earlier.reports().decide(Step::Approve, &["c".to_owned()]).await.unwrap();
    database.at(start + hour).reports().import(&[long_ago("d")], Mode::Approve).await.unwrap();
    let at = |id: &str, at| (id.to_owned(), at);
    assert_eq!(
        published(&database.store).await,
        [
            at("d", start + hour),
            at("c", start + millisecond * 2),
            at("b", start + millisecond),
            at("a", start),
        ]
    );
}

/// The creation time of a report may come from another machine's clock and lie slightly in the future.
#[tokio::test]
async fn nothing_is_published_before_a_report_that_claims_to_come_from_the_future() {
    let database = Database::new().await;
    let (start, minute) = (instant(START), TimeDelta::minutes(1));
    let ahead = NewReport { created_at: start + minute * 4, ..report("ahead", Spirit) };
    let old = |id: &str| NewReport { created_at: start - minute, ..report(id, Spirit) };
    database.at(start).reports().import(&[ahead], Mode::Approve).await.unwrap();
    database.at(start + minute).reports().import(&[old("later")], Mode::Approve).await.unwrap();
    database.at(start + minute * 9).reports().import(&[old("last")], Mode::Approve).await.unwrap();
    let at = |id: &str, at| (id.to_owned(), at);
    assert_eq!(
        published(&database.store).await,
        [
            at("last", start + minute * 9),
            at("later", start + minute * 4 + TimeDelta::milliseconds(1)),
            at("ahead", start + minute * 4),
        ]
    );
}

#[tokio::test]
async fn the_operator_is_told_once_an_hour_that_the_clock_was_far_ahead_at_a_publication() {
    let (log, _guard) = Log::listen();
    let clock = Clock::stepped(instant(START));
    let database = Database::timed_by(clock.clone()).await;
    let store = &database.store;
    let minute = std::time::Duration::from_secs(60);
    let publish = async |id: &str| {
        store.reports().import(&[report(id, Spirit)], Mode::Approve).await.unwrap();
        log.taken("clock")
    };
    // A difference this small is expected: clocks are corrected, and reports may be slightly ahead.
    let ahead = database.at(instant("2026-03-01T12:10:00Z"));
    ahead.reports().import(&[report("a", Spirit)], Mode::Approve).await.unwrap();
    assert_eq!(publish("b").await, [""; 0]);
    let ahead = database.at(instant("2026-03-02T12:00:00Z"));
    ahead.reports().import(&[report("c", Spirit)], Mode::Approve).await.unwrap();
    assert_eq!(log.taken("clock"), [""; 0]);
    assert_eq!(
        publish("d").await,
        [
            " WARN store::engine::transaction: the last publication was at 2026-03-02T12:00:00.000Z, but this machine's \
            clock is at 2026-03-01T12:00:00.000Z: until it has caught up, reports are published at that instant or just \
            after it. See docs/operate/troubleshoot.md, under \"The clock\""
        ]
    );
    clock.advance(minute * 59);
    assert_eq!(publish("e").await, [""; 0]);
    clock.advance(minute);
    assert_eq!(publish("f").await.len(), 1);
    clock.advance(minute * 60 * 24);
    assert_eq!(publish("g").await, [""; 0]);
}
