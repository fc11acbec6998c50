//! Reads of one resource with its `ETag`, and changes with `If-Match`.

use domain::{report::Step, scope::Scope, tier::Tier};
use model::ReportType::Spirit;
use reqwest::Method;
use serde_json::{Value, json};
use store::Mode;

use svc::keys::ApiKey;

use crate::{
    api::webhooks::{PATH, ask, list, patch, post, running},
    harness::{Answer, But, Running, report},
    operator::{Desk, key},
};

const BODY: &str = r#"{"url":"http://127.0.0.1:9/a","events":["report.created"]}"#;
const ONE: &str = "/api/v1/webhooks/subscription";

/// Sends a change that requires one of these tags.
async fn change(
    running: &Running,
    key: &ApiKey,
    (method, path): (Method, &str),
    tags: &[&str],
    body: Option<Value>,
) -> Answer {
    let bearer = format!("Bearer {}", key.as_str());
    let mut headers = vec![("authorization", bearer.as_str())];
    headers.extend(tags.iter().map(|tag| ("if-match", *tag)));
    let mut request = running.http.request(method, running.url(path));
    if let Some(body) = body {
        headers.push(("content-type", "application/json"));
        request = request.body(body.to_string());
    }
    running.ask(request, &headers).await
}

fn assert_outdated(answer: &Answer) {
    let body = answer.json();
    assert_eq!((answer.status, &body["code"]), (412, &json!("PRECONDITION_FAILED")), "{body}");
}

/// Creates a subscription; returns its id.
async fn subscribed(running: &Running, key: &ApiKey) -> String {
    let created = post(running, key, BODY).await.json();
    created["subscription"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_partner_reads_one_of_its_subscriptions_as_it_is_in_the_list() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    subscribed(&running, &key).await;
    let id = subscribed(&running, &key).await;
    let path = format!("{ONE}?id={id}");
    let found = ask(&running, Method::GET, &path, &key).await;
    assert_eq!((found.status, found.header("cache-control")), (200, "no-store"));
    let listed = ask(&running, Method::GET, PATH, &key).await.json();
    assert_eq!(found.json(), json!({ "subscription": listed["subscriptions"][0] }));
    assert_eq!(found.json()["subscription"]["health"]["state"], "HEALTHY");
    let rival = running.key("Rivals", Tier::Partner).await;
    for (path, key) in [(&*path, &rival), (&format!("{ONE}?id=sub_x"), &key)] {
        let unknown = ask(&running, Method::GET, path, key).await;
        assert_eq!((unknown.status, &unknown.json()["code"]), (404, &json!("NOT_FOUND")));
    }
    let missing = ask(&running, Method::GET, ONE, &key).await;
    assert_eq!((missing.status, &missing.json()["code"]), (400, &json!("INVALID_PARAMETER")));
}

#[tokio::test]
async fn the_tag_of_a_subscription_changes_with_its_settings_and_with_nothing_else() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let id = subscribed(&running, &key).await;
    let path = format!("{ONE}?id={id}");
    let tag = async || ask(&running, Method::GET, &path, &key).await.header("etag").to_owned();
    let first = tag().await;
    assert!(first.starts_with('"') && first.ends_with('"') && first.len() == 26, "{first}");
    let rotate = format!("{PATH}/rotate?id={id}");
    assert_eq!(ask(&running, Method::POST, &rotate, &key).await.status, 200);
    running.database.tamper("UPDATE subscriptions SET failing_since = 7, failures = 3").await;
    assert_eq!(tag().await, first, "neither secret nor health are part of it");
    let mut tags = vec![first];
    for change in [
        json!({ "url": "http://127.0.0.1:9/b" }),
        json!({ "events": ["metrics.updated"] }),
        json!({ "filter": { "country": "BR" } }),
        json!({ "status": "DISABLED" }),
    ] {
        let changed = patch(&running, &key, &id, &change).await;
        assert_eq!(changed.header("etag"), tag().await, "{change}");
        assert!(!tags.contains(&tag().await), "{change}");
        tags.push(tag().await);
    }
    let back = json!({ "url": "http://127.0.0.1:9/a", "events": ["report.created"], "filter": null,
                       "status": "ACTIVE" });
    assert_eq!(patch(&running, &key, &id, &back).await.header("etag"), tags[0]);
}

#[tokio::test]
async fn a_change_that_requires_another_state_changes_nothing() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let id = subscribed(&running, &key).await;
    let (one, all) = (format!("{ONE}?id={id}"), format!("{PATH}?id={id}"));
    let old = ask(&running, Method::GET, &one, &key).await.header("etag").to_owned();
    let new = patch(&running, &key, &id, &json!({ "url": "http://127.0.0.1:9/b" })).await;
    let new = new.header("etag").to_owned();
    let before = list(&running, &key).await;
    let rotate = format!("{PATH}/rotate?id={id}");
    let url = json!({ "url": "http://127.0.0.1:9/c" });
    let weak = format!("W/{new}");
    for tags in [vec![&*old], vec![&*weak], vec!["\"\""], vec![&*old, "\"x\""]] {
        for (method, path, body) in [
            (Method::PATCH, &all, Some(&url)),
            (Method::DELETE, &all, None),
            (Method::POST, &rotate, None),
        ] {
            let refused =
                change(&running, &key, (method.clone(), path), &tags, body.cloned()).await;
            assert_outdated(&refused);
        }
        assert_eq!(list(&running, &key).await, before);
    }
    let patch = (Method::PATCH, &*all);
    let malformed = change(&running, &key, patch.clone(), &["x"], Some(url.clone())).await;
    assert_eq!((malformed.status, &malformed.json()["code"]), (400, &json!("INVALID_PARAMETER")));
    let rival = running.key("Rivals", Tier::Partner).await;
    let theirs = change(&running, &rival, (Method::DELETE, &all), &[&old], None).await;
    assert_eq!(theirs.status, 404, "it does not reveal that the subscription exists");
    let several = format!("{old}, {new}");
    let changed = change(&running, &key, patch.clone(), &[&several], Some(url.clone())).await;
    assert_eq!(changed.json()["subscription"]["url"], "http://127.0.0.1:9/c");
    let newest = changed.header("etag").to_owned();
    let rotated = change(&running, &key, (Method::POST, &rotate), &[&newest], None).await;
    assert_eq!(rotated.status, 200, "{}", rotated.text());
    assert_eq!(change(&running, &key, patch, &["*"], Some(url)).await.status, 200);
    let deleted = change(&running, &key, (Method::DELETE, &all), &[&newest], None).await;
    assert_eq!(deleted.status, 204);
}

