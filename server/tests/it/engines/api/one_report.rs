use model::ReportType::{Both, Spirit};
use serde_json::json;

use crate::harness::{But, Running, report};

#[tokio::test]
async fn a_published_report_is_found_by_its_id_until_it_is_withdrawn() {
    let running = Running::new().await;
    // Operators choose ids: no other route may be at the address of a report.
    running.publish(&[report("a/b c%ü", Spirit), report("challenge", Both)]).await;
    let other = running.json("/api/v1/reports/challenge").await;
    assert_eq!(other["report"]["id"], "challenge");
    let path = "/api/v1/reports/a%2Fb%20c%25%C3%BC";
    let found = running.get(path).await;
    assert_eq!(
        found.json(),
        json!({ "report": {
            "id": "a/b c%ü", "city": "Campinas", "country": "Brazil", "peopleCount": 1,
            "type": "spirit", "createdAt": "2026-03-01T10:00:00.000Z",
        } })
    );
    let etag = found.header("etag").to_owned();
    let again = running.get_with(path, &[("if-none-match", &etag)]).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    running.publish(&[report("third", Spirit)]).await;
    let again = running.get_with(path, &[("if-none-match", &etag)]).await;
    assert_eq!(again.status, 304, "other reports do not matter");
    running.withdraw("a/b c%ü").await;
    let gone = running.get_with(path, &[("if-none-match", &etag)]).await;
    assert_eq!((gone.status, &gone.json()["code"]), (404, &json!("NOT_FOUND")));
    assert_eq!(
        gone.json()["detail"],
        "There is no published report \"a/b c%ü\": it may have been withdrawn."
    );
}

#[tokio::test]
async fn a_report_that_waits_for_a_decision_is_not_found() {
    let running = Running::new().await;
    running
        .database
        .store
        .reports()
        .import(&[report("p", Spirit)], store::Mode::Pending)
        .await
        .unwrap();
    for id in ["p", "nothing", "%00", "%ff"] {
        assert_eq!(running.get(&format!("/api/v1/reports/{id}")).await.status, 404, "{id}");
    }
}

#[tokio::test]
async fn a_report_has_the_members_and_names_that_are_requested() {
    let running = Running::new().await;
    running.publish(&[report("a", Both).at("Wien", "Wien", "Österreich").on("2026-02-28")]).await;
    let query = "include=countryCode,region,eventDate,typeLabel,position&lang=fr";
    let mut body = running.json(&format!("/api/v1/reports/a?{query}")).await;
    let position = body["report"]["position"].take();
    assert_eq!(position["precision"], "city");
    assert!((48.0..48.5).contains(&position["lat"].as_f64().unwrap()), "{position}");
    assert_eq!(
        body["report"],
        json!({
            "id": "a", "city": "Vienne", "country": "Autriche", "peopleCount": 1, "type": "both",
            "createdAt": "2026-03-01T10:00:00.000Z", "eventDate": "2026-02-28", "countryCode": "AT",
            "region": "Wien", "position": null, "typeLabel": "Les deux",
        })
    );
}
