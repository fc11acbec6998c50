//! Rolling upgrades: this binary is the older one, and a newer one has migrated the database.

use domain::tier::Tier;
use model::ReportType::{Spirit, Water};
use store::{self, Missing};

use crate::harness::{Database, NEWER_MIGRATION, Running, report};

#[tokio::test]
async fn who_runs_goes_on_when_a_newer_binary_has_added_to_the_database() {
    let running = Running::new().await;
    running.publish(&[report("a", Spirit), report("b", Water)]).await;
    running.key("first", Tier::Partner).await;
    running.database.tamper(NEWER_MIGRATION).await;
    running.publish(&[report("c", Water)]).await;
    running.withdraw("a").await;
    running.key("second", Tier::Partner).await;
    let metrics = running.json("/api/v1/metrics").await;
    assert_eq!([&metrics["total"], &metrics["spirit"], &metrics["water"]], [2, 0, 2]);
    let reports = running.json("/api/v1/reports").await;
    let reports = reports["reports"].as_array().unwrap();
    let ids: Vec<_> = reports.iter().map(|report| report["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["c", "b"]);
    assert_eq!(running.database.store.check().await.unwrap().differences, []);
}

#[tokio::test]
async fn an_older_binary_may_be_started_again_while_others_are_newer() {
    let database = Database::new().await;
    database.tamper(NEWER_MIGRATION).await;
    for missing in [Missing::Create, Missing::Refuse] {
        let store = store::open_url(&database.url(), missing).await.unwrap();
        assert_eq!(store.check().await.unwrap().differences, []);
        store.close().await;
    }
    database.tamper("UPDATE compatibility SET oldest = 9999").await;
    for missing in [Missing::Create, Missing::Refuse] {
        let refused = store::open_url(&database.url(), missing).await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the database is newer than this binary (it has migration 9999): \
             run the svc that wrote it, or a newer one"
        );
    }
}
