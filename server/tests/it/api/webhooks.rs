mod filters;
mod operators;
mod rotation;
mod testing;

use std::time::Duration;

use domain::tier::Tier;
use reqwest::Method;
use serde_json::{Value, json};

use svc::{
    config::{Serve, WebhookTargets},
    keys::ApiKey,
};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::harness::{Answer, Running, START, settings};

pub(crate) const PATH: &str = "/api/v1/webhooks";
const BOTH: &str = r#"["metrics.updated","report.created","metrics.updated"]"#;

/// Starts a service that permits webhooks to this machine.
pub(crate) async fn running() -> Running {
    let endpoints = WebhookTargets::lenient();
    Running::with(Serve { endpoints, ..settings() }, START).await
}

pub(crate) async fn ask(running: &Running, method: Method, path: &str, key: &ApiKey) -> Answer {
    let bearer = format!("Bearer {}", key.as_str());
    let request = running.http.request(method, running.url(path));
    running.ask(request, &[("authorization", &bearer)]).await
}

pub(crate) async fn post(running: &Running, key: &ApiKey, body: impl Into<String>) -> Answer {
    let bearer = format!("Bearer {}", key.as_str());
    let request = running.http.post(running.url(PATH)).body(body.into());
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    running.ask(request, &headers).await
}

