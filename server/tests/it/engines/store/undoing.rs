//! Decisions on many reports, and undoing them.

use chrono::TimeDelta;
use domain::{
    action::Action,
    actor::Actor,
    reason::Reason,
    report::{NewReport, Status, Step},
};
use model::ReportType::Spirit;
use store::{AuditQuery, Mode, OwnDecision, ReportList, ReportsQuery, Selection, Store, Undone};

use crate::harness::{Database, START, instant, report};

/// More than any batch of a decision.
const MANY: usize = 4_500;

async fn filled(reports: usize) -> (Database, Store) {
    let database = Database::new().await;
    let rows: Vec<NewReport> =
        (0..reports).map(|number| report(&format!("r-{number}"), Spirit)).collect();
    database.store.reports().import(&rows, Mode::Pending).await.unwrap();
    let store = acting(&database.store, "maria");
    (database, store)
}

fn acting(store: &Store, name: &str) -> Store {
    store.clone().acting(Actor { name: name.into(), key: None, origin: "web1".into() })
}

/// Decides on all reports that allow a step, in batches.
async fn all(store: &Store, step: Step) {
    let mut selected = store.reports().select(step, &Selection::default()).await.unwrap();
    let mut batches = store.reports().batches(step);
    while !selected.is_empty() {
        batches.next_selected(&mut selected).await.unwrap();
    }
}

async fn own(store: &Store) -> Vec<OwnDecision> {
    let since = instant(START) - TimeDelta::minutes(10);
    store.audit_log().own_decisions(since, 10).await.unwrap()
}

/// Undoes a decision to its end.
async fn undo(store: &Store, number: i64) -> Option<Undone> {
    let since = instant(START) - TimeDelta::minutes(10);
    let mut undoing = store.reports().undoing(number, since).await.unwrap()?;
    let mut all = Undone::default();
    while let Some(Undone { undone, left }) = undoing.next_batch().await.unwrap() {
        all = Undone { undone: all.undone + undone, left: all.left + left };
    }
    Some(all)
}

async fn count(store: &Store, status: Status) -> usize {
    let selection = Selection { status: Some(status), ..Selection::default() };
    let list = ReportList { selection, limit: 10_000, ..ReportList::default() };
    store.reports().list(&list).await.unwrap().reports.len()
}

#[tokio::test]
async fn a_decision_on_any_number_of_reports_is_one_and_is_undone_as_one() {
    let (database, store) = filled(MANY).await;
    all(&store, Step::Reject).await;
    let entries = database.count("SELECT count(*) FROM audit_log").await;
    assert!(entries > 3, "{entries}: the decision took several transactions");
    let decisions = own(&store).await;
    assert_eq!(decisions.len(), 1);
    assert_eq!((decisions[0].action, decisions[0].reports), (Action::Reject, MANY as u64));
    assert_eq!(decisions[0].only, None);
    // A colleague has reopened one of them.
    let jo = acting(&database.store, "jo");
    jo.reports().decide(Step::Reopen, &["r-7".to_owned()]).await.unwrap();
    assert_eq!(undo(&jo, decisions[0].number).await, None, "it was not Jo's");
    let undone = Undone { undone: MANY as u64 - 1, left: 1 };
    assert_eq!(undo(&store, decisions[0].number).await, Some(undone));
    assert_eq!(count(&store, Status::Pending).await, MANY);
    assert_eq!(own(&store).await, []);
    assert_eq!(own(&jo).await.len(), 1);
}

#[tokio::test]
async fn an_undoing_that_broke_off_is_completed_by_undoing_again() {
    let (_database, store) = filled(300).await;
    all(&store, Step::Approve).await;
    let number = own(&store).await[0].number;
    let since = instant(START) - TimeDelta::minutes(10);
    let mut undoing = store.reports().undoing(number, since).await.unwrap().unwrap();
    let first = undoing.next_batch().await.unwrap().unwrap();
    assert!(first.undone > 0 && first.undone < 300, "{first:?}");
    drop(undoing);
    assert_eq!(own(&store).await[0].number, number, "it can still be undone");
    assert_eq!(undo(&store, number).await, Some(Undone { undone: 300, left: 0 }));
    assert_eq!(count(&store, Status::Pending).await, 300);
    assert_eq!(own(&store).await, []);
    assert_eq!(store.check().await.unwrap().differences, []);
}

