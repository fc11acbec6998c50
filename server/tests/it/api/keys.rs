use std::time::Duration;

use base::{random::Random, time::Timestamp};
use domain::tier::Tier;
use serde_json::json;
use store::Revoked;

use svc::keys::{ApiKey, POLL_INTERVAL};

use crate::harness::{Answer, Running, instant, soon};

async fn with_key(running: &Running, key: &str) -> Answer {
    running.get_with("/api/v1/metrics", &[("authorization", &format!("Bearer {key}"))]).await
}

#[tokio::test]
async fn a_key_is_taken_on_public_endpoints_from_the_moment_it_is_made() {
    let running = Running::new().await;
    for tier in Tier::ALL.into_iter().filter(|tier| !tier.is_sandbox()) {
        let key = running.key("Aid", tier).await;
        let answer = with_key(&running, key.as_str()).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert!(
            answer.header("ratelimit-policy").starts_with(&format!("\"{tier}\";q=")),
            "{}",
            answer.header("ratelimit-policy")
        );
    }
}

#[tokio::test]
async fn what_is_no_valid_key_is_refused_on_public_endpoints_too() {
    let running = Running::new().await;
    let known = running.key("Aid", Tier::Partner).await;
    let malformed = "This is not a valid key: keys begin with svc_ and have 42 characters. \
                     Check that the whole key was copied.";
    let unknown = "The key is unknown, revoked or expired. Request a new one from the operator, or send none.";
    let invented = ApiKey::generate(&Random::seeded(9));
    // Prefix of the known key with another key's secret.
    let cut = &known.as_str()[..41];
    for (key, detail) in [
        (invented.as_str(), unknown),
        ("", malformed),
        ("svc_", malformed),
        (cut, malformed),
        (&known.as_str().to_uppercase(), malformed),
        (&format!("{} {}", known.as_str(), known.as_str()), malformed),
    ] {
        let answer = with_key(&running, key).await;
        assert_eq!(answer.status, 401, "{key}");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert_eq!(
            answer.json(),
            json!({
                "type": "/docs/errors#UNAUTHENTICATED",
                "title": "The key is missing or not valid",
                "status": 401,
                "detail": detail,
                "code": "UNAUTHENTICATED",
            })
        );
    }
}

#[tokio::test]
async fn the_scheme_is_read_in_any_case_and_others_are_passed_over() {
    let running = Running::new().await;
    let key = running.key("Aid", Tier::Partner).await;
    let header = format!("bEARER   {}", key.as_str());
    let answer = running.get_with("/api/v1/metrics", &[("authorization", &header)]).await;
    assert_eq!(answer.header("ratelimit-policy"), "\"partner\";q=1000;w=60");
    for other in ["Basic c3ZjOnN2Yw==", "Digest x", "svc_abc", "Bearerx y"] {
        let answer = running.get_with("/api/v1/metrics", &[("authorization", other)]).await;
        assert_eq!(answer.status, 200, "{other}");
        assert_eq!(answer.header("ratelimit-policy"), "\"public\";q=60;w=60");
    }
    let twice = [("authorization", header.as_str()), ("authorization", header.as_str())];
    assert_eq!(running.get_with("/api/v1/metrics", &twice).await.status, 401);
}

