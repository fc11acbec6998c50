use std::time::Duration;

use base::clock::Clock;
use chrono::NaiveDate;
use domain::{action::Action, actor::Actor, report::Step};
use model::ReportType::Spirit;
use store::{AuditQuery, DayCount, Mode, Store};

use crate::harness::{But, Database, START, instant, report};

/// Store that acts in the name of a person.
fn acting(database: &Database, name: &str) -> Store {
    let actor = Actor { name: name.into(), key: None, origin: "web1".into() };
    database.store.clone().acting(actor)
}

fn ids(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

/// Entries of a query, in pages of two: who did what with what.
async fn found(store: &Store, query: AuditQuery) -> Vec<String> {
    let mut query = AuditQuery { limit: 2, ..query };
    let mut found = Vec::new();
    loop {
        let page = store.audit_log().entries(&query).await.unwrap();
        assert!(page.next.is_none() || page.entries.len() == 2, "each page but the last is full");
        for entry in page.entries {
            found.push(format!("{} {} {}", entry.actor, entry.action.as_str(), entry.subject));
        }
        if page.next.is_none() {
            return found;
        }
        query.before = page.next;
    }
}

/// Four days of work: three decisions and a withdrawal.
async fn worked() -> Database {
    let clock = Clock::stepped(instant(START));
    let database = Database::timed_by(clock.clone()).await;
    let reports: Vec<_> = ["a", "b", "b2", "c"].into_iter().map(|id| report(id, Spirit)).collect();
    let import = acting(&database, "ada");
    import.reports().import(&reports, Mode::Pending).await.unwrap();
    for (name, step, those) in [
        ("maria", Step::Approve, ["a", "b"].as_slice()),
        ("jo", Step::Reject, &["c"]),
        ("maria", Step::Approve, &["b2"]),
        ("jo", Step::Withdraw, &["b"]),
    ] {
        acting(&database, name).reports().decide(step, &ids(those)).await.unwrap();
        clock.advance(Duration::from_secs(86_400));
    }
    database
}

#[tokio::test]
async fn entries_are_found_by_person_action_subject_and_period() {
    let database = worked().await;
    let store = &database.store;
    let all = [
        "jo reports.withdraw b",
        "maria reports.approve b2",
        "jo reports.reject c",
        "maria reports.approve 2 reports",
    ];
    let none = AuditQuery::default;
    let text = |text: &str| Some(text.to_owned());
    let at = |day: &str| Some(instant(&format!("{day}T00:00:00.000Z")));
    for (what, query, expected) in [
        ("everything", none(), &all[..]),
        ("a person", AuditQuery { actor: text("jo"), ..none() }, &[all[0], all[2]]),
        ("nobody", AuditQuery { actor: text("j"), ..none() }, &[]),
        ("an action", AuditQuery { action: Some(Action::Approve), ..none() }, &[all[1], all[3]]),
        (
            "an action of a person",
            AuditQuery { action: Some(Action::Reject), actor: text("jo"), ..none() },
            &[all[2]],
        ),
        ("a subject", AuditQuery { subject: text("b"), ..none() }, &all[..2]),
        ("a whole subject", AuditQuery { subject: text("b2"), ..none() }, &[all[1]]),
        ("no subject", AuditQuery { subject: text("B"), ..none() }, &[]),
        ("a report", AuditQuery { report: text("b"), ..none() }, &[all[0], all[3]]),
        ("no report", AuditQuery { report: text("x"), ..none() }, &[]),
        (
            "a period",
            AuditQuery { from: at("2026-03-02"), to: at("2026-03-04"), ..none() },
            &all[1..3],
        ),
        (
            "a period of a person",
            AuditQuery { from: at("2026-03-02"), actor: text("maria"), ..none() },
            &[all[1]],
        ),
    ] {
        assert_eq!(found(store, query).await, expected, "{what}");
    }
    assert_eq!(store.audit_log().actors(10).await.unwrap(), ["jo", "maria"]);
    assert_eq!(store.audit_log().actors(1).await.unwrap(), ["jo"]);
    database.store.close().await;
}

/// More entries than are looked up by their subject.
#[tokio::test]
async fn a_frequent_subject_is_found_page_by_page_too() {
    let database = Database::new().await;
    let several_at_once =
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10200)
        INSERT INTO audit_log (at, actor, origin, action, subject)
        SELECT 1000 + i / 7, 'maria', 'web1', 'reports.reject', 'r-' || i FROM n";
    database.tamper(several_at_once).await;
    let mut query =
        AuditQuery { subject: Some("r-".to_owned()), limit: 5_000, ..AuditQuery::default() };
    let (mut pages, mut last) = (Vec::new(), i64::MAX);
    loop {
        let page = database.store.audit_log().entries(&query).await.unwrap();
        pages.push(page.entries.len());
        for entry in &page.entries {
            assert!(entry.seq < last, "newest first, and each once");
            last = entry.seq;
        }
        query.before = page.next;
        if page.next.is_none() {
            break;
        }
    }
    assert_eq!(pages, [5_000, 5_000, 200]);
    database.store.close().await;
}

