use std::time::Duration;

use base::random::Random;
use domain::tier::Tier;
use reqwest::{Method, Response};
use serde_json::json;

use svc::{config::Serve, keys::ApiKey};

use crate::harness::{Answer, Running, START, settings};

const HOME: (&str, &str) = ("x-forwarded-for", "192.0.2.1");
const NEIGHBOUR: (&str, &str) = ("x-forwarded-for", "192.0.2.2");

/// Authorization header of a key that the service has loaded.
async fn known_key(running: &Running, tier: Tier) -> String {
    let key = running.key("Aid", tier).await;
    running.service.app.keys.refresh().await.unwrap();
    format!("Bearer {}", key.as_str())
}

async fn ask(running: &Running, headers: &[(&str, &str)]) -> Answer {
    running.get_with("/api/v1/metrics", headers).await
}

#[tokio::test]
async fn an_address_has_sixty_requests_in_any_minute() {
    let running = Running::new().await;
    for used in 1..=60 {
        let answer = ask(&running, &[HOME]).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("ratelimit-policy"), "\"public\";q=60;w=60");
        assert_eq!(answer.header("ratelimit"), format!("\"public\";r={};t=60", 60 - used));
    }
    running.clock.advance(Duration::from_millis(100));
    let answer = ask(&running, &[HOME]).await;
    assert_eq!(answer.status, 429);
    assert_eq!(answer.header("retry-after"), "60");
    assert_eq!(answer.header("ratelimit"), "\"public\";r=0;t=60");
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(answer.header("content-type"), "application/problem+json; charset=utf-8");
    assert_eq!(
        answer.json(),
        json!({
            "type": "/docs/errors#RATE_LIMITED",
            "title": "Too many requests",
            "status": 429,
            "detail": "The quota of 60 requests a minute is used up. Wait for the time in Retry-After; a key has a \
                higher quota.",
            "code": "RATE_LIMITED",
        })
    );
    assert_eq!(ask(&running, &[NEIGHBOUR]).await.status, 200, "others are not concerned");
    running.clock.advance(Duration::from_millis(59_899));
    assert_eq!(ask(&running, &[HOME]).await.status, 429, "one millisecond early");
    running.clock.advance(Duration::from_millis(1));
    assert_eq!(ask(&running, &[HOME]).await.status, 200);
}

#[tokio::test]
async fn every_answer_of_the_api_says_what_is_left_of_the_quota() {
    let running = Running::new().await;
    let etag = ask(&running, &[]).await.header("etag").to_owned();
    for (method, path, headers, status) in [
        (Method::GET, "/api/v1/reports", vec![], 200),
        (Method::GET, "/api/v1/metrics", vec![("if-none-match", etag.as_str())], 304),
        (Method::HEAD, "/api/v1/metrics", vec![], 200),
        (Method::GET, "/api/v1/metrics?from=x", vec![], 400),
        (Method::GET, "/api/v1/webhooks", vec![], 401),
        (Method::GET, "/api/v1/metrics", vec![("authorization", "Bearer x")], 401),
        (Method::GET, "/api/v1/nothing", vec![], 404),
        (Method::POST, "/api/v1/metrics", vec![], 405),
    ] {
        let request = running.http.request(method.clone(), running.url(path));
        let answer = running.ask(request, &headers).await;
        assert_eq!(answer.status, status, "{method} {path}");
        assert_eq!(answer.header("ratelimit"), "\"public\";r=59;t=60", "{method} {path}");
    }
}

