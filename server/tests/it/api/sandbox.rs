//! Keys of the tier `test`: made-up events on demand, and no real data.

use std::time::Duration;

use domain::{event::EventName, scope::Scope, tier::Tier};
use model::ReportType::Spirit;
use reqwest::Method;
use serde_json::{Value, json};

use svc::{config::ListenAddress, keys::ApiKey};

use super::webhooks::{PATH, ask, post, running};
use crate::{
    harness::{Answer, But, Running, report, soon},
    operator::Desk,
    receiver::{Receiver, Reply},
    schema::faults,
};

/// Routes for keys of a sandbox. They have no real data.
const SANDBOX: [&str; 11] = [
    "/api",
    "/api/",
    "/api/v1/me",
    "/api/v1/openapi-3.0.json",
    "/api/v1/openapi.json",
    "/api/v1/webhooks",
    "/api/v1/webhooks/deliveries",
    "/api/v1/webhooks/rotate",
    "/api/v1/webhooks/subscription",
    "/api/v1/webhooks/test",
    "/api/{*unknown}",
];
const DETAIL: &str = "Keys of the tier test neither see nor change real data: leave the key out, or use a key of the tier partner.";

/// Sends a test with this body.
async fn test(running: &Running, key: &ApiKey, id: &str, body: &Value) -> Answer {
    let bearer = format!("Bearer {}", key.as_str());
    let request = running.http.post(running.url(&format!("{PATH}/test?id={id}")));
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    running.ask(request.body(body.to_string()), &headers).await
}

async fn subscribe(running: &Running, key: &ApiKey, body: &Value) -> Value {
    let created = post(running, key, body.to_string()).await;
    assert_eq!(created.status, 201, "{}", created.text());
    created.json()
}

#[tokio::test]
async fn each_route_of_the_api_either_belongs_to_the_sandbox_or_refuses_its_keys() {
    let running = running().await;
    running.publish(&[report("a", Spirit)]).await;
    let key = running.key("Aid", Tier::Test).await;
    let mut open = Vec::new();
    for (_, route, gate) in
        running.service.routes().filter(|(side, ..)| *side == ListenAddress::Public)
    {
        let path = route.replace(['{', '}', '*'], "");
        if gate.charge != "request" {
            // Pages, widgets, pictures and feeds do not read keys.
            let (with, without) =
                (ask(&running, Method::GET, &path, &key).await, running.get(&path).await);
            assert_eq!(with.status, without.status, "{route}");
            continue;
        }
        let mut refused = Vec::new();
        for method in [Method::GET, Method::POST, Method::PATCH, Method::DELETE] {
            // A stream would not end.
            let answer = soon(&path, ask(&running, method.clone(), &path, &key)).await;
            match answer.status {
                405 => {}
                403 => {
                    assert_eq!(answer.json()["detail"], DETAIL, "{method} {route}");
                    refused.push(true);
                }
                _ => refused.push(false),
            }
        }
        assert!(!refused.is_empty() && refused.iter().all(|one| *one == refused[0]), "{route}");
        if !refused[0] {
            open.push(route);
        }
    }
    open.sort();
    assert_eq!(open, SANDBOX, "a route with real data must not have `with_sandbox`");
}

#[tokio::test]
async fn a_key_of_a_sandbox_reads_its_limits_but_no_data() {
    let running = running().await;
    let key = running.key("Aid", Tier::Test).await;
    let refused = ask(&running, Method::GET, "/api/v1/metrics", &key).await;
    assert!(refused.header("ratelimit").starts_with("\"test\";r=999;"), "the request counts");
    assert_eq!(
        refused.json(),
        json!({
            "type": "/docs/errors#FORBIDDEN",
            "title": refused.json()["title"],
            "status": 403,
            "detail": DETAIL,
            "code": "FORBIDDEN",
        })
    );
    let me = ask(&running, Method::GET, "/api/v1/me", &key).await.json();
    assert_eq!(
        me,
        json!({
            "tier": "test",
            "key": { "prefix": key.prefix(), "holder": "Aid" },
            "limits": {
                "requestsPerMinute": 1000,
                "requestsLeft": 998,
                "resetSeconds": me["limits"]["resetSeconds"],
                "streams": 0,
                "subscriptions": 25,
            },
        })
    );
}

