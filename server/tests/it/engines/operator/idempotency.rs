//! Requests of operators with an `Idempotency-Key`.

use domain::{scope::Scope, tier::Tier};
use model::ReportType::Spirit;
use serde_json::{Value, json};
use store::Mode;

use svc::keys::ApiKey;

use crate::{
    harness::{Answer, report},
    operator::{Desk, key},
};

const KEYS: &str = "/operator/v1/keys";
const REPORTS: &str = "/operator/v1/reports";

/// Sends a body under a key.
async fn post(desk: &Desk, key: &ApiKey, name: &str, path: &str, body: (&str, &str)) -> Answer {
    let bearer = format!("Bearer {}", key.as_str());
    let headers =
        [("authorization", bearer.as_str()), ("content-type", body.0), ("idempotency-key", name)];
    let request = desk.running.http.post(desk.running.url(path)).body(body.1.to_owned());
    desk.running.ask(request, &headers).await
}

async fn post_json(desk: &Desk, name: &str, path: &str, body: Value) -> Answer {
    post(desk, &desk.key, name, path, ("application/json", &body.to_string())).await
}

fn assert_replayed(again: &Answer, first: &Answer) {
    assert_eq!(first.header("idempotent-replayed"), "", "{}", first.text());
    assert_eq!((again.status, again.text()), (first.status, first.text()));
    assert_eq!(again.header("idempotent-replayed"), "true");
}

#[tokio::test]
async fn a_key_is_created_once_and_shown_again_but_its_text_is_nowhere_in_the_database() {
    let desk = Desk::of("Ana", Scope::Admin).await;
    let body = json!({ "partner": "Acme" });
    let first = post_json(&desk, "k", KEYS, body.clone()).await;
    assert_eq!(first.status, 201, "{}", first.text());
    assert_replayed(&post_json(&desk, "k", KEYS, body.clone()).await, &first);
    let stored = desk.running.database.count("SELECT count(*) FROM keys").await;
    assert_eq!(stored, 2, "its own and the operator's");
    let other = post_json(&desk, "k", KEYS, json!({ "partner": "Acme Ltd" })).await;
    assert_eq!((other.status, &other.json()["code"]), (409, &json!("IDEMPOTENCY_CONFLICT")));
    let encrypted = "SELECT count(*) FROM idempotency_keys WHERE response_key IS NOT NULL";
    assert_eq!(desk.running.database.count(encrypted).await, 1);
    let issued = first.json()["key"].as_str().unwrap().to_owned();
    for file in std::fs::read_dir(desk.running.database.path("")).unwrap() {
        let Ok(bytes) = std::fs::read(file.unwrap().path()) else { continue };
        assert!(!bytes.windows(issued.len()).any(|window| window == issued.as_bytes()));
    }
    // The next key of the same person may have another scope.
    let second = key(&desk.running, "Ana", Tier::Operator, Some(Scope::Admin)).await;
    let theirs = post(&desk, &second, "k", KEYS, ("application/json", &body.to_string())).await;
    assert_eq!((theirs.status, theirs.header("idempotent-replayed")), (201, ""));
    assert_ne!(theirs.text(), first.text());
}

#[tokio::test]
async fn a_decision_is_made_once_and_an_error_without_effect_is_forgotten() {
    let desk = Desk::new().await;
    let store = &desk.running.database.store;
    store.reports().import(&[report("a", Spirit)], Mode::Pending).await.unwrap();
    let (approve, withdraw) = ("/operator/v1/reports/approve", "/operator/v1/reports/withdraw");
    let wrong = post_json(&desk, "k", approve, json!({ "id": "a" })).await;
    assert_eq!((wrong.status, &wrong.json()["code"]), (400, &json!("INVALID_BODY")));
    let body = json!({ "ids": ["a"] });
    let first = post_json(&desk, "k", approve, body.clone()).await;
    assert_eq!(first.json(), json!({ "changed": 1, "refused": [] }));
    let withdrawn = post_json(&desk, "w", withdraw, body.clone()).await;
    assert_eq!(withdrawn.json()["changed"], 1);
    assert_replayed(&post_json(&desk, "k", approve, body.clone()).await, &first);
    assert_replayed(&post_json(&desk, "w", withdraw, body.clone()).await, &withdrawn);
    let path = post_json(&desk, "k", withdraw, body).await;
    assert_eq!((path.status, &path.json()["code"]), (409, &json!("IDEMPOTENCY_CONFLICT")));
    let status = desk.get("/operator/v1/reports/a").await["status"].clone();
    assert_eq!(status, "WITHDRAWN");
}

#[tokio::test]
async fn reports_are_added_once_and_a_large_import_is_sent_without_a_key() {
    let desk = Desk::new().await;
    let csv = "type,city,country\nspirit,Oslo,Norway\nspirit,Bergen,\n";
    let first = post(&desk, &desk.key, "k", REPORTS, ("text/csv", csv)).await;
    assert_eq!((first.status, &first.json()["imported"]), (201, &json!(1)));
    assert_replayed(&post(&desk, &desk.key, "k", REPORTS, ("text/csv", csv)).await, &first);
    let spaced = csv.replace(",Oslo", ", Oslo");
    let other = post(&desk, &desk.key, "k", REPORTS, ("text/csv", &spaced)).await;
    assert_eq!((other.status, &other.json()["code"]), (409, &json!("IDEMPOTENCY_CONFLICT")));
    let many = format!("{csv}{}", "spirit,Oslo,Norway\n".repeat((1 << 20) / 19));
    let large = post(&desk, &desk.key, "l", REPORTS, ("text/csv", &many)).await;
    assert_eq!((large.status, &large.json()["code"]), (413, &json!("PAYLOAD_TOO_LARGE")));
    let detail = large.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("existing reports are skipped"), "{detail}");
    assert_eq!(desk.ids("").await.len(), 1);
}

#[tokio::test]
async fn a_key_is_for_posts_of_known_callers() {
    let desk = Desk::new().await;
    let request = || desk.running.http.post(desk.running.url(REPORTS));
    let unknown = desk.running.ask(request(), &[("idempotency-key", "k")]).await;
    assert_eq!(unknown.status, 401);
    let read = desk.running.http.get(desk.running.url(REPORTS));
    let bearer = format!("Bearer {}", desk.key.as_str());
    let headers = [("authorization", bearer.as_str()), ("idempotency-key", "not a key")];
    assert_eq!(desk.running.ask(read, &headers).await.status, 200, "reads ignore it");
    assert_eq!(desk.running.ask(request(), &headers).await.status, 400);
    let kept = desk.running.database.count("SELECT count(*) FROM idempotency_keys").await;
    assert_eq!(kept, 0);
}

#[tokio::test]
async fn every_post_of_both_documents_takes_a_key() {
    let desk = Desk::new().await;
    let mut posts = 0;
    for path in ["/api/v1/openapi.json", "/operator/v1/openapi.json"] {
        let document = desk.running.json(path).await;
        for (path, methods) in document["paths"].as_object().unwrap() {
            let Some(post) = methods.get("post") else { continue };
            let parameters = post["parameters"].as_array().unwrap();
            let takes = parameters.iter().any(|one| one["name"] == "Idempotency-Key");
            assert!(takes, "{path}");
            posts += 1;
        }
    }
    assert_eq!(posts, 17);
}
