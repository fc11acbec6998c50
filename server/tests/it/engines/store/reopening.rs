//! Reports that are reopened and decided on again.

use domain::report::Status;
use domain::report::Step;
use model::ReportType::Spirit;
use store::{Decision, Mode, ReportList, ReportsQuery, Selection};

use crate::harness::{But, Database, START, instant, report};

#[tokio::test]
async fn what_is_approved_once_more_is_published_at_that_time() {
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
    store.reports().decide(Step::Approve, &id).await.unwrap();
    let published = store.reports().recent(&ReportsQuery::newest(9)).await.unwrap().value;
    let published: Vec<_> =
        published.iter().map(|listed| (listed.report.id.as_str(), listed.published_at)).collect();
    assert_eq!(published, [("a", later), ("b", instant("2026-03-01T10:00:00.000Z"))]);
    assert_eq!(store.check().await.unwrap().differences, []);
}
