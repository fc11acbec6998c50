use domain::scope::Scope;
use reqwest::Method;
use serde_json::{Value, json};

use svc::keys::ApiKey;

use super::{Desk, START};

const KEYS: &str = "/operator/v1/keys";

async fn create(desk: &Desk, wanted: &Value) -> Value {
    let answer = desk.post(KEYS, "application/json", wanted.to_string()).await;
    assert_eq!(answer.status, 201, "{wanted}: {}", answer.text());
    assert_eq!(answer.header("cache-control"), "no-store");
    answer.json()
}

async fn subscriptions(desk: &Desk, key: &ApiKey) -> u16 {
    desk.ask(key, Method::GET, "/api/v1/webhooks", None).await.status
}

#[tokio::test]
async fn a_key_is_made_works_at_once_and_is_revoked() {
    let desk = Desk::of("Ada", Scope::Admin).await;
    let made = create(&desk, &json!({ "partner": "  Aid   Now ", "expires": "2026-12-31" })).await;
    let text = made["key"].as_str().unwrap();
    let key = ApiKey::parse(text).unwrap();
    assert_eq!(
        made,
        json!({
            "key": text,
            "prefix": key.prefix(),
            "partner": "Aid Now",
            "tier": "partner",
            "createdAt": START,
            "expiresAt": "2027-01-01T00:00:00.000Z",
        })
    );
    assert_eq!(subscriptions(&desk, &key).await, 200);
    let listed = desk.get(KEYS).await;
    assert!(!listed.to_string().contains(text), "the key is shown once");
    assert_eq!(listed["items"][0]["prefix"], key.prefix());
    let path = format!("{KEYS}/{}", key.prefix());
    let revoked = json!({ "prefix": key.prefix(), "revoked": true, "disabledSubscriptions": [] });
    assert_eq!(desk.delete(&path).await.json(), revoked);
    desk.running.service.app.keys.refresh().await.unwrap();
    assert_eq!(subscriptions(&desk, &key).await, 401);
    // Revoking the key again changes nothing.
    assert_eq!(desk.delete(&path).await.json(), revoked);
    let log = desk.get("/operator/v1/audit?actor=Ada").await;
    let actions = log["items"].as_array().unwrap().iter();
    let actions: Vec<_> = actions.map(|entry| (&entry["action"], &entry["subject"])).collect();
    let prefix = &json!(key.prefix());
    assert_eq!(actions, [(&json!("keys.revoke"), prefix), (&json!("keys.create"), prefix)]);
}

#[tokio::test]
async fn a_whole_key_in_the_path_is_revoked_as_on_the_command_line_and_not_repeated() {
    let desk = Desk::of("Ada", Scope::Admin).await;
    let made = create(&desk, &json!({ "partner": "Aid" })).await;
    let key = ApiKey::parse(made["key"].as_str().unwrap()).unwrap();
    let answer = desk.delete(&format!("{KEYS}/{}", key.as_str())).await;
    let revoked = json!({ "prefix": key.prefix(), "revoked": true, "disabledSubscriptions": [] });
    assert_eq!((answer.status, answer.json()), (200, revoked));
    desk.running.service.app.keys.refresh().await.unwrap();
    assert_eq!(subscriptions(&desk, &key).await, 401);
    let log = desk.get("/operator/v1/audit?actor=Ada").await;
    assert_eq!(log["items"][0]["subject"], key.prefix());
}

#[tokio::test]
async fn an_operators_key_has_the_scope_asked_for_or_may_only_read() {
    let desk = Desk::of("Ada", Scope::Admin).await;
    for (given, scope) in [(json!("moderate"), "moderate"), (Value::Null, "read")] {
        let wanted = json!({ "partner": "Jo", "tier": "operator", "scope": given });
        let made = create(&desk, &wanted).await;
        assert_eq!((&made["tier"], &made["scope"]), (&json!("operator"), &json!(scope)));
    }
}

#[tokio::test]
async fn what_cannot_be_made_or_revoked_is_refused_with_the_reason() {
    let desk = Desk::of("Ada", Scope::Admin).await;
    for (wanted, detail) in [
        (json!({ "partner": " " }), "\"partner\": it is empty: give the partner's name."),
        (
            json!({ "partner": "Aid", "scope": "admin" }),
            "\"scope\": only the keys of operators have one: add \"tier\": \"operator\".",
        ),
        (
            json!({ "partner": "Aid", "expires": "2026-02-28" }),
            "\"expires\": 2026-02-28 is in the past: give today, 2026-03-01 (UTC), or a later day.",
        ),
        (
            json!({ "partner": "Aid", "expires": "soon" }),
            "\"expires\": write a day that exists as YYYY-MM-DD, such as 2030-12-31.",
        ),
        (json!({ "tier": "partner" }), "\"partner\" is missing: give a string."),
    ] {
        let answer = desk.post(KEYS, "application/json", wanted.to_string()).await;
        assert_eq!((answer.status, answer.json()["detail"].as_str()), (400, Some(detail)));
    }
    assert_eq!(desk.get(KEYS).await["items"].as_array().unwrap().len(), 1);
    // A whole key in the path, by mistake, is not repeated in the message.
    let answer = desk.delete(&format!("{KEYS}/{}", "x".repeat(42))).await;
    assert_eq!(answer.status, 404);
    assert_eq!(
        answer.json()["detail"],
        "There is no key \"xxxxxxxxxxxx\": give the 12 characters in the list of keys."
    );
}

#[tokio::test]
async fn moderators_see_keys_but_neither_make_nor_revoke_any() {
    let desk = Desk::new().await;
    assert_eq!(desk.get(KEYS).await["items"][0]["partner"], "Maria");
    let made = desk.post(KEYS, "application/json", json!({ "partner": "Aid" }).to_string()).await;
    assert_eq!(made.status, 403);
    assert_eq!(desk.delete(&format!("{KEYS}/{}", desk.key.prefix())).await.status, 403);
}