#[tokio::test]
async fn a_decision_on_many_ids_is_one() {
    let (_database, store) = filled(200).await;
    let ids: Vec<String> = (0..200).map(|number| format!("r-{number}")).collect();
    let mut batches =
        store.reports().batches(Step::Approve).because(Reason::parse("Checked").unwrap());
    let mut rest = &ids[..];
    while !rest.is_empty() {
        (_, rest) = batches.next_ids(rest).await.unwrap();
    }
    let decisions = own(&store).await;
    assert_eq!(decisions.iter().map(|one| one.reports).collect::<Vec<_>>(), [200]);
    let about =
        |id: &str| AuditQuery { report: Some(id.to_owned()), limit: 9, ..AuditQuery::default() };
    for id in ["r-0", "r-199"] {
        let entries = store.audit_log().entries(&about(id)).await.unwrap().entries;
        assert_eq!(entries[0].reason(), Some("Checked"), "{id}");
    }
}

/// Undoing brings back the status that each report had, for every step.
#[tokio::test]
async fn every_step_is_undone() {
    let (_database, store) = filled(6).await;
    let ids = |numbers: &[u8]| -> Vec<String> {
        numbers.iter().map(|number| format!("r-{number}")).collect()
    };
    let decide = async |step, numbers: &[u8]| {
        store.reports().decide(step, &ids(numbers)).await.unwrap();
    };
    let statuses = async || {
        let mut all = String::new();
        for number in 0..6 {
            let report = store.reports().find(&format!("r-{number}")).await.unwrap();
            all.push_str(&report.unwrap().0.status.as_str()[..1]);
        }
        all
    };
    let public = async || {
        let query = ReportsQuery::newest(9);
        let listed = store.reports().recent(&query).await.unwrap().value.into_iter();
        listed.map(|one| (one.report.id, one.published_at)).collect::<Vec<_>>()
    };
    decide(Step::Approve, &[0, 1, 2]).await;
    decide(Step::Withdraw, &[1, 2]).await;
    decide(Step::Reject, &[3, 4]).await;
    assert_eq!(statuses().await, "AWWRRP");
    for (step, numbers, after) in [
        (Step::Approve, &[5][..], "AWWRRA"),
        (Step::Reject, &[5], "AWWRRR"),
        (Step::Withdraw, &[0], "WWWRRP"),
        (Step::Restore, &[1, 2], "AAARRP"),
        (Step::Reopen, &[2, 3], "AWPPRP"),
    ] {
        let before = public().await;
        decide(step, numbers).await;
        assert_eq!(statuses().await, after, "{step:?}");
        let number = own(&store).await[0].number;
        let undone = Undone { undone: numbers.len() as u64, left: 0 };
        assert_eq!(undo(&store, number).await, Some(undone), "{step:?}");
        assert_eq!(statuses().await, "AWWRRP", "{step:?}");
        assert_eq!(public().await, before, "{step:?}");
        assert_eq!(store.check().await.unwrap().differences, [], "{step:?}");
    }
}

#[tokio::test]
async fn nothing_is_undone_after_its_time() {
    let (_database, store) = filled(1).await;
    all(&store, Step::Reject).await;
    let number = own(&store).await[0].number;
    let later = instant(START) + TimeDelta::minutes(1);
    assert!(store.reports().undoing(number, later).await.unwrap().is_none());
    assert_eq!(store.audit_log().own_decisions(later, 10).await.unwrap(), []);
    assert_eq!(count(&store, Status::Rejected).await, 1);
}
