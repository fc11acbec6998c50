use domain::{scope::Scope, tier::Tier};
use reqwest::Method;
use serde_json::json;

use super::{Desk, key};
use crate::harness::Running;

const APPROVE: &str = "/operator/v1/reports/approve";

#[tokio::test]
async fn each_scope_allows_what_it_says_and_no_more() {
    let desk = Desk::new().await;
    let nothing = || Some(("application/json", json!({ "ids": [] }).to_string()));
    for (tier, scope, look, decide) in [
        (Tier::Operator, Some(Scope::Read), 200, 403),
        (Tier::Operator, Some(Scope::Moderate), 200, 200),
        (Tier::Operator, Some(Scope::Admin), 200, 200),
        // No command creates such a key.
        (Tier::Operator, None, 403, 403),
        (Tier::Partner, None, 403, 403),
        (Tier::Enterprise, None, 403, 403),
    ] {
        let key = key(&desk.running, "Jo", tier, scope).await;
        for path in ["/operator/v1/reports", "/operator/v1/audit", "/operator/v1/imports"] {
            let looked = desk.ask(&key, Method::GET, path, None).await;
            assert_eq!(looked.status, look, "{tier} {scope:?} {path}");
        }
        let decided = desk.ask(&key, Method::POST, APPROVE, nothing()).await;
        assert_eq!(decided.status, decide, "{tier} {scope:?}: {}", decided.text());
    }
    let key = key(&desk.running, "Jo", Tier::Operator, Some(Scope::Read)).await;
    let refused = desk.ask(&key, Method::POST, APPROVE, nothing()).await.json();
    assert_eq!(refused["code"], "FORBIDDEN");
    assert_eq!(
        refused["detail"],
        "This key has the scope read, but this needs moderate: use a key with that scope."
    );
}

#[tokio::test]
async fn nobody_gets_in_without_a_key() {
    let desk = Desk::new().await;
    for path in ["/operator/v1/reports", "/operator/v1/reports/r-1", "/operator/v1/audit"] {
        let answer = desk.running.get(path).await;
        assert_eq!((answer.status, &answer.json()["code"]), (401, &json!("UNAUTHENTICATED")));
    }
}

#[tokio::test]
async fn without_being_told_the_service_offers_it_on_the_operators_address_only() {
    let running = Running::new().await;
    assert_eq!(running.get("/operator/v1/reports").await.status, 404);
    let key = key(&running, "Maria", Tier::Operator, Some(Scope::Read)).await;
    let url = format!("http://{}/operator/v1/reports", running.service.ops_addr.unwrap());
    let request = running.http.get(url).bearer_auth(key.as_str());
    let answer = running.ask(request, &[]).await;
    assert_eq!(answer.json(), json!({ "items": [], "more": false }));
    let at_ops = format!("http://{}", running.service.ops_addr.unwrap());
    let request = running.http.get(format!("{at_ops}/operator/v1/openapi.json"));
    let document = running.ask(request, &[]).await.json();
    assert_eq!(document["servers"], json!([{ "url": at_ops }]));
}

#[tokio::test]
async fn on_the_public_address_it_is_not_on_the_operators() {
    let desk = Desk::new().await;
    let url = format!("http://{}/operator/v1/reports", desk.running.service.ops_addr.unwrap());
    let request = desk.running.http.get(url).bearer_auth(desk.key.as_str());
    assert_eq!(desk.running.ask(request, &[]).await.status, 404);
}

#[tokio::test]
async fn what_is_not_there_is_a_problem() {
    let desk = Desk::new().await;
    let answer = desk.ask(&desk.key, Method::GET, "/operator/v1/nothing", None).await;
    assert_eq!(answer.status, 404);
    assert_eq!(
        answer.json()["detail"],
        "There is nothing at /operator/v1/nothing in the operators' API."
    );
    let answer = desk.ask(&desk.key, Method::DELETE, "/operator/v1/reports", None).await;
    assert_eq!((answer.status, answer.header("allow")), (405, "GET,HEAD,POST,OPTIONS"));
}