#[tokio::test]
async fn of_changes_of_the_same_state_at_the_same_time_one_succeeds() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let id = subscribed(&running, &key).await;
    let (one, all) = (format!("{ONE}?id={id}"), format!("{PATH}?id={id}"));
    for round in 0..5 {
        let tag = ask(&running, Method::GET, &one, &key).await.header("etag").to_owned();
        let tags = [tag.as_str()];
        let changes = (0..6).map(|number| {
            let url = json!({ "url": format!("http://127.0.0.1:9/{round}-{number}") });
            change(&running, &key, (Method::PATCH, &all), &tags, Some(url))
        });
        let answers = futures_util::future::join_all(changes).await;
        let (done, refused): (Vec<_>, Vec<_>) =
            answers.iter().partition(|answer| answer.status == 200);
        assert_eq!((done.len(), refused.len()), (1, 5));
        refused.into_iter().for_each(assert_outdated);
        assert_eq!(list(&running, &key).await[0]["url"], done[0].json()["subscription"]["url"]);
    }
}

#[tokio::test]
async fn an_operator_reads_one_subscription_and_disables_enables_and_deletes_it_in_a_known_state() {
    let desk = Desk::of("Ana", Scope::Admin).await;
    let partner = key(&desk.running, "Aid", Tier::Partner, None).await;
    let id = subscribed(&desk.running, &partner).await;
    let path = format!("/operator/v1/webhooks/{id}");
    let listed = desk.get("/operator/v1/webhooks").await;
    assert_eq!(desk.get(&path).await, listed["items"][0]);
    let tag =
        async || desk.ask(&desk.key, Method::GET, &path, None).await.header("etag").to_owned();
    let active = tag().await;
    let (disable, enable) = (format!("{path}/disable"), format!("{path}/enable"));
    let tags = ["\"old\""];
    for target in [(Method::POST, &disable), (Method::POST, &enable), (Method::DELETE, &path)] {
        let target = (target.0, &**target.1);
        assert_outdated(&change(&desk.running, &desk.key, target, &tags, None).await);
    }
    assert_eq!(tag().await, active);
    let done = change(&desk.running, &desk.key, (Method::POST, &disable), &[&active], None).await;
    assert_eq!(done.status, 200, "{}", done.text());
    let disabled = tag().await;
    assert_ne!(disabled, active);
    let stale = change(&desk.running, &desk.key, (Method::POST, &enable), &[&active], None).await;
    assert_outdated(&stale);
    for target in [(Method::POST, &*enable), (Method::DELETE, &path)] {
        let tag = tag().await;
        assert_eq!(change(&desk.running, &desk.key, target, &[&tag], None).await.status, 200);
    }
    let gone = desk.ask(&desk.key, Method::GET, &path, None).await;
    assert_eq!((gone.status, &gone.json()["code"]), (404, &json!("NOT_FOUND")));
}

#[tokio::test]
async fn a_report_is_corrected_only_in_the_state_that_was_read() {
    let desk = Desk::new().await;
    let store = &desk.running.database.store;
    let mut row = report("r", Spirit).on("2026-02-01");
    row.position = Some((-22.9, -47.1));
    store.reports().import(&[row], Mode::Pending).await.unwrap();
    for path in ["/operator/v1/reports/r", "/operator/v1/report?id=r"] {
        let read = async || {
            let found = desk.ask(&desk.key, Method::GET, path, None).await;
            (found.header("etag").to_owned(), found.json())
        };
        let correct = async |tag: &str, count: u32| {
            let body = json!({ "peopleCount": count });
            let target = (Method::PATCH, path);
            change(&desk.running, &desk.key, target, &[tag], Some(body)).await
        };
        let (first, before) = read().await;
        let count = before["peopleCount"].as_u64().unwrap() as u32 + 1;
        let done = correct(&first, count).await;
        assert_eq!((done.status, &done.json()["peopleCount"]), (200, &json!(count)));
        let (second, _) = read().await;
        assert_eq!(done.header("etag"), second);
        assert_outdated(&correct(&first, 100).await);
        assert_eq!(read().await.1["peopleCount"], count);
        let step = if before["status"] == "PENDING" { Step::Approve } else { Step::Withdraw };
        store.reports().decide(step, &["r".to_owned()]).await.unwrap();
        assert_outdated(&correct(&second, 100).await);
        let (third, _) = read().await;
        assert_eq!(correct(&third, count).await.status, 200, "nothing differs");
        assert_eq!(read().await.0, third);
    }
}
