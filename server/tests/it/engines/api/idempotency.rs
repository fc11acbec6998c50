//! Requests of partners with an `Idempotency-Key`.

use std::time::Duration;

use domain::{idempotency::IdempotentRequest, tier::Tier};
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use store::Claimed;

use svc::keys::ApiKey;

use crate::{
    api::webhooks::{PATH, ask, list, patch, running},
    harness::{Answer, Running, soon},
    receiver::{Receiver, Reply},
};

const BODY: &str =
    r#"{"url":"http://127.0.0.1:9/a","events":["report.created"],"filter":{"country":"BR"}}"#;
const OTHER: &str = r#"{"url":"http://127.0.0.1:9/b","events":["report.created"]}"#;
const DAY: Duration = Duration::from_secs(86_400);

/// Creates a subscription with these idempotency keys, normally one.
async fn post(running: &Running, key: &ApiKey, names: &[&str], body: &str) -> Answer {
    let bearer = format!("Bearer {}", key.as_str());
    let mut headers =
        vec![("authorization", bearer.as_str()), ("content-type", "application/json")];
    headers.extend(names.iter().map(|name| ("idempotency-key", *name)));
    let request = running.http.post(running.url(PATH)).body(body.to_owned());
    running.ask(request, &headers).await
}

fn assert_conflict(answer: &Answer, detail: &str) {
    let body = answer.json();
    let told = (answer.status, body["code"].as_str(), body["detail"].as_str());
    assert_eq!(told, (409, Some("IDEMPOTENCY_CONFLICT"), Some(detail)));
}

const USED: &str = "This Idempotency-Key was used for another request less than 24 hours ago: use a new key for each \
                    request.";
const RUNNING: &str =
    "The request with this Idempotency-Key is being handled: repeat it for its response.";
const LOST: &str = "The request with this Idempotency-Key had an effect, but its response was not kept: read the state, \
                    and use a new key for a new request.";

/// Sends a request without a body.
async fn send(running: &Running, key: &ApiKey, name: &str, path: &str) -> Answer {
    let bearer = format!("Bearer {}", key.as_str());
    let headers = [("authorization", bearer.as_str()), ("idempotency-key", name)];
    running.ask(running.http.post(running.url(path)), &headers).await
}

#[tokio::test]
async fn a_request_that_is_repeated_subscribes_once_and_has_the_same_response() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let first = post(&running, &key, &["k-1"], BODY).await;
    assert_eq!((first.status, first.header("cache-control")), (201, "no-store"));
    let created = first.json()["subscription"].clone();
    assert_eq!(
        created,
        json!({
            "id": created["id"],
            "url": "http://127.0.0.1:9/a",
            "events": ["report.created"],
            "filter": { "country": "BR" },
            "secret": created["secret"],
            "createdAt": "2026-03-01T12:00:00.000Z",
        })
    );
    running.clock.advance(DAY - Duration::from_secs(1));
    let other_key_of_the_partner = running.key("Aid", Tier::Enterprise).await;
    let spaced = r#" { "events": ["report.\u0063reated"], "filter": { "country": "BR" },
                       "url": "http://127.0.0.1:9/a" } "#;
    for body in [BODY, spaced] {
        let again = post(&running, &other_key_of_the_partner, &["k-1"], body).await;
        assert_eq!((again.status, &again.body), (201, &first.body), "{body}");
        for (name, value) in [
            ("cache-control", "no-store"),
            ("content-type", "application/json"),
            ("idempotent-replayed", "true"),
        ] {
            assert_eq!(again.header(name), value);
        }
    }
    assert_eq!(first.header("idempotent-replayed"), "");
    assert_eq!(list(&running, &key).await.len(), 1);
}

