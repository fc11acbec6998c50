//! Decisions on many reports, in batches, while other processes change them.

use domain::report::{NewReport, Status, Step};
use model::ReportType::{Spirit, Water};
use store::{Batch, Mode, ReportList, Selection, Store};

use crate::harness::{Database, report};

fn numbered(numbers: std::ops::Range<u32>) -> Vec<NewReport> {
    numbers.map(|number| report(&format!("r-{number:03}"), Spirit)).collect()
}

fn ids(reports: &[NewReport]) -> Vec<String> {
    reports.iter().map(|report| report.id.to_string()).collect()
}

/// Ids of all reports with this status, in import order.
async fn of_status(store: &Store, status: Status) -> Vec<String> {
    let list = ReportList {
        selection: Selection { status: Some(status), ..Selection::default() },
        limit: 1_000,
        ..ReportList::default()
    };
    let listed = store.reports().list(&list).await.unwrap();
    listed.reports.into_iter().rev().map(|report| report.id).collect()
}

async fn next(batches: &mut store::Batches<'_>, selected: &mut store::Selected) -> (u64, u64) {
    let Batch { decided, skipped, .. } = batches.next_selected(selected).await.unwrap();
    (decided, skipped)
}

#[tokio::test]
async fn what_comes_in_after_the_selection_is_not_touched() {
    let database = Database::new().await;
    let (store, elsewhere) = (&database.store, database.elsewhere().await);
    let first = numbered(0..100);
    store.reports().import(&first, Mode::Pending).await.unwrap();
    let everything = Selection::default();
    let mut selected = store.reports().select(Step::Approve, &everything).await.unwrap();
    assert_eq!(selected.len(), 100);
    let mut batches = store.reports().batches(Step::Approve);
    assert_eq!(next(&mut batches, &mut selected).await, (50, 0));

    // Between the batches, new reports are imported and other processes decide on some of the selected ones.
    let later = numbered(100..150);
    elsewhere.reports().import(&later, Mode::Pending).await.unwrap();
    elsewhere.reports().decide(Step::Reject, &ids(&first[70..75])).await.unwrap();
    elsewhere.reports().decide(Step::Approve, &ids(&first[80..83])).await.unwrap();
    elsewhere.reports().decide(Step::Withdraw, &ids(&first[80..81])).await.unwrap();

    assert_eq!(next(&mut batches, &mut selected).await, (50 - 5 - 3, 5 + 3));
    assert!(selected.is_empty());
    assert_eq!(of_status(store, Status::Pending).await, ids(&later));
    assert_eq!(of_status(store, Status::Rejected).await, ids(&first[70..75]));
    assert_eq!(of_status(store, Status::Withdrawn).await, ids(&first[80..81]));
    assert_eq!(of_status(store, Status::Approved).await.len(), 100 - 5 - 1);
    assert_eq!(store.check().await.unwrap().differences, []);
    // Running the command again selects the reports that are pending now.
    assert_eq!(store.reports().select(Step::Approve, &everything).await.unwrap().len(), 50);
    elsewhere.close().await;
}