async fn subscribe(running: &Running, key: &ApiKey, url: &str) -> Value {
    let answer = post(running, key, format!(r#"{{"url":"{url}","events":{BOTH}}}"#)).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()["subscription"].clone()
}

/// Lists the subscriptions without their health.
pub(crate) async fn list(running: &Running, key: &ApiKey) -> Vec<Value> {
    let answer = ask(running, Method::GET, PATH, key).await;
    assert_eq!(answer.status, 200);
    let mut listed = answer.json()["subscriptions"].as_array().unwrap().clone();
    for subscription in &mut listed {
        let health = subscription.as_object_mut().unwrap().remove("health").unwrap();
        let state = if subscription["status"] == "ACTIVE" { "HEALTHY" } else { "DISABLED" };
        assert_eq!(health["state"], state);
    }
    listed
}

#[tokio::test]
async fn a_subscription_is_made_listed_and_deleted() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let first = subscribe(&running, &key, "http://127.0.0.1:9/a").await;
    let id = first["id"].as_str().unwrap();
    assert!(id.starts_with("sub_") && id.len() == 26, "{id}");
    let secret = first["secret"].as_str().unwrap();
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
    assert_eq!(
        first,
        json!({
            "id": id,
            "url": "http://127.0.0.1:9/a",
            "events": ["report.created", "metrics.updated"],
            "secret": secret,
            "createdAt": "2026-03-01T12:00:00.000Z",
        })
    );
    running.clock.advance(Duration::from_secs(1));
    let second = subscribe(&running, &key, "http://127.0.0.1:9/b").await;
    let listed = |created: &Value| {
        let mut listed = created.clone();
        listed.as_object_mut().unwrap().remove("secret");
        listed["status"] = json!("ACTIVE");
        listed
    };
    // Lists are newest first and never contain the secret.
    assert_eq!(list(&running, &key).await, [listed(&second), listed(&first)]);
    let answer = ask(&running, Method::DELETE, &format!("{PATH}?id={id}"), &key).await;
    assert_eq!((answer.status, answer.text().as_str()), (204, ""));
    assert_eq!(list(&running, &key).await, [listed(&second)]);
    let again = ask(&running, Method::DELETE, &format!("{PATH}?id={id}"), &key).await;
    assert_eq!(again.status, 404);
    assert_eq!(again.json()["code"], "NOT_FOUND");
}

#[tokio::test]
async fn a_partner_sees_and_deletes_only_its_own_with_any_of_its_keys() {
    let running = running().await;
    let old = running.key("Aid", Tier::Partner).await;
    let new = running.key("Aid", Tier::Enterprise).await;
    let other = running.key("Rivals", Tier::Partner).await;
    let created = subscribe(&running, &old, "http://127.0.0.1:9/").await;
    let path = format!("{PATH}?id={}", created["id"].as_str().unwrap());
    assert_eq!(list(&running, &other).await, Vec::<Value>::new());
    assert_eq!(ask(&running, Method::DELETE, &path, &other).await.status, 404);
    assert_eq!(list(&running, &new).await.len(), 1);
    assert_eq!(ask(&running, Method::DELETE, &path, &new).await.status, 204);
}

#[tokio::test]
async fn webhooks_are_for_partners_keys() {
    let running = running().await;
    for method in [Method::GET, Method::POST, Method::PATCH, Method::DELETE] {
        let request = running.http.request(method.clone(), running.url(PATH));
        let answer = running.ask(request, &[]).await;
        assert_eq!((answer.status, answer.header("www-authenticate")), (401, "Bearer"), "{method}");
        assert_eq!(answer.json()["code"], "UNAUTHENTICATED");
        let operator = running.key("Us", Tier::Operator).await;
        let answer = ask(&running, method, PATH, &operator).await;
        assert_eq!(answer.status, 403);
        assert_eq!(answer.json()["code"], "FORBIDDEN");
    }
}

#[tokio::test]
async fn every_fault_of_a_subscription_has_its_code_and_says_what_to_change() {
    let running = Running::new().await;
    let key = running.key("Aid", Tier::Partner).await;
    let good = r#""https://93.184.215.14/""#;
    let with_url = |url: &str| format!(r#"{{"url":{url},"events":{BOTH}}}"#);
    let with_events = |events: &str| format!(r#"{{"url":{good},"events":{events}}}"#);
    let over_long = format!("\"https://93.184.215.14/{}\"", "a".repeat(2_030));
    for (body, code, part) in [
        ("".to_owned(), "INVALID_JSON", "not JSON"),
        ("{".to_owned(), "INVALID_JSON", "not JSON"),
        ("[]".to_owned(), "INVALID_JSON", "object"),
        ("\u{feff}{}".to_owned(), "INVALID_JSON", "not JSON"),
        (format!(r#"{{"events":{BOTH}}}"#), "INVALID_URL", "is missing"),
        (with_url("7"), "INVALID_URL", "string"),
        (with_url("\"\""), "INVALID_URL", ""),
        (with_url("\"example.org\""), "INVALID_URL", ""),
        (with_url("\"https://u:p@93.184.215.14/\""), "INVALID_URL", ""),
        (with_url("\"https://93.184.215.14/#a\""), "INVALID_URL", ""),
        (with_url(&over_long), "INVALID_URL", "2,048"),
        (with_url("\"https://no-such-host.invalid/\""), "INVALID_URL", "no-such-host.invalid"),
        (with_url("\"http://93.184.215.14/\""), "URL_NOT_ALLOWED", "https"),
        (with_url("\"https://127.0.0.1/\""), "URL_NOT_ALLOWED", "loopback"),
        (with_url("\"https://2130706433/\""), "URL_NOT_ALLOWED", "loopback"),
        (with_url("\"https://localhost/\""), "URL_NOT_ALLOWED", "localhost"),
        (with_url("\"https://169.254.169.254/latest\""), "URL_NOT_ALLOWED", ""),
        (with_url("\"https://[::ffff:10.0.0.1]/\""), "URL_NOT_ALLOWED", "private"),
        (format!(r#"{{"url":{good}}}"#), "INVALID_EVENTS", "is missing"),
        (with_events("[]"), "INVALID_EVENTS", "is empty"),
        (with_events("\"report.created\""), "INVALID_EVENTS", "must be a list"),
        (with_events(r#"["report.deleted"]"#), "INVALID_EVENTS", "report.deleted"),
        (with_events("[1]"), "INVALID_EVENTS", "1"),
    ] {
        let answer = post(&running, &key, body.clone()).await;
        assert_eq!(answer.status, 400, "{body}");
        let problem = answer.json();
        assert_eq!(problem["code"], code, "{body}: {problem}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(part), "{body}: {detail}");
        assert!(detail.ends_with('.'), "a sentence: {detail}");
    }
    assert_eq!(list(&running, &key).await, Vec::<Value>::new());
    // Without the mistake, the body is accepted.
    assert_eq!(post(&running, &key, with_url(good)).await.status, 201);
}

#[tokio::test]
async fn a_body_that_is_not_json_by_its_own_account_is_refused() {
    let running = running().await;
    let bearer = format!("Bearer {}", running.key("Aid", Tier::Partner).await.as_str());
    let body = format!(r#"{{"url":"http://127.0.0.1:9/","events":{BOTH}}}"#);
    for (content_type, status) in [
        (None, 415),
        (Some("text/plain"), 415),
        (Some("application/x-www-form-urlencoded"), 415),
        (Some("application/jsonp"), 415),
        (Some("Application/JSON; charset=utf-8"), 201),
    ] {
        let mut headers = vec![("authorization", bearer.as_str())];
        headers.extend(content_type.map(|value| ("content-type", value)));
        let request = running.http.post(running.url(PATH)).body(body.clone());
        let answer = running.ask(request, &headers).await;
        assert_eq!(answer.status, status, "{content_type:?}");
        if status == 415 {
            assert_eq!(answer.json()["code"], "UNSUPPORTED_MEDIA_TYPE");
        }
    }
}

#[tokio::test]
async fn a_large_body_is_refused_before_it_is_read() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    // The request declares its length and sends no body: a server that waited for the body would hang.
    let mut stream = tokio::net::TcpStream::connect(running.service.addr).await.unwrap();
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: \
         application/json\r\nContent-Length: 16385\r\nConnection: close\r\n\r\n",
        key.as_str()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    crate::harness::soon("the refusal", stream.read_to_string(&mut answer)).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
    assert!(answer.contains("\"code\":\"PAYLOAD_TOO_LARGE\""), "{answer}");
    // A body of undeclared length is refused as soon as it is too long.
    let chunks =
        futures_util::stream::iter((0..40).map(|_| Ok::<_, std::io::Error>(" ".repeat(1_024))));
    let request = running.http.post(running.url(PATH)).body(reqwest::Body::wrap_stream(chunks));
    let bearer = format!("Bearer {}", key.as_str());
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    assert_eq!(running.ask(request, &headers).await.status, 413);
    // A body of the maximum length is accepted.
    let body = format!(r#"{{"url":"http://127.0.0.1:9/","events":{BOTH}}}"#);
    let padded = format!("{body}{}", " ".repeat(16_384 - body.len()));
    assert_eq!(post(&running, &key, padded).await.status, 201);
}

#[tokio::test]
async fn a_partner_may_have_twenty_five_subscriptions() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let mut last = Value::Null;
    for _ in 0..25 {
        last = subscribe(&running, &key, "http://127.0.0.1:9/").await;
    }
    let body = format!(r#"{{"url":"http://127.0.0.1:9/","events":{BOTH}}}"#);
    let refused = post(&running, &key, body).await;
    assert_eq!(refused.status, 409);
    assert_eq!(refused.json()["code"], "SUBSCRIPTION_LIMIT");
    let other = running.key("Rivals", Tier::Partner).await;
    subscribe(&running, &other, "http://127.0.0.1:9/").await;
    let path = format!("{PATH}?id={}", last["id"].as_str().unwrap());
    assert_eq!(ask(&running, Method::DELETE, &path, &key).await.status, 204);
    subscribe(&running, &key, "http://127.0.0.1:9/").await;
}

#[tokio::test]
async fn to_delete_one_says_which() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    for query in ["", "?id=", "?id=%20"] {
        let answer = ask(&running, Method::DELETE, &format!("{PATH}{query}"), &key).await;
        assert_eq!(answer.status, 400, "{query}");
        assert_eq!(
            answer.json()["detail"],
            "\"id\" is missing: give the id of the subscription, such as sub_…."
        );
    }
}

#[tokio::test]
async fn a_page_may_ask_for_all_of_it_from_another_origin() {
    let running = running().await;
    for method in ["POST", "DELETE"] {
        let request = running.http.request(Method::OPTIONS, running.url(PATH));
        let headers = [
            ("origin", "https://a.example"),
            ("access-control-request-method", method),
            ("access-control-request-headers", "authorization,content-type,idempotency-key"),
        ];
        let answer = running.ask(request, &headers).await;
        assert!(answer.header("access-control-allow-methods").contains(method));
        let headers = answer.header("access-control-allow-headers");
        assert!(headers.contains("authorization") && headers.contains("idempotency-key"));
    }
}

pub(crate) async fn patch(running: &Running, key: &ApiKey, id: &str, body: &Value) -> Answer {
    let bearer = format!("Bearer {}", key.as_str());
    let url = running.url(&format!("{PATH}?id={id}"));
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    running.ask(running.http.patch(url).body(body.to_string()), &headers).await
}

#[tokio::test]
async fn a_subscription_is_changed_in_what_is_given_and_nothing_else() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let created = subscribe(&running, &key, "http://127.0.0.1:9/a").await;
    let id = created["id"].as_str().unwrap();
    let mut expected = list(&running, &key).await.remove(0);
    for (change, members) in [
        (json!({ "url": "http://127.0.0.1:9/b" }), json!({ "url": "http://127.0.0.1:9/b" })),
        (
            json!({ "events": ["report.withdrawn", "report.created", "report.withdrawn"] }),
            json!({ "events": ["report.created", "report.withdrawn"] }),
        ),
        (
            json!({ "status": "DISABLED" }),
            json!({ "status": "DISABLED", "disabledReason": "The partner has disabled it." }),
        ),
        (json!({ "status": "DISABLED" }), json!({})),
        (
            json!({ "status": "ACTIVE", "url": "http://127.0.0.1:9/c" }),
            json!({ "status": "ACTIVE", "url": "http://127.0.0.1:9/c" }),
        ),
    ] {
        let members = members.as_object().unwrap().clone();
        if members.contains_key("status") {
            expected.as_object_mut().unwrap().remove("disabledReason");
        }
        expected.as_object_mut().unwrap().extend(members);
        let answer = patch(&running, &key, id, &change).await;
        assert_eq!(answer.status, 200, "{change}: {}", answer.text());
        assert_eq!(answer.json(), json!({ "subscription": expected }), "{change}");
        assert_eq!(list(&running, &key).await, [expected.clone()], "{change}");
    }
}

#[tokio::test]
async fn a_change_that_is_wrong_in_one_part_changes_nothing() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let created = subscribe(&running, &key, "http://127.0.0.1:9/a").await;
    let (id, before) = (created["id"].as_str().unwrap(), list(&running, &key).await);
    for (change, status, code, detail) in [
        (
            json!({}),
            400,
            "INVALID_PARAMETER",
            "There is nothing to change: give \"url\", \"events\", \"filter\" or \"status\".",
        ),
        (
            json!({ "status": "DELETED", "url": "http://127.0.0.1:9/b" }),
            400,
            "INVALID_PARAMETER",
            "\"status\" must be ACTIVE or DISABLED, not \"DELETED\".",
        ),
        (
            json!({ "status": "DISABLED", "events": null }),
            400,
            "INVALID_EVENTS",
            "\"events\" must be a list, not null.",
        ),
        (
            json!({ "status": "DISABLED", "url": 7 }),
            400,
            "INVALID_URL",
            "\"url\" must be a string, not 7.",
        ),
    ] {
        let answer = patch(&running, &key, id, &change).await;
        let body = answer.json();
        assert_eq!(answer.status, status, "{change}");
        assert_eq!((body["code"].as_str(), body["detail"].as_str()), (Some(code), Some(detail)));
        assert_eq!(list(&running, &key).await, before, "{change}");
    }
    let rival = running.key("Rivals", Tier::Partner).await;
    let answer = patch(&running, &rival, id, &json!({ "status": "DISABLED" })).await;
    assert_eq!((answer.status, answer.json()["code"].clone()), (404, json!("NOT_FOUND")));
    assert_eq!(list(&running, &key).await, before);
}

#[tokio::test]
async fn a_partner_cannot_enable_what_the_operator_has_disabled() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let created = subscribe(&running, &key, "http://127.0.0.1:9/").await;
    let id = created["id"].as_str().unwrap();
    let store = &running.database.store;
    let enable = json!({ "status": "ACTIVE" });
    // This also holds if the partner had disabled it first.
    for disabled_before in [false, true] {
        if disabled_before {
            patch(&running, &key, id, &json!({ "status": "DISABLED" })).await;
        }
        store.subscriptions().disable(id, "Unpaid.").await.unwrap();
        assert_eq!(list(&running, &key).await[0]["disabledReason"], "Unpaid.");
        let refused = patch(&running, &key, id, &enable).await;
        assert_eq!((refused.status, refused.json()["code"].clone()), (403, json!("FORBIDDEN")));
        store.subscriptions().enable(id).await.unwrap();
        assert_eq!(patch(&running, &key, id, &enable).await.status, 200);
    }
}