#[tokio::test]
async fn a_key_is_used_for_one_body_by_each_partner() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let first = post(&running, &key, &["k-1"], BODY).await;
    assert_conflict(&post(&running, &key, &["k-1"], OTHER).await, USED);
    let second = post(&running, &key, &["K-1"], OTHER).await;
    assert_eq!(second.status, 201, "keys differ in case");
    let rival = running.key("Rivals", Tier::Partner).await;
    let theirs = post(&running, &rival, &["k-1"], OTHER).await;
    assert_eq!(theirs.status, 201, "{}", theirs.text());
    let id = |answer: &Answer| answer.json()["subscription"]["id"].clone();
    let listed: Vec<Value> =
        list(&running, &key).await.iter().map(|listed| listed["id"].clone()).collect();
    assert_eq!(listed, [id(&second), id(&first)]);
    assert_eq!(list(&running, &rival).await[0]["id"], id(&theirs));
}

#[tokio::test]
async fn requests_at_the_same_time_subscribe_once() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    for round in 0..10 {
        let name = format!("k-{round}");
        let names = [name.as_str()];
        let answers = join_all((0..8).map(|_| post(&running, &key, &names, BODY))).await;
        let first = post(&running, &key, &names, BODY).await;
        assert_eq!(first.status, 201);
        for answer in &answers {
            match answer.status {
                201 => assert_eq!(answer.body, first.body),
                _ => {
                    assert_conflict(answer, RUNNING);
                    assert_eq!(answer.header("retry-after"), "2");
                }
            }
        }
        assert_eq!(list(&running, &key).await.len(), round + 1);
    }
}

#[tokio::test]
async fn of_requests_with_different_bodies_at_the_same_time_one_subscribes() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let bodies: Vec<String> =
        (0..8).map(|number| OTHER.replace("/b", &format!("/{number}"))).collect();
    let answers = join_all(bodies.iter().map(|body| post(&running, &key, &["k"], body))).await;
    let created: Vec<&Answer> = answers.iter().filter(|answer| answer.status == 201).collect();
    assert_eq!(created.len(), 1);
    assert_eq!(list(&running, &key).await[0]["id"], created[0].json()["subscription"]["id"]);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        assert_conflict(answer, USED);
    }
}

#[tokio::test]
async fn a_key_is_forgotten_after_24_hours() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let first = post(&running, &key, &["k-1"], BODY).await;
    running.clock.advance(DAY);
    let second = post(&running, &key, &["k-1"], OTHER).await;
    assert_eq!(second.status, 201, "{}", second.text());
    assert_eq!(post(&running, &key, &["k-1"], OTHER).await.body, second.body);
    assert_ne!(first.body, second.body);
    assert_eq!(list(&running, &key).await.len(), 2);
}

#[tokio::test]
async fn the_response_tells_what_was_created_even_if_it_was_changed_since() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let first = post(&running, &key, &["k-1"], BODY).await;
    let id = first.json()["subscription"]["id"].as_str().unwrap().to_owned();
    let change = json!({
        "url": "http://127.0.0.1:9/z",
        "events": ["metrics.updated"],
        "filter": { "types": ["water"] },
        "status": "DISABLED",
    });
    assert_eq!(patch(&running, &key, &id, &change).await.status, 200);
    assert_eq!(post(&running, &key, &["k-1"], BODY).await.body, first.body);
    assert_eq!(list(&running, &key).await[0]["status"], "DISABLED");
}

#[tokio::test]
async fn the_response_stays_the_same_after_the_subscription_was_deleted() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let first = post(&running, &key, &["k-1"], BODY).await;
    let path = format!("{PATH}?id={}", first.json()["subscription"]["id"].as_str().unwrap());
    assert_eq!(ask(&running, Method::DELETE, &path, &key).await.status, 204);
    assert_eq!(post(&running, &key, &["k-1"], BODY).await.body, first.body);
    assert_eq!(list(&running, &key).await, Vec::<Value>::new());
}