#[tokio::test]
async fn the_reports_of_an_entry_are_listed_page_by_page() {
    let database = worked().await;
    let log = || database.store.audit_log();
    let entries = log().entries(&AuditQuery { limit: 10, ..AuditQuery::default() }).await.unwrap();
    let entry = |subject: &str| {
        let found = entries.entries.iter().find(|entry| entry.subject == subject).unwrap();
        (found.seq, found.is_about_one)
    };
    let ids = |listed: &store::Listed| -> Vec<String> {
        listed.reports.iter().map(|report| report.id.clone()).collect()
    };
    let (several, is_about_one) = entry("2 reports");
    assert!(!is_about_one);
    let first = log().reports_of(several, None, 1).await.unwrap();
    assert_eq!(ids(&first), ["a"]);
    let second = log().reports_of(several, first.next.map(|next| next.seq), 1).await.unwrap();
    assert_eq!((ids(&second), second.next), (vec!["b".to_owned()], None));
    let (one, is_about_one) = entry("c");
    assert!(is_about_one);
    assert_eq!(ids(&log().reports_of(one, None, 10).await.unwrap()), ["c"]);
    assert_eq!(ids(&log().reports_of(1_000, None, 10).await.unwrap()), [""; 0]);
    assert_eq!(log().entry(several).await.unwrap().unwrap().subject, "2 reports");
    assert_eq!(log().entry(1_000).await.unwrap(), None);
    database.store.close().await;
}

#[tokio::test]
async fn reports_are_counted_for_each_person_and_day() {
    let database = worked().await;
    let maria = acting(&database, "maria");
    let corrected =
        |report: &domain::report::NewReport| Ok::<_, ()>(report.clone().on("2026-02-01"));
    for id in ["a", "c"] {
        maria.reports().correct(id, corrected).await.unwrap();
    }
    let day = |day: &str| day.parse::<NaiveDate>().unwrap();
    let count = |on: &str, actor: &str, action, reports| DayCount {
        day: day(on),
        actor: actor.to_owned(),
        action,
        reports,
    };
    let counted = [
        count("2026-03-05", "maria", Action::Correct, 2),
        count("2026-03-04", "jo", Action::Withdraw, 1),
        count("2026-03-03", "maria", Action::Approve, 1),
        count("2026-03-02", "jo", Action::Reject, 1),
        count("2026-03-01", "maria", Action::Approve, 2),
    ];
    let days = |since: &str| database.store.audit_log().days(day(since));
    assert_eq!(days("2026-03-01").await.unwrap(), counted);
    assert_eq!(days("2026-03-03").await.unwrap(), counted[..3]);
    database.store.close().await;
}

#[tokio::test]
async fn a_decision_of_several_transactions_is_one_entry() {
    let database = Database::new().await;
    database
        .tamper(
            "INSERT INTO audit_log (seq, at, actor, origin, action, subject, reports, decision)
             VALUES (11, 1, 'jo', 'web1', 'reports.reject', '2 reports', 2, NULL),
                    (12, 2, 'jo', 'web1', 'reports.reject', '3 reports', 3, 11),
                    (13, 3, 'jo', 'web1', 'reports.approve', '4 reports', 4, NULL),
                    (14, 4, 'jo', 'web1', 'reports.undo', '3 reports', 3, 11),
                    (15, 5, 'jo', 'web1', 'reports.undo', '2 reports', 2, 11)",
        )
        .await;
    let query = AuditQuery { limit: 10, whole_decisions: true, ..AuditQuery::default() };
    let page = database.store.audit_log().entries(&query).await.unwrap();
    let found: Vec<_> =
        page.entries.iter().map(|entry| (entry.seq, entry.action, entry.reports)).collect();
    let expected = [(14, Action::Undo, 5), (13, Action::Approve, 4), (11, Action::Reject, 5)];
    assert_eq!(found, expected);
    let query = AuditQuery { whole_decisions: false, ..query };
    let page = database.store.audit_log().entries(&query).await.unwrap();
    assert_eq!(page.entries.len(), 5);
    database.store.close().await;
}