#[tokio::test]
async fn every_event_can_be_tested_in_a_sandbox_and_is_as_described() {
    let running = running().await;
    let document = running.json("/api/v1/openapi.json").await;
    let key = running.key("Aid", Tier::Test).await;
    let receiver = Receiver::with(Reply::Status(204)).await;
    let new = json!({ "url": receiver.url(), "events": EventName::PUBLIC });
    let id = subscribe(&running, &key, &new).await["subscription"]["id"].clone();
    let id = id.as_str().unwrap();
    running.publish(&[report("real", Spirit)]).await;
    for event in EventName::PUBLIC {
        let answer = test(&running, &key, id, &json!({ "event": event })).await;
        assert_eq!(answer.json(), json!({ "status": 204, "durationMs": 0 }), "{event}");
        let sent = receiver.requests().pop().unwrap().json();
        assert_eq!((&sent["event"], &sent["data"]["test"]), (&json!(event), &json!(true)));
        let post = &document["webhooks"][event.as_str()]["post"];
        let schema = &post["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(faults(&document, schema, &sent), [""; 0], "{sent}");
        running.clock.advance(Duration::from_secs(5));
    }
    let own = json!({ "event": "report.created", "report": { "id": "mine", "city": "Oslo", "country": "Norway" } });
    assert_eq!(test(&running, &key, id, &own).await.status, 200);
    assert_eq!(receiver.requests().pop().unwrap().json()["data"]["id"], "mine");
    assert_eq!(receiver.count(), EventName::PUBLIC.len() + 1, "nothing but tests");
    let path = format!("{PATH}/deliveries?id={id}");
    let listed = ask(&running, Method::GET, &path, &key).await.json();
    assert_eq!(listed["deliveries"].as_array().unwrap().len(), receiver.count());
}

#[tokio::test]
async fn a_partner_and_its_sandbox_do_not_see_the_subscriptions_of_each_other() {
    let desk = Desk::of("Maria", Scope::Admin).await;
    let running = &desk.running;
    let make = async |tier: &str| {
        let body = json!({ "partner": "Aid", "tier": tier }).to_string();
        let body = Some(("application/json", body));
        let made = desk.ask(&desk.key, Method::POST, "/operator/v1/keys", body).await;
        assert_eq!(made.json()["tier"], tier, "{}", made.text());
        ApiKey::parse(made.json()["key"].as_str().unwrap()).unwrap()
    };
    let (partner, sandbox) = (make("partner").await, make("test").await);
    let new = json!({ "url": "http://127.0.0.1:9/", "events": ["report.created"] });
    let mut ids = Vec::new();
    for key in [&partner, &sandbox] {
        ids.push(subscribe(running, key, &new).await["subscription"]["id"].clone());
    }
    for (key, own, other) in [(&partner, &ids[0], &ids[1]), (&sandbox, &ids[1], &ids[0])] {
        let listed = ask(running, Method::GET, PATH, key).await.json();
        assert_eq!(listed["subscriptions"].as_array().unwrap().len(), 1);
        assert_eq!(&listed["subscriptions"][0]["id"], own);
        let other = other.as_str().unwrap();
        for (method, path) in [
            (Method::GET, format!("{PATH}/subscription?id={other}")),
            (Method::GET, format!("{PATH}/deliveries?id={other}")),
            (Method::POST, format!("{PATH}/rotate?id={other}")),
            (Method::POST, format!("{PATH}/test?id={other}")),
            (Method::DELETE, format!("{PATH}?id={other}")),
        ] {
            assert_eq!(ask(running, method, &path, key).await.status, 404, "{path}");
        }
    }
    let listed = desk.ask(&desk.key, Method::GET, "/operator/v1/webhooks", None).await.json();
    let told =
        |number: usize| (&listed["items"][number]["partner"], &listed["items"][number]["test"]);
    assert_eq!(told(0), (&json!("Aid"), &json!(true)));
    assert_eq!(told(1), (&json!("Aid"), &Value::Null));
}

#[tokio::test]
async fn a_warning_about_a_filter_tells_a_sandbox_nothing_about_reports() {
    let running = running().await;
    running.publish(&[report("a", Spirit).at("Poseidonis", "", "Atlantis")]).await;
    let new = json!({
        "url": "http://127.0.0.1:9/",
        "events": ["report.created"],
        "filter": { "country": "Atlantis" },
    });
    for (tier, warnings) in [
        (Tier::Partner, Value::Null),
        (
            Tier::Test,
            json!([{ "pointer": "/filter/country", "detail": "\"Atlantis\" is not a known country." }]),
        ),
    ] {
        let key = running.key("Aid", tier).await;
        assert_eq!(subscribe(&running, &key, &new).await["warnings"], warnings, "{tier}");
    }
}