#[tokio::test]
async fn every_other_post_of_a_partner_has_its_effect_once() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let created = post(&running, &key, &[], BODY).await.json();
    let id = created["subscription"]["id"].as_str().unwrap();
    let rotate = format!("{PATH}/rotate?id={id}");
    let first = send(&running, &key, "r-1", &rotate).await;
    let again = send(&running, &key, "r-1", &rotate).await;
    assert_eq!((first.status, first.header("idempotent-replayed")), (200, ""));
    assert_eq!((&again.body, again.header("idempotent-replayed")), (&first.body, "true"));
    assert_ne!(send(&running, &key, "r-2", &rotate).await.body, first.body);
    assert_conflict(&send(&running, &key, "r-1", &format!("{rotate}&x=1")).await, USED);
    let test = format!("{PATH}/test?id={id}");
    let tested = send(&running, &key, "t-1", &test).await;
    assert_eq!(tested.status, 200, "{}", tested.text());
    // A second test would be refused as too soon.
    assert_eq!(send(&running, &key, "t-1", &test).await.body, tested.body);
    assert_eq!(send(&running, &key, "t-2", &test).await.status, 429);
    let tests = "SELECT count(*) FROM events WHERE name = 'webhook.test'";
    assert_eq!(running.database.count(tests).await, 1);
}

#[tokio::test]
async fn a_request_whose_process_died_is_handled_again_unless_it_had_an_effect() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let created = post(&running, &key, &[], BODY).await.json();
    let id = created["subscription"]["id"].as_str().unwrap();
    let rotate = format!("{PATH}/rotate?id={id}");
    let first = send(&running, &key, "k", &rotate).await;
    let lose = async |had_effect: &str| {
        let change = format!(
            "UPDATE idempotency_keys SET status = NULL, response = NULL, response_key = NULL,
                 had_effect = {had_effect}"
        );
        running.database.attempt(&change).await.unwrap();
    };
    for had_effect in ["FALSE", "TRUE"] {
        lose(had_effect).await;
        assert_conflict(&send(&running, &key, "k", &rotate).await, RUNNING);
    }
    running.clock.advance(Duration::from_secs(60));
    assert_conflict(&send(&running, &key, "k", &rotate).await, LOST);
    lose("FALSE").await;
    let second = send(&running, &key, "k", &rotate).await;
    assert_eq!((second.status, second.header("idempotent-replayed")), (200, ""));
    assert_ne!(second.body, first.body);
    assert_eq!(send(&running, &key, "k", &rotate).await.body, second.body);
}

#[tokio::test]
async fn a_request_that_another_has_overtaken_can_change_nothing() {
    let running = running().await;
    running.key("Aid", Tier::Partner).await;
    let store = &running.database.store;
    let request = IdempotentRequest::new("k", "POST", "/", b"{}").unwrap();
    let claim = async || store.idempotent_requests().claim("partner 1", &request).await.unwrap();
    let Claimed::Now(slow) = claim().await else { panic!("the key is taken") };
    assert!(matches!(claim().await, Claimed::Running));
    // Each effect extends the claim.
    let acting = store.clone().within(slow);
    running.clock.advance(Duration::from_secs(60));
    let Claimed::Now(fast) = claim().await else { panic!("the claim has not ended") };
    let late = acting.keys().revoke("svc_none").await;
    assert!(matches!(late, Err(store::Error::ClaimLost)), "{late:?}");
    store.clone().within(fast).keys().revoke("svc_none").await.unwrap();
    running.clock.advance(Duration::from_secs(60));
    assert!(matches!(claim().await, Claimed::Lost));
}

