use model::ReportType::Spirit;
use serde_json::json;
use store::Mode;

use crate::{
    harness::{Engine, report},
    operator::{Desk, START},
};

#[tokio::test]
async fn the_status_says_how_the_node_is_and_what_waits() {
    let desk = Desk::new().await;
    let store = &desk.running.database.store;
    store.reports().import(&[report("r-1", Spirit)], Mode::Pending).await.unwrap();
    desk.running.publish(&[report("r-2", Spirit)]).await;
    let mut status = desk.get("/operator/v1/status").await;
    assert!(status["data"]["version"].take().is_i64(), "{status}");
    assert!(status["data"]["ageMs"].take().is_u64(), "{status}");
    assert_eq!(
        status,
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "database": match desk.running.database.engine() {
                Engine::Sqlite => "sqlite",
                Engine::Postgres => "postgres",
            },
            "problems": [],
            "data": { "version": null, "changedAt": START, "ageMs": null },
            "reports": { "approved": 1, "pending": 1 },
            "webhooks": { "active": 0, "disabled": 0, "pending": 0, "oldestSeconds": 0 },
            "openStreams": 0,
        })
    );
}
