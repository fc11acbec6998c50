//! Rebuilds that are stopped after each of their steps. (In unit tests, a transaction corrects little, so there are
//! many steps.)

use std::sync::atomic::{AtomicU64, Ordering};

use base::{clock::Clock, time::date_of_day};
use chrono::{DateTime, TimeDelta, Utc};
use domain::report::NewReport;
use model::ReportType;
use tokio::sync::Notify;

use crate::{Filter, Mode, Progress, ReportsQuery, Store, testing::Scratch};

fn beginning() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_225_600, 0).unwrap()
}

fn reports() -> Vec<NewReport> {
    let report = |number: i64| NewReport {
        id: domain::report_id::ReportId::stored(format!("r{number:03}")),
        kind: ReportType::ALL[(number % 3) as usize],
        city: format!("City {}", number % 7),
        region: String::new(),
        country: ["Norway", "Peru"][(number % 2) as usize].to_owned(),
        people_count: 1,
        event_date: date_of_day(19_000 + number % 5 * 40),
        created_at: beginning() - TimeDelta::seconds(number * 37 % 90),
        event_date_given: true,
        created_at_given: true,
        position: None,
    };
    (0..90).map(report).collect()
}

/// Gives half of the places keys that no report has; removes or damages counts and lists.
const DAMAGE: &str = "
    UPDATE places SET country_key = 'x' || country_key WHERE id % 2 = 0 AND level > 0;
    DELETE FROM counts WHERE grain <> 2;
    UPDATE counts SET counts = x'010909090109090901090909';
    DELETE FROM presence WHERE grain = 3 OR grain = 0 AND bucket = 1;
    DELETE FROM postings WHERE segment % 2 = 0;
    UPDATE segments SET newest_at = 0 WHERE id % 3 = 0;
    UPDATE reports SET position = NULL WHERE seq % 5 = 0;";

async fn answers(store: &Store) -> Vec<String> {
    let counters =
        store.counters().metrics(&Filter::default(), beginning().date_naive()).await.unwrap().value;
    let listed = store.reports().recent(&ReportsQuery::newest(90)).await.unwrap().value;
    let mut answers: Vec<String> = listed.into_iter().map(|listed| listed.report.id).collect();
    answers.push(format!("{counters:?}"));
    answers
}

#[tokio::test]
async fn wherever_a_rebuild_is_stopped_the_next_one_finishes_it() {
    let opened = Scratch::new().await;
    let mut now = beginning();
    opened.reports().import(&reports(), Mode::Backfill).await.unwrap();
    let before = answers(&opened).await;
    let mut stops = 0;
    loop {
        opened.run(DAMAGE).await;
        // The lease of the previous rebuild has expired.
        now += TimeDelta::seconds(11);
        let store = opened.clone().with_clock(Clock::stepped(now));
        let (calls, reached) = (AtomicU64::new(0), Notify::new());
        let watcher = |_: Progress<'_>| {
            if calls.fetch_add(1, Ordering::Relaxed) == stops {
                reached.notify_one();
            }
        };
        let done = tokio::select! {
            biased;
            () = reached.notified() => None,
            done = store.rebuild(&watcher) => Some(done.unwrap()),
        };
        now += TimeDelta::seconds(11);
        let store = opened.clone().with_clock(Clock::stepped(now));
        let rebuilt = store.rebuild(&|_| {}).await.unwrap();
        assert_eq!(store.check().await.unwrap().differences, [], "{stops}");
        assert_eq!(answers(&store).await, before, "{stops}");
        match done {
            Some(_) => break assert!(rebuilt.is_nothing(), "{rebuilt}"),
            None => stops += 1,
        }
    }
    assert!(stops > 10, "{stops} stops");
}
