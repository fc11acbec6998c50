use http::Method;
use serde_json::{Value, json};

use crate::operator::Desk;

const REPORTS: &str = "/operator/v1/reports";

fn one(id: &str) -> String {
    json!({ "id": id, "type": "spirit", "city": "Campinas", "country": "Brazil" }).to_string()
}

/// Splits the response into the body without the import's id, and whether there was an id.
fn added(mut body: Value) -> (Value, bool) {
    let import = body["import"].take();
    (body, import.as_str().is_some_and(|id| id.starts_with("imp_")))
}

fn summary(imported: u64, skipped: u64, reasons: Value) -> Value {
    let refused = reasons.as_array().unwrap().len() as u64;
    json!({
        "rows": imported + skipped + refused, "imported": imported, "skipped": skipped,
        "refused": refused, "import": null, "reasons": reasons,
    })
}

#[tokio::test]
async fn a_report_is_added_once_however_often_it_is_sent() {
    let desk = Desk::new().await;
    let first = desk.post(REPORTS, "application/json", one("r-1")).await;
    assert_eq!((first.status, added(first.json())), (201, (summary(1, 0, json!([])), true)));
    let again = desk.post(REPORTS, "application/json", one("r-1")).await;
    assert_eq!((again.status, added(again.json()).0), (200, summary(0, 1, json!([]))));
    let shown = desk.get("/operator/v1/reports/r-1").await;
    assert_eq!((&shown["status"], &shown["import"]), (&json!("PENDING"), &first.json()["import"]));
}

#[tokio::test]
async fn lines_are_checked_as_those_of_a_file_are() {
    let desk = Desk::new().await;
    let lines = [
        one("r-1"),
        "{\"id\":\"r-2\",\"type\":\"fire\",\"city\":\"Oslo\",\"country\":\"Norway\"}".to_owned(),
        one("r-3"),
    ];
    let answer = desk.post(REPORTS, "application/x-ndjson", lines.join("\n")).await;
    let (body, _) = added(answer.json());
    let reasons = json!([{ "line": 2, "field": "type", "reason": body["reasons"][0]["reason"] }]);
    assert_eq!((answer.status, &body), (201, &summary(2, 0, reasons)));
    assert!(body["reasons"][0]["reason"].as_str().unwrap().contains("fire"));
    assert_eq!(desk.ids("").await, ["r-3", "r-1"]);
}

#[tokio::test]
async fn if_nothing_is_right_nothing_is_added_and_the_status_says_so() {
    let desk = Desk::new().await;
    let answer = desk.post(REPORTS, "application/json", "42").await;
    let body = answer.json();
    assert_eq!((answer.status, &body["code"]), (422, &json!("INVALID_REPORT")));
    assert_eq!(body["detail"], "The report is refused: line 1: is not a JSON object.");
    let rows = "type,city,country,peopelCount\nspirit,,France,1\nfire,Lyon,France,2\n";
    let body = desk.post(REPORTS, "text/csv", rows).await.json();
    assert_eq!(body["detail"], "All 2 reports are refused: line 2: city: is empty.");
    assert_eq!(body["errors"][0], json!({ "line": 2, "pointer": "/city", "detail": "is empty" }));
    assert_eq!(body["errors"][1]["line"], 3);
    let hint = body["errors"].as_array().unwrap().last().unwrap();
    let detail = "the column \"peopelCount\" is not used (is it meant to be peopleCount?)";
    assert_eq!(hint, &json!({ "detail": detail }));
    assert_eq!(desk.ids("").await, [""; 0]);
}

#[tokio::test]
async fn reports_may_be_published_at_once() {
    let desk = Desk::new().await;
    let csv = "id,type,city,country\nr-1,water,Oslo,Norway\nr-2,both,Oslo,Norway\n";
    let path = format!("{REPORTS}?approve=true");
    assert_eq!(desk.post(&path, "text/csv; charset=utf-8", csv).await.status, 201);
    desk.running.service.app.snapshots.refresh().await;
    assert_eq!(desk.running.json("/api/v1/metrics").await["total"], 2);
}

#[tokio::test]
async fn a_report_says_who_published_it_by_adding_it() {
    let desk = Desk::new().await;
    let path = format!("{REPORTS}?approve=true");
    let added = desk.post(&path, "application/json", one("r-1")).await.json();
    desk.post(REPORTS, "application/json", one("r-2")).await;
    let shown = desk.get("/operator/v1/reports/r-1").await;
    let [only] = &shown["history"].as_array().unwrap()[..] else { panic!("{shown}") };
    assert_eq!((&only["actor"], &only["action"]), (&json!("Maria"), &json!("reports.import")));
    assert_eq!((&only["subject"], &only["after"]["mode"]), (&added["import"], &json!("approve")));
    let log = desk.get("/operator/v1/audit?report=r-1").await;
    assert_eq!(log["items"], shown["history"]);
    let late = desk.decide("reject", json!({ "ids": ["r-1"] })).await;
    let reason =
        "it is APPROVED and cannot become REJECTED: Maria published it on 1 Mar 2026, 12:00 UTC";
    assert_eq!(late["refused"][0]["reason"], reason);
    let pending = desk.decide("withdraw", json!({ "ids": ["r-2"] })).await;
    assert_eq!(pending["refused"][0]["reason"], "it is PENDING and cannot become WITHDRAWN");
}

#[tokio::test]
async fn what_cannot_be_imported_is_a_problem() {
    let desk = Desk::new().await;
    for (kind, body, status, code) in [
        ("text/plain", "hello", 415, "UNSUPPORTED_MEDIA_TYPE"),
        ("text/csv", "name,colour\n1,2\n", 400, "INVALID_CSV"),
        ("application/x-ndjson", "[1", 400, "INVALID_JSON"),
    ] {
        let answer = desk.post(REPORTS, kind, body).await;
        assert_eq!(
            (answer.status, &answer.json()["code"]),
            (status, &json!(code)),
            "{kind} {}",
            answer.text()
        );
    }
    let answer = desk.post(&format!("{REPORTS}?approve=yes"), "application/json", one("r-1")).await;
    assert_eq!(answer.json()["detail"], "\"approve\" is \"yes\": give one of true, false.");
    assert_eq!(desk.ids("").await, [""; 0]);
}

/// Clocks of other machines may be some minutes ahead.
#[tokio::test]
async fn a_report_from_a_moment_after_midnight_counts_on_the_day_that_it_is() {
    let desk = Desk::new().await;
    desk.running.clock.advance(std::time::Duration::from_secs(12 * 3_600 - 60));
    let ahead = json!({
        "id": "ahead", "type": "spirit", "city": "Campinas", "country": "Brazil",
        "createdAt": "2026-03-02T00:01:00Z",
    });
    let path = format!("{REPORTS}?approve=true");
    let answer = desk.post(&path, "application/json", ahead.to_string()).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    assert_eq!(desk.get("/operator/v1/reports/ahead").await["eventDate"], "2026-03-01");
    let change = Some(("application/json", json!({ "peopleCount": 7 }).to_string()));
    let path = "/operator/v1/reports/ahead";
    let changed = desk.ask(&desk.key, Method::PATCH, path, change).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
}
