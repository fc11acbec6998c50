//! Subscriptions of the operator, and the event that only they list.

use domain::{action::Action, scope::Scope, tier::Tier};
use model::ReportType::Spirit;
use reqwest::Method;
use serde_json::{Value, json};
use store::{AuditQuery, Mode};

use super::{PATH, ask, list, post, running};
use crate::{
    harness::{Answer, Running, report},
    operator::key,
    schema::faults,
};

const PENDING: &str =
    r#"{"url":"http://127.0.0.1:9/","events":["report.pending","report.created"]}"#;

async fn patch(running: &Running, key: &svc::keys::ApiKey, id: &str, body: Value) -> Answer {
    let bearer = format!("Bearer {}", key.as_str());
    let request = running.http.patch(running.url(&format!("{PATH}?id={id}"))).json(&body);
    running.ask(request, &[("authorization", &bearer)]).await
}

#[tokio::test]
async fn all_administrators_manage_the_subscriptions_of_the_operator() {
    let running = running().await;
    let ada = key(&running, "Ada", Tier::Operator, Some(Scope::Admin)).await;
    let bob = key(&running, "Bob", Tier::Operator, Some(Scope::Admin)).await;
    let created = post(&running, &ada, PENDING).await;
    assert_eq!(created.status, 201, "{}", created.text());
    let subscription = &created.json()["subscription"];
    assert_eq!(subscription["events"], json!(["report.created", "report.pending"]));
    let id = subscription["id"].as_str().unwrap();
    // A key that is revoked takes no subscription with it.
    running.database.store.keys().revoke(ada.prefix()).await.unwrap();
    let listed = list(&running, &bob).await;
    assert_eq!((listed.len(), &listed[0]["status"]), (1, &json!("ACTIVE")));
    let changed = patch(&running, &bob, id, json!({ "events": ["report.pending"] })).await;
    assert_eq!(changed.json()["subscription"]["events"], json!(["report.pending"]));
    for scope in [Scope::Read, Scope::Moderate] {
        let other = key(&running, "Eve", Tier::Operator, Some(scope)).await;
        let refused = post(&running, &other, PENDING).await;
        assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("FORBIDDEN")));
    }
    let rotated = ask(&running, Method::POST, &format!("{PATH}/rotate?id={id}"), &bob).await;
    assert_eq!(rotated.status, 200);
    let path = format!("{PATH}?id={id}");
    assert_eq!(ask(&running, Method::DELETE, &path, &bob).await.status, 204);
    let query = AuditQuery { subject: Some(id.to_owned()), limit: 10, ..AuditQuery::default() };
    let audited = running.database.store.audit_log().entries(&query).await.unwrap().entries;
    let audited: Vec<_> =
        audited.iter().map(|entry| (&*entry.actor, entry.action, entry.after.clone())).collect();
    let created = json!({ "host": "127.0.0.1:9", "events": ["report.created", "report.pending"] });
    let expected = [
        ("Bob", Action::DeleteWebhook, None),
        ("Bob", Action::RotateWebhook, None),
        ("Bob", Action::ChangeWebhook, Some(json!({ "events": ["report.pending"] }))),
        ("Ada", Action::CreateWebhook, Some(created)),
    ];
    assert_eq!(audited, expected);
}

