//! Long changes: number of rows per transaction.

use std::{sync::atomic::Ordering::Relaxed, time::Duration};

use base::clock::Clock;
use domain::report::{NewReport, Step};
use import::{self, Job, Progress};
use model::ReportType::Spirit;
use store::Mode;

use crate::harness::{Database, START, instant, report};

fn numbered(count: u32) -> Vec<NewReport> {
    (0..count).map(|number| report(&format!("r-{number:05}"), Spirit)).collect()
}

/// Creates a database in which each transaction takes `millis`.
async fn held_for(millis: u64) -> Database {
    let clock = Clock::ticking(instant(START), Duration::from_millis(millis));
    Database::timed_by(clock).await
}

/// Number of rows in each transaction of an import.
async fn transactions(database: &Database, rows: &[NewReport], mode: Mode) -> Vec<usize> {
    let store = &database.store;
    let id = store.reports().begin_import(None, mode).await.unwrap();
    let mut importing = store.reports().importing(id, mode);
    let (mut rest, mut taken) = (rows, Vec::new());
    while !rest.is_empty() {
        let outcomes;
        (outcomes, rest) = importing.next(rest).await.unwrap();
        taken.push(outcomes.len());
    }
    taken
}

#[tokio::test]
async fn an_import_that_is_published_takes_more_rows_at_once_while_that_is_quick_and_few_once_it_was_slow()
 {
    let rows = numbered(1_000);
    for (millis, expected) in [
        (1, vec![63, 118, 205, 307, 307]),
        (200, [vec![63; 8], vec![62; 8]].concat()),
        (2_000, [vec![63], vec![8; 111], vec![7; 7]].concat()),
    ] {
        let database = held_for(millis).await;
        assert_eq!(transactions(&database, &rows, Mode::Approve).await, expected, "{millis} ms");
        assert_eq!(database.store.check().await.unwrap().differences, []);
    }
}

#[tokio::test]
async fn an_import_that_nobody_is_told_of_takes_thousands_at_once_unless_that_is_slow() {
    let rows = numbered(24_000);
    let pending = [
        (1, vec![3_334, 6_666]),
        (400, vec![3_334, 3_333, 3_333]),
        (4_000, [vec![3_334], vec![477; 2], vec![476; 12]].concat()),
    ];
    let history = [
        (1, vec![8_000, 16_000]),
        (2_000, vec![8_000; 3]),
        (20_000, [vec![8_000], vec![4_000; 4]].concat()),
    ];
    for (mode, rows, cases) in
        [(Mode::Pending, &rows[..10_000], pending), (Mode::Backfill, &rows[..], history)]
    {
        for (millis, expected) in cases {
            let database = held_for(millis).await;
            assert_eq!(transactions(&database, rows, mode).await, expected, "{millis} ms");
        }
    }
}

/// A rerun passes existing rows quickly. New rows after them are still written in small transactions.
#[tokio::test]
async fn rows_that_are_there_already_are_passed_over_at_once_and_say_nothing_about_new_ones() {
    let rows = numbered(1_000);
    let database = held_for(1).await;
    transactions(&database, &rows[..600], Mode::Approve).await;
    // The second transaction has 537 existing rows and 64 new ones.
    assert_eq!(transactions(&database, &rows, Mode::Approve).await, [63, 601, 112, 224]);
    assert_eq!(database.store.check().await.unwrap().differences, []);
}

#[tokio::test]
async fn ids_that_are_refused_say_nothing_about_those_that_are_not() {
    let rows = numbered(1_000);
    let database = held_for(1).await;
    let store = &database.store;
    store.reports().import(&rows, Mode::Pending).await.unwrap();
    let ids: Vec<String> = rows.iter().map(|row| row.id.to_string()).collect();
    store.reports().decide(Step::Reject, &ids[..600]).await.unwrap();
    let mut batches = store.reports().batches(Step::Approve);
    let (mut rest, mut taken) = (&ids[..], Vec::new());
    while !rest.is_empty() {
        let decisions;
        (decisions, rest) = batches.next_ids(rest).await.unwrap();
        taken.push(decisions.len());
    }
    assert_eq!(taken, [63, 601, 112, 224]);
}

#[tokio::test]
async fn the_progress_of_an_import_moves_with_each_transaction() {
    let database = held_for(2_000).await;
    let rows = |number| format!("r-{number:03},spirit,Oslo,Norway\n");
    let csv = format!("id,type,city,country\n{}", (0..500).map(rows).collect::<String>());
    let (size, progress) = (csv.len() as u64, Progress::default());
    let job = Job {
        input: std::io::Cursor::new(csv),
        file: None,
        format: None,
        reading: import::Reading::default(),
        mode: Mode::Approve,
        sort_in: None,
        clock: Clock::stepped(instant(START)),
        max_window: import::FILE_WINDOW,
        progress: progress.clone(),
        refused_rows: None,
    };
    let store = database.store.clone();
    let running = tokio::spawn(async move {
        let mut seen = Vec::new();
        let importing = import::run(Some(&store), job, |_| (), |_| ());
        let mut importing = std::pin::pin!(importing);
        loop {
            tokio::select! {
                biased;
                summary = &mut importing => return (summary.unwrap(), seen),
                () = tokio::task::yield_now() => {}
            }
            let now = [&progress.rows, &progress.bytes].map(|number| number.load(Relaxed));
            if seen.last() != Some(&now) {
                seen.push(now);
            }
        }
    });
    let (summary, seen) = running.await.unwrap();
    assert_eq!(summary.imported, 500);
    // 63 rows, and then seven or eight per transaction.
    assert_eq!(seen[..2], [[0, 0], [63, size * 63 / 500]]);
    assert!(seen.len() > 50, "{seen:?}");
    assert!(seen.is_sorted());
}