#[tokio::test]
async fn a_request_is_handled_to_its_end_although_its_client_is_gone() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let receiver = Receiver::with(Reply::Held(200)).await;
    let body = BODY.replace("http://127.0.0.1:9/a", &receiver.url());
    let created = post(&running, &key, &[], &body).await.json();
    let test = format!("{PATH}/test?id={}", created["subscription"]["id"].as_str().unwrap());
    let asking = send(&running, &key, "k", &test);
    tokio::select! {
        _ = asking => panic!("the receiver has not responded"),
        () = receiver.until(1) => {}
    }
    assert_conflict(&send(&running, &key, "k", &test).await, RUNNING);
    receiver.let_go(1);
    let tested = soon("the response", async {
        loop {
            let answer = send(&running, &key, "k", &test).await;
            if answer.status == 200 {
                return answer;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(tested.json()["status"], 200);
    assert_eq!(tested.header("idempotent-replayed"), "true");
}

#[tokio::test]
async fn only_a_success_is_remembered_and_it_is_repeated_whatever_has_changed() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let wrong = post(&running, &key, &["k-0"], r#"{"url":"no","events":[]}"#).await;
    assert_eq!(wrong.status, 400);
    let mut created = Vec::new();
    for number in 0..25 {
        created.push(post(&running, &key, &[&format!("k-{number}")], BODY).await);
    }
    assert!(created.iter().all(|answer| answer.status == 201));
    let refused = post(&running, &key, &["k-25"], BODY).await;
    assert_eq!(
        (refused.status, refused.json()["code"].clone()),
        (409, json!("SUBSCRIPTION_LIMIT"))
    );
    // The limit is reached, but this subscription exists.
    assert_eq!(post(&running, &key, &["k-7"], BODY).await.body, created[7].body);
    let path = format!("{PATH}?id={}", created[7].json()["subscription"]["id"].as_str().unwrap());
    assert_eq!(ask(&running, Method::DELETE, &path, &key).await.status, 204);
    assert_eq!(post(&running, &key, &["k-25"], BODY).await.status, 201);
}

#[tokio::test]
async fn a_key_that_is_none_is_refused_with_what_to_write() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let form = "Idempotency-Key must have 1 to 255 visible ASCII characters and no spaces: give a UUID, for \
                example.";
    let long = "x".repeat(256);
    for (names, detail) in [
        (vec![""], form),
        (vec!["a b"], form),
        (vec!["é"], form),
        (vec![&*long], form),
        (vec!["a", "a"], "Idempotency-Key is given more than once."),
    ] {
        let body = post(&running, &key, &names, BODY).await.json();
        let told = (body["status"].as_u64(), body["code"].as_str(), body["detail"].as_str());
        assert_eq!(told, (Some(400), Some("INVALID_PARAMETER"), Some(detail)), "{names:?}");
    }
    assert_eq!(list(&running, &key).await, Vec::<Value>::new());
    assert_eq!(post(&running, &key, &[&long[1..]], BODY).await.status, 201);
}

#[tokio::test]
async fn the_secret_is_not_stored_a_second_time() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let first = post(&running, &key, &["k-1"], BODY).await.json();
    let secret = first["subscription"]["secret"].as_str().unwrap();
    for file in std::fs::read_dir(running.database.path("")).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
    }
}

#[tokio::test]
async fn old_keys_are_removed_in_steps_and_young_ones_stay() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    post(&running, &key, &["young"], BODY).await;
    let database = &running.database;
    database
        .tamper(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2500)
             INSERT INTO idempotency_keys (owner, key, request_hash, claim, started_at, claimed_until)
             SELECT 'partner 1', 'old-' || n, x'00', 1, n, n FROM n",
        )
        .await;
    let (store, now) = (&database.store, running.clock.now());
    for (left, more) in [(1_501, true), (501, true), (1, false), (1, false)] {
        assert_eq!(store.idempotent_requests().forget(now).await.unwrap(), more);
        assert_eq!(database.count("SELECT count(*) FROM idempotency_keys").await, left);
    }
    assert_eq!(post(&running, &key, &["young"], BODY).await.status, 201);
    assert_eq!(list(&running, &key).await.len(), 1);
}

#[tokio::test]
async fn the_service_removes_old_keys_by_itself() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    post(&running, &key, &["k-1"], BODY).await;
    running.clock.advance(DAY);
    let removed = async {
        while running.database.count("SELECT count(*) FROM idempotency_keys").await > 0 {
            tokio::task::yield_now().await;
        }
    };
    soon("the removal", removed).await;
}
