use model::ReportType::{Spirit, Water};
use serde_json::json;
use store::Mode;

use crate::{
    harness::{But, report},
    operator::Desk,
};

async fn filled() -> Desk {
    let desk = Desk::new().await;
    let reports = [
        report("r-1", Spirit).on("2026-02-01"),
        report("r-2", Water).on("2026-02-02"),
        report("r-3", Water).on("2026-02-03"),
    ];
    desk.running.database.store.reports().import(&reports, Mode::Pending).await.unwrap();
    desk
}

#[tokio::test]
async fn reports_are_decided_on_and_the_public_sees_it() {
    let desk = filled().await;
    let decided = desk.decide("approve", json!({ "ids": ["r-1", "r-2", "r-9", "r-1"] })).await;
    assert_eq!(
        decided,
        json!({ "changed": 2, "refused": [{ "id": "r-9", "reason": "there is no report with this id" }] })
    );
    desk.running.service.app.snapshots.refresh().await;
    assert_eq!(desk.running.json("/api/v1/metrics").await["total"], 2);
    let again = desk.decide("reject", json!({ "ids": ["r-1", "r-3"] })).await;
    let reason =
        "it is APPROVED and cannot become REJECTED: Maria approved it on 1 Mar 2026, 12:00 UTC";
    assert_eq!(again, json!({ "changed": 1, "refused": [{ "id": "r-1", "reason": reason }] }));
    desk.decide("withdraw", json!({ "ids": ["r-1"] })).await;
    desk.decide("reopen", json!({ "ids": ["r-3"] })).await;
    assert_eq!(desk.ids("?status=PENDING").await, ["r-3"]);
    assert_eq!(desk.ids("?status=WITHDRAWN").await, ["r-1"]);
    let log = desk.get("/operator/v1/audit").await;
    let actions: Vec<_> =
        log["items"].as_array().unwrap().iter().map(|entry| &entry["action"]).collect();
    let expected = ["reports.reopen", "reports.withdraw", "reports.reject", "reports.approve"];
    assert_eq!(actions, expected);
    let restored = desk.decide("restore", json!({ "ids": ["r-1", "r-3"] })).await;
    let refused =
        "it is PENDING and cannot become APPROVED: Maria reopened it on 1 Mar 2026, 12:00 UTC";
    assert_eq!(restored, json!({ "changed": 1, "refused": [{ "id": "r-3", "reason": refused }] }));
    let approvals = desk.get("/operator/v1/audit?action=reports.approve&actor=Maria").await;
    assert_eq!(approvals["items"][0]["subject"], "2 reports");
}

#[tokio::test]
async fn the_reason_of_a_decision_is_in_the_history_and_the_second_operator_reads_it() {
    let desk = filled().await;
    desk.decide("reject", json!({ "ids": ["r-1"], "reason": " Not\n credible " })).await;
    desk.decide("reject", json!({ "filter": { "type": "water" }, "reason": "Test" })).await;
    let history = desk.get("/operator/v1/reports/r-1").await["history"].clone();
    assert_eq!(history[0]["after"], json!({ "status": "REJECTED", "reason": "Not credible" }));
    let again = desk.decide("approve", json!({ "ids": ["r-1", "r-2"], "reason": null })).await;
    let reason = |id: &str, reason: &str| {
        let who = "Maria rejected it on 1 Mar 2026, 12:00 UTC";
        let reason = format!("it is REJECTED and cannot become APPROVED: {who} ({reason})");
        json!({ "id": id, "reason": reason })
    };
    let refused = [reason("r-1", "Not credible"), reason("r-2", "Test")];
    assert_eq!(again, json!({ "changed": 0, "refused": refused }));
}

#[tokio::test]
async fn a_filter_or_an_import_selects_many() {
    let desk = filled().await;
    let none = json!({ "changed": 0, "refused": [] });
    assert_eq!(desk.decide("withdraw", json!({ "filter": { "type": "water" } })).await, none);
    let filter = json!({ "filter": { "type": "water", "country": "br", "from": "2026-02-03" } });
    assert_eq!(desk.decide("approve", filter).await, json!({ "changed": 1, "refused": [] }));
    assert_eq!(desk.ids("?status=APPROVED").await, ["r-3"]);
    let csv = "id,type,city,country\na,spirit,Recife,Brazil\nb,water,Recife,Brazil\n";
    let added = desk.post("/operator/v1/reports", "text/csv", csv).await.json();
    let import = json!({ "import": added["import"] });
    assert_eq!(desk.decide("reject", import).await, json!({ "changed": 2, "refused": [] }));
    assert_eq!(desk.ids("?status=REJECTED").await, ["b", "a"]);
    let imports = desk.get("/operator/v1/imports").await;
    assert_eq!(imports["items"][0]["id"], added["import"]);
    assert_eq!(imports["items"][0]["reports"]["rejected"], 2);
}

#[tokio::test]
async fn what_selects_nothing_in_particular_is_refused() {
    let desk = filled().await;
    for (body, status, code) in [
        (json!({}), 400, "INVALID_BODY"),
        (json!({ "ids": "r-1" }), 400, "INVALID_BODY"),
        (json!({ "ids": ["r-1"], "import": "imp_1m8230hv5" }), 400, "INVALID_BODY"),
        (json!({ "filter": {} }), 400, "INVALID_FILTER"),
        (json!({ "filter": { "q": " " } }), 400, "INVALID_FILTER"),
        (json!({ "filter": { "contry": "BR" } }), 400, "INVALID_BODY"),
        (json!({ "filter": { "type": "fire" } }), 400, "INVALID_FILTER"),
        (json!({ "filter": { "to": "tomorrow" } }), 400, "INVALID_FILTER"),
        (json!({ "import": "all" }), 400, "INVALID_FILTER"),
    ] {
        let path = "/operator/v1/reports/approve";
        let answer = desk.post(path, "application/json", body.to_string()).await;
        assert_eq!((answer.status, &answer.json()["code"]), (status, &json!(code)), "{body}");
    }
    assert_eq!(desk.ids("?status=PENDING").await, ["r-3", "r-2", "r-1"]);
}