#[tokio::test]
async fn a_partner_may_not_list_pending_reports_and_sees_nothing_of_them() {
    let running = running().await;
    let operator = key(&running, "Ada", Tier::Operator, Some(Scope::Admin)).await;
    // Even a partner's key under the name of an operator.
    let partner = running.key("Ada", Tier::Enterprise).await;
    let created = post(&running, &operator, PENDING).await.json();
    let operators = created["subscription"]["id"].as_str().unwrap();
    let told = "\"events\" is not for partners, because it has report.pending, which only the operator's own \
                subscriptions list: give a list with one or more of report.created, metrics.updated, \
                report.withdrawn, report.updated, reports.imported, subscription.paused, \
                subscription.disabled.";
    let refused = post(&running, &partner, PENDING).await;
    assert_eq!((refused.status, &refused.json()["code"]), (400, &json!("INVALID_EVENTS")));
    assert_eq!(refused.json()["detail"], told);
    let own = r#"{"url":"http://127.0.0.1:9/","events":["report.created"]}"#;
    let own = post(&running, &partner, own).await.json();
    let own = own["subscription"]["id"].as_str().unwrap();
    let refused = patch(&running, &partner, own, json!({ "events": ["report.pending"] })).await;
    assert_eq!((refused.status, &refused.json()["detail"]), (400, &json!(told)));
    let unknown = post(&running, &partner, PENDING.replace("report.pending", "report.x")).await;
    assert!(!unknown.text().contains("report.pending"), "{}", unknown.text());

    let store = &running.database.store;
    store.reports().import(&[report("secret", Spirit)], Mode::Pending).await.unwrap();
    let listed = list(&running, &partner).await;
    assert_eq!((listed.len(), listed[0]["id"].as_str()), (1, Some(own)));
    let log = "/api/v1/events";
    for (method, path, status) in [
        (Method::GET, format!("{PATH}/deliveries?id={operators}"), 404),
        (Method::POST, format!("{PATH}/rotate?id={operators}"), 404),
        (Method::POST, format!("{PATH}/test?id={operators}"), 404),
        (Method::DELETE, format!("{PATH}?id={operators}"), 404),
        (Method::GET, format!("{log}?events=report.pending"), 400),
        (Method::GET, format!("{PATH}/deliveries?id={own}"), 200),
        (Method::GET, log.to_owned(), 200),
    ] {
        let answer = ask(&running, method, &path, &partner).await;
        assert_eq!(answer.status, status, "{path}");
        // One refusal repeats the parameter.
        let text = answer.text().replace("\\\"report.pending\\\"", "");
        assert!(!text.contains("pending") && !text.contains("secret"), "{path}: {text}");
    }
    let document = running.get("/api/v1/openapi.json").await.text();
    assert!(!document.contains("report.pending"));
}

#[tokio::test]
async fn the_event_is_as_the_operators_document_describes_it() {
    let desk = crate::operator::Desk::of("Ada", Scope::Admin).await;
    let running = &desk.running;
    assert_eq!(post(running, &desk.key, PENDING).await.status, 201);
    let store = &running.database.store;
    store.reports().import(&[report("a", Spirit)], Mode::Pending).await.unwrap();
    let document = running.json("/operator/v1/openapi.json").await;
    let media = &document["webhooks"]["report.pending"]["post"]["requestBody"]["content"];
    let (schema, example) =
        (&media["application/json"]["schema"], &media["application/json"]["example"]);
    let body = running.database.count("SELECT count(*) FROM events WHERE name = 'report.pending'");
    assert_eq!(body.await, 1);
    let event = domain::event::Event::report_pending(
        &model::Report {
            id: "a".to_owned(),
            city: "Oslo".to_owned(),
            country: "Norway".to_owned(),
            people_count: 1,
            kind: Spirit,
            created_at: "2026-03-01T11:59:00.000Z".to_owned(),
            event_date: None,
            included: None,
        },
        "",
        chrono::NaiveDate::from_ymd_opt(2026, 3, 1).unwrap(),
        crate::harness::instant(crate::harness::START),
        &base::random::Random::seeded(1),
    );
    for sent in [example.clone(), serde_json::from_slice(&event.body).unwrap()] {
        assert_eq!(faults(&document, schema, &sent), [""; 0], "{sent}");
    }
    // The name is no partner's.
    let new = json!({ "partner": "operator", "tier": "partner" }).to_string();
    let refused = desk.post("/operator/v1/keys", "application/json", new).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("choose another name for a partner"), "{}", refused.text());
}
