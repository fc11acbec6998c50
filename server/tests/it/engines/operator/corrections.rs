use domain::report::Step;
use model::ReportType::{Spirit, Water};
use reqwest::Method;
use serde_json::{Value, json};
use store::{LogQuery, Mode};

use crate::{
    harness::{Answer, But, report},
    operator::Desk,
};

async fn correct(desk: &Desk, id: &str, changes: Value) -> Answer {
    let path = format!("/operator/v1/reports/{id}");
    desk.ask(&desk.key, Method::PATCH, &path, Some(("application/json", changes.to_string()))).await
}

/// Creates one pending, one approved, one withdrawn and one rejected report.
async fn filled() -> Desk {
    let desk = Desk::new().await;
    let store = &desk.running.database.store;
    let ids = ["p", "a", "w", "r"];
    let reports = ids.map(|id| report(id, Spirit).on("2026-02-01"));
    store.reports().import(&reports, Mode::Pending).await.unwrap();
    store.reports().decide(Step::Approve, &["a".to_owned(), "w".to_owned()]).await.unwrap();
    store.reports().decide(Step::Withdraw, &["w".to_owned()]).await.unwrap();
    store.reports().decide(Step::Reject, &["r".to_owned()]).await.unwrap();
    desk
}

#[tokio::test]
async fn a_report_of_any_status_is_corrected_and_its_history_says_how() {
    let desk = filled().await;
    for id in ["p", "a", "w", "r"] {
        let before = desk.get(&format!("/operator/v1/reports/{id}")).await;
        let changes = json!({ "type": "water", "city": "  Oslo ", "region": null, "country": "Norway",
                              "peopleCount": 12, "eventDate": "2026-02-03", "lat": 59.9, "lng": 10.75 });
        let answer = correct(&desk, id, changes).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let mut after = answer.json();
        let history = after["history"].take();
        let mut expected = before.clone();
        for (name, value) in [
            ("type", json!("water")),
            ("city", json!("Oslo")),
            ("region", json!("")),
            ("country", json!("Norway")),
            ("peopleCount", json!(12)),
            ("eventDate", json!("2026-02-03")),
            ("position", json!({ "lat": 59.9, "lng": 10.75 })),
            ("history", Value::Null),
        ] {
            expected[name] = value;
        }
        assert_eq!(after, expected);
        assert_eq!(history[0]["action"], "reports.correct");
        assert_eq!(
            (&history[0]["before"], &history[0]["after"]),
            (
                &json!({ "type": "spirit", "city": "Campinas", "region": "São Paulo", "country": "Brazil",
                         "peopleCount": 1, "eventDate": "2026-02-01", "lat": null, "lng": null }),
                &json!({ "type": "water", "city": "Oslo", "region": "", "country": "Norway",
                         "peopleCount": 12, "eventDate": "2026-02-03", "lat": 59.9, "lng": 10.75 }),
            )
        );
        let again = correct(&desk, id, json!({ "type": "water" })).await;
        let entries = again.json()["history"].as_array().unwrap().len();
        assert_eq!((again.status, entries), (200, history.as_array().unwrap().len()), "{id}");
    }
    let checked = desk.running.database.store.check().await.unwrap();
    assert_eq!(checked.differences, []);
}

#[tokio::test]
async fn the_public_sees_the_correction_of_an_approved_report() {
    let desk = Desk::new().await;
    let (running, store) = (&desk.running, &desk.running.database.store);
    let others = [report("b", Water).on("2026-02-01"), report("c", Water).on("2026-01-31")];
    store.reports().import(&[report("a", Spirit).on("2026-02-01")], Mode::Approve).await.unwrap();
    store.reports().import(&others, Mode::Approve).await.unwrap();
    running.service.app.snapshots.refresh().await;
    let before = running.get("/api/v1/reports").await;
    let order = |answer: &Answer| -> Vec<Value> {
        let body = answer.json();
        body["reports"].as_array().unwrap().iter().map(|report| report["id"].clone()).collect()
    };

    let change =
        json!({ "type": "both", "country": "Peru", "city": "Lima", "eventDate": "2026-01-30" });
    assert_eq!(correct(&desk, "a", change).await.status, 200);
    running.service.app.snapshots.refresh().await;
    let metrics = running.json("/api/v1/metrics").await;
    let counted =
        ["spirit", "water", "both", "total", "countries", "cities"].map(|name| &metrics[name]);
    assert_eq!(counted, [0, 2, 1, 3, 2, 2].map(Value::from).each_ref());
    assert_eq!(running.json("/api/v1/metrics?country=PE&to=2026-01-30").await["both"], 1);
    assert_eq!(running.json("/api/v1/metrics?country=BR").await["total"], 2);
    let listed = running.json("/api/v1/reports?country=Peru").await["reports"][0].clone();
    assert_eq!(
        (&listed["id"], &listed["type"], &listed["city"]),
        (&json!("a"), &json!("both"), &json!("Lima"))
    );
    // The report keeps its place in the list, and the new revision makes mirrors read the list again.
    let after = running.get("/api/v1/reports").await;
    assert_eq!(order(&after), order(&before));
    assert_ne!(after.header("reports-revision"), before.header("reports-revision"));
    assert_eq!(store.check().await.unwrap().differences, []);
}

#[tokio::test]
async fn partners_are_told_of_the_correction_of_an_approved_report_and_of_no_other() {
    let desk = filled().await;
    let store = &desk.running.database.store;
    let after = Some(store.event_log().newest().await.unwrap());
    for id in ["p", "w", "r", "a"] {
        assert_eq!(correct(&desk, id, json!({ "peopleCount": 7 })).await.status, 200);
    }
    let events = domain::event::EventName::PUBLIC.to_vec();
    let query =
        LogQuery { after, events, place: Default::default(), types: store::ALL_TYPES, limit: 10 };
    let log = store.event_log().page(&query).await.unwrap().unwrap().events;
    let told: Vec<Value> =
        log.iter().map(|event| serde_json::from_slice(&event.body).unwrap()).collect();
    assert_eq!(
        told,
        [json!({
            "event": "report.updated",
            "timestamp": "2026-03-01T12:00:00.002Z",
            "data": {
                "id": "a", "city": "Campinas", "country": "Brazil", "peopleCount": 7, "type": "spirit",
                "createdAt": told[0]["data"]["createdAt"], "status": "APPROVED",
            },
        })]
    );
}

#[tokio::test]
async fn what_an_import_would_refuse_changes_nothing() {
    let desk = filled().await;
    let refused = correct(&desk, "a", json!({ "type": "fire", "peopleCount": 0 })).await;
    let problem = refused.json();
    assert_eq!((refused.status, &problem["code"]), (422, &json!("INVALID_REPORT")));
    let pointers: Vec<_> =
        problem["errors"].as_array().unwrap().iter().map(|fault| &fault["pointer"]).collect();
    assert_eq!(pointers, ["/type", "/peopleCount"]);
    assert!(problem["detail"].as_str().unwrap().starts_with("Nothing was changed. \"type\": "));
    for (id, changes, status, code) in [
        ("a", json!({ "status": "PENDING" }), 400, "INVALID_BODY"),
        ("a", json!({ "id": "b" }), 400, "INVALID_BODY"),
        ("none", json!({ "type": "water" }), 404, "NOT_FOUND"),
    ] {
        let answer = correct(&desk, id, changes).await;
        assert_eq!((answer.status, &answer.json()["code"]), (status, &json!(code)));
    }
    let shown = desk.get("/operator/v1/reports/a").await;
    assert_eq!((&shown["type"], &shown["history"]), (&json!("spirit"), &json!([])));
}
