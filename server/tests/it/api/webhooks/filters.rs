//! Subscriptions that filter events about reports.

use domain::tier::Tier;
use serde_json::{Value, json};

use svc::keys::ApiKey;

use super::{PATH, ask, list, patch, post, running, subscribe};
use crate::harness::{Answer, Running};

const URL: &str = "http://127.0.0.1:9/";

async fn subscribe_with(running: &Running, key: &ApiKey, filter: &Value) -> Answer {
    let body = json!({ "url": URL, "events": ["report.created"], "filter": filter });
    post(running, key, body.to_string()).await
}

#[tokio::test]
async fn a_filter_is_shown_in_the_form_in_which_it_was_given() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    for (given, shown) in [
        (json!({ "country": "BR" }), json!({ "country": "BR" })),
        (
            json!({ "types": ["both", "water", "both"], "city": " são  paulo", "region": "SP " }),
            json!({ "region": "SP", "city": "são paulo", "types": ["water", "both"] }),
        ),
        (json!({ "region": "a".repeat(256) }), json!({ "region": "a".repeat(256) })),
        (Value::Null, Value::Null),
        (json!({}), Value::Null),
    ] {
        let created = subscribe_with(&running, &key, &given).await;
        assert_eq!(created.status, 201, "{given}: {}", created.text());
        let created = created.json()["subscription"].clone();
        let mut expected = json!({
            "id": created["id"],
            "url": URL,
            "events": ["report.created"],
            "secret": created["secret"],
            "createdAt": "2026-03-01T12:00:00.000Z",
        });
        if !shown.is_null() {
            expected["filter"] = shown;
        }
        assert_eq!(created, expected, "{given}");
        let mut listed = expected;
        listed.as_object_mut().unwrap().remove("secret");
        listed["status"] = json!("ACTIVE");
        assert_eq!(list(&running, &key).await, [listed], "{given}");
        let path = format!("{PATH}?id={}", created["id"].as_str().unwrap());
        assert_eq!(ask(&running, reqwest::Method::DELETE, &path, &key).await.status, 204);
    }
}

#[tokio::test]
async fn a_filter_is_replaced_as_a_whole_and_removed_by_null() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let created = subscribe(&running, &key, URL).await;
    let id = created["id"].as_str().unwrap();
    let mut expected = list(&running, &key).await.remove(0);
    for (change, filter) in [
        (json!({ "filter": { "country": "Brasil" } }), json!({ "country": "Brasil" })),
        (json!({ "status": "ACTIVE" }), json!({ "country": "Brasil" })),
        (json!({ "filter": { "types": ["spirit"] } }), json!({ "types": ["spirit"] })),
        (json!({ "filter": null }), Value::Null),
        (json!({ "filter": { "city": "Arica" } }), json!({ "city": "Arica" })),
        (json!({ "filter": {} }), Value::Null),
    ] {
        if filter.is_null() {
            expected.as_object_mut().unwrap().remove("filter");
        } else {
            expected["filter"] = filter;
        }
        let answer = patch(&running, &key, id, &change).await;
        assert_eq!(answer.status, 200, "{change}: {}", answer.text());
        assert_eq!(answer.json(), json!({ "subscription": expected }), "{change}");
        assert_eq!(list(&running, &key).await, [expected.clone()], "{change}");
    }
}

#[tokio::test]
async fn every_fault_of_a_filter_says_what_to_write() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let created = subscribe(&running, &key, URL).await;
    let (id, before) = (created["id"].as_str().unwrap(), list(&running, &key).await);
    for (filter, detail) in [
        (json!("BR"), "\"filter\" must be an object, not \"BR\"."),
        (json!(["water"]), "\"filter\" must be an object, not a list."),
        (json!(true), "\"filter\" must be an object, not true."),
        (json!({ "country": 55 }), "\"filter.country\" must be a string, not 55."),
        (json!({ "region": null }), "\"filter.region\" must be a string, not null."),
        (
            json!({ "city": " \u{200b} " }),
            "\"filter.city\" is blank: give the name of a city, or leave it out.",
        ),
        (
            json!({ "city": "a".repeat(257) }),
            "\"filter.city\" has 257 characters; the maximum is 256: give the name of a city, or leave it \
             out.",
        ),
        (
            json!({ "region": "a\nb" }),
            "\"filter.region\" has a control character (U+000A): give the name of a region, or leave it out.",
        ),
        (json!({ "types": "water" }), "\"filter.types\" must be a list, not \"water\"."),
        (
            json!({ "types": [] }),
            "\"filter.types\" is empty: give a list with one or more of spirit, water, both.",
        ),
        (
            json!({ "types": ["fire"] }),
            "\"filter.types[0]\" must be spirit, water or both, not \"fire\".",
        ),
        (
            json!({ "types": ["water", 1] }),
            "\"filter.types[1]\" must be spirit, water or both, not 1.",
        ),
    ] {
        let created = subscribe_with(&running, &key, &filter).await;
        let changed = patch(&running, &key, id, &json!({ "filter": filter })).await;
        for answer in [created, changed] {
            let body = answer.json();
            let told = (answer.status, body["code"].as_str(), body["detail"].as_str());
            assert_eq!(told, (400, Some("INVALID_FILTER"), Some(detail)), "{filter}");
        }
        assert_eq!(list(&running, &key).await, before, "{filter}");
    }
}
