//! Reports that are reopened and decided on again.

use chrono::{DateTime, Utc};
use domain::report::Status;
use domain::report::Step;
use model::ReportType::Spirit;
use store::{Decision, Filter, Mode, ReportList, ReportsQuery, Selection, Store};

use crate::harness::{But, Database, START, instant, report};

#[tokio::test]
async fn what_is_approved_once_more_returns_to_its_old_place() {
    let database = Database::new().await;
    let id = ["a".to_owned()];
    let rows = [report("a", Spirit).created("2026-02-01T10:00:00.000Z"), report("b", Spirit)];
    database.store.reports().import(&rows, Mode::Backfill).await.unwrap();
    database.store.reports().decide(Step::Withdraw, &id).await.unwrap();
    let version = database.store.data_version().await.unwrap();
    let reopened = database.store.reports().decide(Step::Reopen, &id).await.unwrap();
    assert_eq!(reopened, [("a".to_owned(), Decision::Done)]);
    // Public data does not change.
    assert_eq!(database.store.data_version().await.unwrap(), version);
    assert_eq!(database.store.check().await.unwrap().differences, []);
    let list = ReportList {
        selection: Selection { status: Some(Status::Pending), ..Selection::default() },
        limit: 9,
        ..ReportList::default()
    };
    let pending = database.store.reports().list(&list).await.unwrap().reports;
    assert_eq!((pending[0].id.as_str(), &pending[0].published_at), ("a", &None));

    let later = instant(START) + chrono::TimeDelta::hours(1);
    let store = database.at(later);
    let revision = store.last_change().await.unwrap().revision;
    store.reports().decide(Step::Approve, &id).await.unwrap();
    let old =
        [("b", instant("2026-03-01T10:00:00.000Z")), ("a", instant("2026-02-01T10:00:00.000Z"))];
    assert_eq!(public(&store).await, old.map(|(id, at)| (id.to_owned(), at)));
    assert_eq!(store.check().await.unwrap().differences, []);
    assert_eq!(store.last_change().await.unwrap().revision, revision + 1);
}

async fn public(store: &Store) -> Vec<(String, DateTime<Utc>)> {
    let listed = store.reports().recent(&ReportsQuery::newest(9)).await.unwrap().value.into_iter();
    listed.map(|one| (one.report.id, one.published_at)).collect()
}

#[tokio::test]
async fn what_was_withdrawn_is_published_again_at_its_old_place() {
    let database = Database::new().await;
    let ids = ["a".to_owned()];
    database.store.reports().import(&[report("a", Spirit)], Mode::Approve).await.unwrap();
    let store = database.at(instant(START) + chrono::TimeDelta::hours(1));
    store.reports().import(&[report("b", Spirit)], Mode::Approve).await.unwrap();
    let before = public(&store).await;
    assert_eq!(before[1].0, "a");
    let total = async || {
        let today = instant(START).date_naive();
        store.counters().metrics(&Filter::default(), today).await.unwrap().value.by_type
    };
    let counted = total().await;

    store.reports().decide(Step::Withdraw, &ids).await.unwrap();
    let revision = store.last_change().await.unwrap().revision;
    // Corrections of a withdrawn report are kept.
    let correct = |known: &domain::report::NewReport| -> Result<_, ()> {
        Ok(domain::report::NewReport { people_count: 77, ..known.clone() })
    };
    store.reports().correct("a", correct).await.unwrap();
    let store = database.at(instant(START) + chrono::TimeDelta::hours(2));
    let restored = store.reports().decide(Step::Restore, &["a", "b"].map(str::to_owned)).await;
    let refused = Decision::Refused { is: Status::Approved, asked: Status::Approved };
    let expected = [("a".to_owned(), Decision::Done), ("b".to_owned(), refused)];
    assert_eq!(restored.unwrap(), expected);
    assert_eq!(public(&store).await, before);
    assert_eq!(total().await, counted);
    assert_eq!(store.last_change().await.unwrap().revision, revision + 1);
    assert_eq!(store.check().await.unwrap().differences, []);
    let found = store.reports().find("a").await.unwrap().unwrap().0;
    assert_eq!((found.people_count, found.status), (77, Status::Approved));
}
