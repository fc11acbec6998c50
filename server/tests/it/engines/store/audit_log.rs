use domain::actor::Actor;
use domain::report::Step;
use model::ReportType::{Spirit, Water};
use store::Mode;

use crate::harness::{Database, Engine, report};

const ENTRIES: &str = "SELECT count(*) FROM audit_log WHERE actor = 'maria'";
const REPORTS: &str = "SELECT count(*) FROM audited_reports";

#[tokio::test]
async fn whatever_has_the_database_open_can_only_add_to_it() {
    let database = Database::new().await;
    let maria = Actor { name: "maria".into(), key: None, origin: "web1".into() };
    let store = database.store.clone().acting(maria);
    store
        .reports()
        .import(&[report("a", Spirit), report("b", Water)], Mode::Approve)
        .await
        .unwrap();
    store.reports().decide(Step::Withdraw, &["a".to_owned(), "b".to_owned()]).await.unwrap();
    let before = (database.count(ENTRIES).await, database.count(REPORTS).await);
    assert_eq!(before, (1, 2));
    let of_the_engine: &[&str] = match database.engine() {
        Engine::Sqlite => {
            &["INSERT OR REPLACE INTO audit_log SELECT seq, at, 'jo', key_prefix, origin, action, \
             subject, report_seq, before, after, reports, decision FROM audit_log LIMIT 1"]
        }
        Engine::Postgres => &["TRUNCATE audit_log", "TRUNCATE audited_reports"],
    };
    let of_all = [
        "UPDATE audit_log SET actor = 'jo'",
        "DELETE FROM audit_log",
        "UPDATE audited_reports SET entry_seq = 1000",
        "DELETE FROM audited_reports",
    ];
    for statement in of_all.iter().chain(of_the_engine) {
        let refused = database.attempt(statement).await.unwrap_err();
        assert!(refused.contains("the audit log is append-only"), "{statement}: {refused}");
        assert_eq!((database.count(ENTRIES).await, database.count(REPORTS).await), before);
    }
    database.store.close().await;
}