#[tokio::test]
async fn what_is_not_the_api_has_no_quota_and_uses_none_up() {
    let running = Running::new().await;
    for path in ["/", "/embed/metrics", "/embed.js", "/docs/errors", "/nothing"] {
        for _ in 0..30 {
            let answer = running.get_with(path, &[HOME]).await;
            assert_ne!(answer.status, 429, "{path}");
            assert_eq!(answer.header("ratelimit"), "", "{path}");
        }
    }
    // CORS preflight requests do not count either.
    for _ in 0..61 {
        let request = running.http.request(Method::OPTIONS, running.url("/api/v1/metrics"));
        let headers =
            [HOME, ("origin", "https://a.example"), ("access-control-request-method", "GET")];
        assert_eq!(running.ask(request, &headers).await.status, 200);
    }
    assert_eq!(ask(&running, &[HOME]).await.header("ratelimit"), "\"public\";r=59;t=60");
}

#[tokio::test]
async fn a_key_has_its_own_quota_wherever_it_is_used() {
    let running = Running::new().await;
    let key = running.key("Aid", Tier::Partner).await;
    let bearer = format!("Bearer {}", key.as_str());
    for used in 1..=1_000 {
        // Each request comes from a different address.
        let answer = ask(&running, &[("authorization", &bearer)]).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("ratelimit"), format!("\"partner\";r={};t=60", 1_000 - used));
    }
    let refused = ask(&running, &[("authorization", &bearer)]).await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, "60"));
    assert_eq!(
        refused.json()["detail"],
        "The key's quota of 1000 requests a minute is used up. Wait for the time in Retry-After."
    );
    // Another key of the same partner and the address without a key have their own limits.
    let another = known_key(&running, Tier::Partner).await;
    let answer = ask(&running, &[HOME, ("authorization", &another)]).await;
    assert_eq!(answer.header("ratelimit"), "\"partner\";r=999;t=60");
    assert_eq!(ask(&running, &[HOME]).await.header("ratelimit"), "\"public\";r=59;t=60");
}

#[tokio::test]
async fn enterprise_keys_have_no_limit() {
    let running = Running::new().await;
    let bearer = format!("Bearer {}", running.key("Aid", Tier::Enterprise).await.as_str());
    for _ in 0..1_100 {
        let answer = ask(&running, &[HOME, ("authorization", &bearer)]).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("ratelimit"), "\"enterprise\";r=999999999999999;t=0");
    }
}

#[tokio::test]
async fn guessing_keys_uses_up_the_quota_of_the_address() {
    let running = Running::new().await;
    for _ in 0..60 {
        let answer = ask(&running, &[HOME, ("authorization", "Bearer svc_guess")]).await;
        assert_eq!(answer.status, 401);
    }
    let answer = ask(&running, &[HOME, ("authorization", "Bearer svc_guess")]).await;
    assert_eq!((answer.status, answer.header("retry-after")), (429, "60"));
    assert_eq!(ask(&running, &[HOME]).await.status, 429);
    // Guesses from the same address do not affect a client with a valid key.
    let bearer = known_key(&running, Tier::Partner).await;
    assert_eq!(ask(&running, &[HOME, ("authorization", &bearer)]).await.status, 200);
}

#[tokio::test]
async fn forwarding_headers_count_only_from_proxies_that_are_listed() {
    // The settings trust only proxies of another network.
    let settings = svc::config::Serve {
        trusted_proxies: "10.0.0.0/8".parse().unwrap(),
        ..svc::config::Serve::default()
    };
    let running = Running::with(settings, crate::harness::START).await;
    for used in 1..=60 {
        let spoofed = format!("203.0.113.{used}");
        let answer = ask(&running, &[("x-forwarded-for", &spoofed)]).await;
        assert_eq!(answer.header("ratelimit"), format!("\"public\";r={};t=60", 60 - used));
    }
    assert_eq!(ask(&running, &[("forwarded", "for=203.0.113.99")]).await.status, 429);
}

async fn open_with(running: &Running, bearer: &str, address: &str) -> Response {
    let request = running.http.get(running.url("/api/v1/stream"));
    let request = request.header("authorization", bearer).header(HOME.0, address);
    request.send().await.unwrap()
}

