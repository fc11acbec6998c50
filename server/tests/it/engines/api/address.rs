//! The address of a partner, `PATCH /api/v1/me`.

use domain::{scope::Scope, tier::Tier};
use reqwest::Method;
use serde_json::{Value, json};

use svc::keys::ApiKey;

use crate::{
    harness::Answer,
    operator::{Desk, key},
};

const ME: &str = "/api/v1/me";

async fn patch(desk: &Desk, key: &ApiKey, body: Value) -> Answer {
    desk.ask(key, Method::PATCH, ME, Some(("application/json", body.to_string()))).await
}

async fn me(desk: &Desk, key: &ApiKey) -> Value {
    desk.ask(key, Method::GET, ME, None).await.json()
}

/// Creates a key of the partner Aid for pages.
async fn page_key(desk: &Desk) -> ApiKey {
    let body = json!({ "partner": "Aid", "origins": ["https://aid.example"] });
    let issued = desk.post("/operator/v1/keys", "application/json", body.to_string()).await.json();
    ApiKey::parse(issued["key"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn a_partner_sets_and_removes_its_address_which_all_its_keys_show() {
    let desk = Desk::of("Maria", Scope::Admin).await;
    let aid = key(&desk.running, "Aid", Tier::Partner, None).await;
    let second = key(&desk.running, "Aid", Tier::Enterprise, None).await;
    let rival = key(&desk.running, "Rival", Tier::Partner, None).await;
    let page = page_key(&desk).await;
    assert_eq!(me(&desk, &aid).await.get("email"), None);
    let changed = patch(&desk, &aid, json!({ "email": " ada@example.org " })).await;
    assert_eq!((changed.status, changed.header("cache-control")), (200, "no-store"));
    let body = changed.json();
    assert_eq!(
        (&body["email"], &body["key"]["holder"]),
        (&json!("ada@example.org"), &json!("Aid"))
    );
    assert_eq!(me(&desk, &aid).await["email"], "ada@example.org");
    assert_eq!(me(&desk, &second).await["email"], "ada@example.org");
    for other in [&rival, &page, &desk.key] {
        assert_eq!(me(&desk, other).await.get("email"), None);
    }
    assert_eq!(patch(&desk, &second, json!({ "email": "bob@example.org" })).await.status, 200);
    assert_eq!(me(&desk, &aid).await["email"], "bob@example.org");
    let removed = patch(&desk, &aid, json!({ "email": null })).await;
    assert_eq!((removed.status, removed.json().get("email")), (200, None));
    assert_eq!(me(&desk, &second).await.get("email"), None);
    // Changes of partners are not in the audit log, and nothing else keeps the address.
    let audit = desk.get("/operator/v1/audit").await.to_string();
    assert!(!audit.contains("example.org"), "{audit}");
}

#[tokio::test]
async fn only_keys_of_partners_that_others_cannot_read_change_an_address() {
    let desk = Desk::of("Maria", Scope::Admin).await;
    let page = page_key(&desk).await;
    let body = json!({ "email": "eve@example.org" });
    for other in [&page, &desk.key] {
        let refused = patch(&desk, other, body.clone()).await;
        assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("FORBIDDEN")));
    }
    let request = desk.running.http.patch(desk.running.url(ME)).json(&body);
    let refused = desk.running.ask(request, &[]).await;
    assert_eq!((refused.status, &refused.json()["code"]), (401, &json!("UNAUTHENTICATED")));
}

#[tokio::test]
async fn what_is_not_one_address_is_refused_and_changes_nothing() {
    let desk = Desk::of("Maria", Scope::Admin).await;
    let aid = key(&desk.running, "Aid", Tier::Partner, None).await;
    assert_eq!(patch(&desk, &aid, json!({ "email": "ada@example.org" })).await.status, 200);
    for bad in [
        json!(""),
        json!("ada"),
        json!("Ada <ada@example.org>"),
        json!("ada@example.org, bob@example.org"),
        json!("ada@example.org\r\nBcc: eve@example.org"),
        json!("ada@example.org\n"),
        json!(format!("{}@example.org", "a".repeat(250))),
        json!(7),
        json!(["ada@example.org"]),
    ] {
        let refused = patch(&desk, &aid, json!({ "email": bad })).await;
        let problem = refused.json();
        assert_eq!((refused.status, &problem["code"]), (400, &json!("INVALID_BODY")), "{bad}");
        assert_eq!(problem["pointer"], "/email", "{problem}");
    }
    let refused = patch(&desk, &aid, json!({})).await;
    assert_eq!((refused.status, &refused.json()["code"]), (400, &json!("INVALID_PARAMETER")));
    assert_eq!(me(&desk, &aid).await["email"], "ada@example.org");
}