#[tokio::test]
async fn an_import_is_selected_although_others_import_between_its_batches() {
    let database = Database::new().await;
    let store = &database.store;
    let begin = async |file| store.reports().begin_import(Some(file), Mode::Pending).await.unwrap();
    let (one, other) = (begin("one.csv").await, begin("other.csv").await);
    assert!(one < other, "{one} {other}");
    let rows = numbered(0..60);
    let join = async |import, rows, mode| {
        let (_, rest) = store.reports().importing(import, mode).next(rows).await.unwrap();
        assert_eq!(rest, []);
    };
    join(one, &rows[..10], Mode::Pending).await;
    store.reports().import(&rows[30..40], Mode::Pending).await.unwrap();
    join(one, &rows[10..20], Mode::Backfill).await;
    join(other, &rows[20..30], Mode::Pending).await;
    // Twenty of the rows exist already.
    join(one, &rows[20..60], Mode::Pending).await;
    let selection = Selection { import: Some(one), ..Selection::default() };
    let selected = store.reports().select(Step::Approve, &selection).await.unwrap();
    assert_eq!(selected.len(), 10 + 20);
    let list = ReportList { selection: selection.clone(), limit: 1_000, ..ReportList::default() };
    let listed = store.reports().list(&list).await.unwrap().reports;
    let listed: Vec<String> = listed.into_iter().rev().map(|report| report.id).collect();
    assert_eq!(listed, [ids(&rows[..20]), ids(&rows[40..])].concat());
    assert_eq!(store.reports().select(Step::Withdraw, &selection).await.unwrap().len(), 10);
    let counts: Vec<_> = store
        .reports()
        .imports(10)
        .await
        .unwrap()
        .into_iter()
        .map(|listed| (listed.id, listed.reports.pending, listed.reports.approved))
        .collect();
    assert_eq!(counts, [(other, 10, 0), (one, 30, 10)]);
}

#[tokio::test]
async fn many_reports_are_withdrawn_and_nothing_of_them_is_counted_any_more() {
    let database = Database::new().await;
    let store = &database.store;
    let rows: Vec<NewReport> = (0..3_000_u32)
        .map(|number| NewReport {
            city: format!("City {}", number % 700),
            country: ["Brazil", "Norway", "Peru"][number as usize % 3].to_owned(),
            event_date: base::time::date_of_day(19_000 + i64::from(number % 900)),
            kind: if number % 2 == 0 { Spirit } else { Water },
            ..report(&format!("r-{number}"), Spirit)
        })
        .collect();
    store.reports().import(&rows, Mode::Backfill).await.unwrap();
    let place = store::PlaceFilter::new(Some("BR"), None, None);
    let brazil = Selection { place, ..Selection::default() };
    let spirit = Selection { kind: Some(Spirit), ..Selection::default() };
    for (selection, left) in [(&spirit, 1_500), (&brazil, 1_000), (&Selection::default(), 0)] {
        let mut selected = store.reports().select(Step::Withdraw, selection).await.unwrap();
        let mut batches = store.reports().batches(Step::Withdraw);
        while !selected.is_empty() {
            assert_eq!(next(&mut batches, &mut selected).await.1, 0);
        }
        assert_eq!(store.check().await.unwrap().differences, []);
        assert_eq!(
            store
                .counters()
                .metrics(&store::Filter::default(), rows[0].event_date)
                .await
                .unwrap()
                .value
                .by_type
                .iter()
                .sum::<u64>(),
            left
        );
    }
}

#[tokio::test]
async fn damaged_rollups_are_found_by_a_withdrawal_which_then_changes_nothing() {
    // The world, the country and the region count two spirits; the city counts none or one.
    for (damage, said) in [
        (
            "UPDATE counts SET counts = x'010200000102000001020000' WHERE grain = 1",
            "a stored value is damaged: the counts of place 3 for 2026; run `svc db check --repair`",
        ),
        (
            "UPDATE counts SET counts = x'01020000010200000102000001010000' WHERE grain = 2",
            "a stored value is damaged: the counts of place 3 for 2026-03; run `svc db check --repair`",
        ),
    ] {
        let database = Database::new().await;
        let store = &database.store;
        let rows = numbered(0..2);
        store.reports().import(&rows, Mode::Backfill).await.unwrap();
        database.tamper(damage).await;
        let before = store.check().await.unwrap();
        let version = store.data_version().await.unwrap();
        let refused = store.reports().decide(Step::Withdraw, &ids(&rows)).await.unwrap_err();
        assert_eq!(refused.to_string(), said);
        assert_eq!(store.check().await.unwrap(), before);
        assert_eq!(store.data_version().await.unwrap(), version);
        assert_eq!(of_status(store, Status::Approved).await, ids(&rows));
    }
}