#[tokio::test]
async fn a_revoked_key_is_refused_within_the_promised_time_on_every_node() {
    let running = Running::new().await;
    let key = running.key("Aid", Tier::Partner).await;
    assert_eq!(with_key(&running, key.as_str()).await.status, 200);
    let elsewhere = running.database.elsewhere().await;
    let revoked = elsewhere.keys().revoke(key.prefix()).await.unwrap();
    assert_eq!(revoked, Revoked::Now { disabled: Vec::new() });
    // The node polls for changes at this interval; the documented promise is five seconds.
    const { assert!(POLL_INTERVAL.as_secs() < 5) };
    running.clock.advance(POLL_INTERVAL);
    soon("the refusal", async {
        while with_key(&running, key.as_str()).await.status != 401 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    elsewhere.close().await;
}

#[tokio::test]
async fn a_key_ends_at_its_very_instant() {
    let running = Running::new().await;
    let end = instant("2026-03-01T12:01:00.000Z");
    let key = running.key_until("Aid", Tier::Partner, Some(end)).await;
    running.clock.advance(Duration::from_millis(59_999));
    assert_eq!(with_key(&running, key.as_str()).await.status, 200);
    running.clock.advance(Duration::from_millis(1));
    assert_eq!(with_key(&running, key.as_str()).await.status, 401);
}

#[tokio::test]
async fn the_last_use_of_a_key_is_written_down() {
    let running = Running::new().await;
    let key = running.key("Aid", Tier::Partner).await;
    let last_use = async || {
        let keys = running.database.store.keys().list().await.unwrap();
        keys.into_iter()
            .find(|listed| listed.prefix == key.prefix())
            .unwrap()
            .last_used_at
            .map(|at| at.to_string())
    };
    assert_eq!(last_use().await, None);
    running.clock.advance(Duration::from_secs(1));
    with_key(&running, key.as_str()).await;
    running.service.app.keys.note_uses().await.unwrap();
    assert_eq!(last_use().await.as_deref(), Some("2026-03-01T12:00:01.000Z"));
    // Creating another key reloads the view of keys. Uses that are not yet written are kept.
    running.clock.advance(Duration::from_secs(1));
    with_key(&running, key.as_str()).await;
    running.key("Aid", Tier::Partner).await;
    running.service.app.keys.refresh().await.unwrap();
    running.service.app.keys.note_uses().await.unwrap();
    assert_eq!(last_use().await.as_deref(), Some("2026-03-01T12:00:02.000Z"));
    // The key is revoked before its last use is written.
    running.clock.advance(Duration::from_secs(1));
    with_key(&running, key.as_str()).await;
    running.database.store.keys().revoke(key.prefix()).await.unwrap();
    running.service.app.keys.refresh().await.unwrap();
    assert_eq!(last_use().await.as_deref(), Some("2026-03-01T12:00:03.000Z"));
}

#[tokio::test]
async fn the_use_of_a_key_is_noted_once_a_second() {
    let running = Running::new().await;
    let key = running.key("Aid", Tier::Partner).await;
    for _ in 0..3 {
        running.clock.advance(Duration::from_millis(300));
        assert_eq!(with_key(&running, key.as_str()).await.status, 200);
    }
    running.service.app.keys.note_uses().await.unwrap();
    let keys = running.database.store.keys().list().await.unwrap();
    assert_eq!(keys[0].last_used_at, Some(Timestamp(instant("2026-03-01T12:00:00.300Z"))));
}

#[tokio::test]
async fn a_caller_reads_its_own_key_and_limits() {
    let running = Running::new().await;
    let path = "/api/v1/me";
    let visitor = [("x-forwarded-for", "192.0.2.7")];
    let nobody = running.get_with(path, &visitor).await;
    assert_eq!(nobody.header("cache-control"), "no-store");
    assert_eq!(
        nobody.json(),
        json!({
            "tier": "public",
            "limits": {
                "requestsPerMinute": 60, "requestsLeft": 59, "resetSeconds": 60, "streams": 20, "subscriptions": 0,
            },
        })
    );
    let again = running.get_with(path, &visitor).await.json();
    assert_eq!(again["limits"]["requestsLeft"], 58, "it counts");
    let key = running.key("Aid", Tier::Partner).await;
    let bearer = format!("Bearer {}", key.as_str());
    let partner = running.get_with(path, &[("authorization", &bearer)]).await.json();
    assert_eq!(
        partner,
        json!({
            "tier": "partner",
            "key": { "prefix": key.prefix(), "holder": "Aid" },
            "limits": {
                "requestsPerMinute": 1000, "requestsLeft": 999, "resetSeconds": 60, "streams": 20,
                "subscriptions": 25,
            },
        })
    );
    let key = running.key("Big", Tier::Enterprise).await;
    let bearer = format!("Bearer {}", key.as_str());
    let unlimited = running.get_with(path, &[("authorization", &bearer)]).await.json();
    assert_eq!(unlimited["limits"], json!({ "subscriptions": 25 }));
    let wrong = running.get_with(path, &[("authorization", "Bearer svc_")]).await;
    assert_eq!(wrong.status, 401);
}
