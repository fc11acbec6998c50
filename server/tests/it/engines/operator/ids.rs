//! Ids of reports: any text is valid, even if it has a meaning in a path or for a proxy.

use model::ReportType::Spirit;
use reqwest::Method;
use serde_json::{Value, json};
use store::Mode;

use crate::{
    harness::{Answer, report},
    operator::Desk,
};

/// Ids that clients, proxies or the router misread in a path.
const AWKWARD: [&str; 13] = [
    "approve", "reject", "withdraw", "reopen", "restore", ".", "..", "a/b", "?", "#1", "%2e",
    "é +&=", "a;b",
];

async fn by_id(desk: &Desk, method: Method, id: &str, body: Option<Value>) -> Answer {
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("id", id).finish();
    let body = body.map(|body| ("application/json", body.to_string()));
    desk.ask(&desk.key, method, &format!("/operator/v1/report?{query}"), body).await
}

#[tokio::test]
async fn a_report_is_read_and_corrected_whatever_its_id_is() {
    let desk = Desk::new().await;
    let lines = AWKWARD.map(|id| {
        json!({ "id": id, "type": "spirit", "city": "Lyon", "country": "France" }).to_string()
    });
    let added = desk.post("/operator/v1/reports", "application/x-ndjson", lines.join("\n")).await;
    assert_eq!(added.json()["imported"], AWKWARD.len(), "{}", added.text());
    for id in AWKWARD {
        let corrected = by_id(&desk, Method::PATCH, id, Some(json!({ "peopleCount": 7 }))).await;
        assert_eq!(corrected.status, 200, "{id}: {}", corrected.text());
        let shown = by_id(&desk, Method::GET, id, None).await;
        assert_eq!((shown.status, shown.json()), (200, corrected.json()), "{id}");
        let shown = shown.json();
        assert_eq!((&shown["id"], &shown["peopleCount"]), (&json!(id), &json!(7)));
        assert_eq!(shown["history"][0]["subject"], id);
        let decided = desk.decide("approve", json!({ "ids": [id] })).await;
        assert_eq!(decided, json!({ "changed": 1, "refused": [] }));
    }
    let unknown = by_id(&desk, Method::GET, "none", None).await;
    assert_eq!((unknown.status, &unknown.json()["code"]), (404, &json!("NOT_FOUND")));
    let missing = desk.ask(&desk.key, Method::GET, "/operator/v1/report", None).await;
    assert_eq!((missing.status, &missing.json()["code"]), (400, &json!("INVALID_PARAMETER")));
}

#[tokio::test]
async fn what_cannot_be_seen_is_in_no_new_id_and_a_stored_one_stays_within_reach() {
    let desk = Desk::new().await;
    for (id, code) in [
        ("\u{200b}", "U+200B"),
        ("r-1\u{feff}x", "U+FEFF"),
        ("r\u{ad}1", "U+00AD"),
        ("\u{3164}", "U+3164"),
        ("a\u{2028}b", "U+2028"),
    ] {
        let row = json!({ "id": id, "type": "spirit", "city": "Lyon", "country": "France" });
        let answer = desk.post("/operator/v1/reports", "application/json", row.to_string()).await;
        let reason = format!("has an invisible character ({code})");
        assert_eq!(
            (answer.status, &answer.json()["errors"]),
            (422, &json!([{ "line": 1, "pointer": "/id", "detail": reason }])),
            "{id:?}"
        );
    }
    let store = &desk.running.database.store;
    store.reports().import(&[report("\u{200b}", Spirit)], Mode::Approve).await.unwrap();
    let corrected =
        by_id(&desk, Method::PATCH, "\u{200b}", Some(json!({ "peopleCount": 7 }))).await;
    assert_eq!(corrected.status, 200, "{}", corrected.text());
    let shown = desk.get("/operator/v1/reports/%E2%80%8B").await;
    assert_eq!((&shown["id"], &shown["peopleCount"]), (&json!("\u{200b}"), &json!(7)));
}