async fn open(running: &Running, from: (&str, &str)) -> Response {
    let request = running.http.get(running.url("/api/v1/stream"));
    request.header(from.0, from.1).send().await.unwrap()
}

#[tokio::test]
async fn made_up_keys_reach_the_database_no_more_often_than_an_address_may_ask() {
    let running = Running::new().await;
    running.database.tamper("ALTER TABLE keys_version RENAME TO elsewhere").await;
    let made_up = || format!("Bearer {}", ApiKey::generate(&Random::system()).as_str());
    for used in 1..=60 {
        let answer = ask(&running, &[HOME, ("authorization", &made_up())]).await;
        assert_eq!(answer.status, 503, "the database was asked, and could not answer");
        assert_eq!(answer.header("ratelimit"), format!("\"public\";r={};t=60", 60 - used));
    }
    let answer = ask(&running, &[HOME, ("authorization", &made_up())]).await;
    assert_eq!(answer.status, 429);
}

#[tokio::test]
async fn streams_opened_with_a_key_count_for_the_key() {
    let running = Running::new().await;
    let mut streams = Vec::new();
    for _ in 0..20 {
        streams.push(open(&running, HOME).await);
    }
    assert_eq!(open(&running, HOME).await.status(), 429);
    let partner = known_key(&running, Tier::Partner).await;
    for address in 1..=20 {
        let stream = open_with(&running, &partner, &format!("203.0.113.{address}")).await;
        assert_eq!(stream.status(), 200);
        streams.push(stream);
    }
    let refused = Answer::of(open_with(&running, &partner, "203.0.113.99").await).await;
    assert_eq!(refused.status, 429);
    assert_eq!(
        refused.json()["detail"],
        "20 streams are open with this key: close one, or share one between pages."
    );
    assert_eq!(refused.header("ratelimit"), "\"partner\";r=980;t=60");
    let enterprise = known_key(&running, Tier::Enterprise).await;
    for _ in 0..50 {
        let stream = open_with(&running, &enterprise, HOME.1).await;
        assert_eq!(stream.status(), 200);
        streams.push(stream);
    }
    assert_eq!(running.service.app.streams.count(), 90);
}

#[tokio::test]
async fn the_operator_says_how_many_streams_an_address_has_open() {
    let running = Running::with(Serve { streams_per_address: 2, ..settings() }, START).await;
    let _streams = [open(&running, HOME).await, open(&running, HOME).await];
    let refused = Answer::of(open(&running, HOME).await).await;
    assert_eq!((refused.status, &refused.json()["code"]), (429, &json!("TOO_MANY_STREAMS")));
    assert_eq!(
        refused.json()["detail"],
        "2 streams are open from this address: close one, or share one between pages."
    );
    assert_eq!(open(&running, NEIGHBOUR).await.status(), 200);
}

#[tokio::test]
async fn an_address_has_twenty_streams_open_at_a_time() {
    let running = Running::new().await;
    let mut streams = Vec::new();
    for _ in 0..20 {
        let stream = open(&running, HOME).await;
        assert_eq!(stream.status(), 200);
        streams.push(stream);
    }
    let refused = Answer::of(open(&running, HOME).await).await;
    assert_eq!(refused.status, 429);
    assert_eq!(refused.header("retry-after"), "30");
    assert_eq!(
        refused.json(),
        json!({
            "type": "/docs/errors#TOO_MANY_STREAMS",
            "title": "Too many open streams",
            "status": 429,
            "detail": "20 streams are open from this address: close one, or share one between pages.",
            "code": "TOO_MANY_STREAMS",
        })
    );
    // Each opened stream counted as a request; the refused one did not.
    assert_eq!(refused.header("ratelimit"), "\"public\";r=40;t=60");
    assert_eq!(open(&running, NEIGHBOUR).await.status(), 200);
    drop(streams.pop());
    crate::harness::soon("room for another stream", async {
        while running.service.app.streams.count() > 19 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(open(&running, HOME).await.status(), 200);
}
