use domain::report::Step;
use domain::report::{NewReport, Status};
use model::ReportType::{Spirit, Water};
use store::{Decision, Mode, ReportsQuery};

use crate::harness::{But, Database, instant, report};

fn ids(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

#[tokio::test]
async fn only_the_steps_of_a_reports_life_are_possible() {
    let database = Database::new().await;
    let store = &database.store;
    let rows: Vec<_> = ["p", "a", "r", "w"].map(|id| report(id, Spirit)).into();
    store.reports().import(&rows, Mode::Pending).await.unwrap();
    store.reports().decide(Step::Approve, &ids(&["a", "w"])).await.unwrap();
    store.reports().decide(Step::Reject, &ids(&["r"])).await.unwrap();
    store.reports().decide(Step::Withdraw, &ids(&["w"])).await.unwrap();
    let refused = |is, asked| Decision::Refused { is, asked };
    let (approved, rejected, withdrawn) = (Status::Approved, Status::Rejected, Status::Withdrawn);
    assert_eq!(
        store.reports().decide(Step::Approve, &ids(&["a", "r", "w", "x", "a"])).await.unwrap(),
        [
            ("a".to_owned(), refused(approved, approved)),
            ("r".to_owned(), refused(rejected, approved)),
            ("w".to_owned(), refused(withdrawn, approved)),
            ("x".to_owned(), Decision::Unknown),
        ]
    );
    assert_eq!(
        store.reports().decide(Step::Reject, &ids(&["a", "r", "w"])).await.unwrap(),
        [
            ("a".to_owned(), refused(approved, rejected)),
            ("r".to_owned(), refused(rejected, rejected)),
            ("w".to_owned(), refused(withdrawn, rejected)),
        ]
    );
    assert_eq!(
        store.reports().decide(Step::Withdraw, &ids(&["p", "r", "w"])).await.unwrap(),
        [
            ("p".to_owned(), refused(Status::Pending, withdrawn)),
            ("r".to_owned(), refused(rejected, withdrawn)),
            ("w".to_owned(), refused(withdrawn, withdrawn)),
        ]
    );
    assert_eq!(store.check().await.unwrap().differences, []);
}

#[tokio::test]
async fn the_revision_of_the_list_moves_with_what_nobody_finds_who_asks_for_later_reports() {
    let database = Database::new().await;
    let store = &database.store;
    let first = store.last_change().await.unwrap().revision;
    let moved = async || store.last_change().await.unwrap().revision - first;
    let rows = ["a", "b", "c"].map(|id| report(id, Spirit));
    store.reports().import(&rows, Mode::Pending).await.unwrap();
    store.reports().import(&[report("d", Water)], Mode::Approve).await.unwrap();
    store.reports().decide(Step::Approve, &ids(&["a", "b"])).await.unwrap();
    store.reports().decide(Step::Reject, &ids(&["c"])).await.unwrap();
    store.reports().decide(Step::Reopen, &ids(&["c"])).await.unwrap();
    store.reports().decide(Step::Withdraw, &ids(&["c", "x"])).await.unwrap();
    assert_eq!(moved().await, 0);
    store.reports().decide(Step::Withdraw, &ids(&["a", "b"])).await.unwrap();
    assert_eq!(moved().await, 1);
    store.reports().decide(Step::Reopen, &ids(&["a"])).await.unwrap();
    assert_eq!(moved().await, 1);
    // Publication again is at the old place in the list.
    store.reports().decide(Step::Approve, &ids(&["a"])).await.unwrap();
    assert_eq!(moved().await, 2);
    store.reports().decide(Step::Restore, &ids(&["b"])).await.unwrap();
    assert_eq!(moved().await, 3);
    let old = [report("old", Spirit).created("2020-01-01T00:00:00Z")];
    store.reports().import(&old, Mode::Backfill).await.unwrap();
    assert_eq!(moved().await, 4);
    store.reports().import(&old, Mode::Backfill).await.unwrap();
    assert_eq!(moved().await, 4);
}

#[tokio::test]
async fn the_data_version_moves_with_what_the_public_sees_and_with_nothing_else() {
    let database = Database::new().await;
    let store = &database.store;
    let version = async || store.data_version().await.unwrap();
    let rows = [report("a", Spirit), report("b", Water)];
    store.reports().import(&rows, Mode::Pending).await.unwrap();
    store.reports().decide(Step::Reject, &ids(&["b"])).await.unwrap();
    store.reports().decide(Step::Approve, &ids(&["b", "x"])).await.unwrap();
    store.reports().import(&rows, Mode::Backfill).await.unwrap();
    assert_eq!(version().await, 0);
    store.reports().decide(Step::Approve, &ids(&["a"])).await.unwrap();
    assert_eq!(version().await, 1);
    store.reports().decide(Step::Withdraw, &ids(&["a"])).await.unwrap();
    assert_eq!(version().await, 2);
    store.reports().import(&[report("c", Spirit)], Mode::Backfill).await.unwrap();
    assert_eq!(version().await, 3);
}

#[tokio::test]
async fn a_report_is_never_published_before_it_was_created() {
    let database = Database::new().await;
    let store = &database.store;
    let created = instant("2026-03-01T12:00:03.000Z");
    let row = NewReport { created_at: created, ..report("a", Spirit) };
    store.reports().import(&[row], Mode::Pending).await.unwrap();
    store.reports().decide(Step::Approve, &ids(&["a"])).await.unwrap();
    let published = store.reports().recent(&ReportsQuery::newest(1)).await.unwrap().value;
    assert_eq!(published[0].published_at, created);
}

#[tokio::test]
async fn writers_in_several_processes_wait_for_each_other() {
    let database = Database::new().await;
    let writers = (0..4).map(|writer| {
        let url = database.url();
        tokio::spawn(async move {
            let missing = store::Missing::Refuse;
            let store = store::open_url(&url, missing).await.unwrap();
            for number in 0..25 {
                let row = report(&format!("{writer}-{number}"), Spirit);
                store.reports().import(&[row], Mode::Approve).await.unwrap();
            }
            store.close().await;
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    assert_eq!(database.store.data_version().await.unwrap(), 100);
    assert_eq!(database.store.check().await.unwrap().differences, []);
}
