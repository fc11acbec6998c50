//! Keys with a note, a limit of their own, and origins of pages; numbers of requests.

use std::time::Duration;

use domain::{scope::Scope, tier::Tier};
use reqwest::Method;
use serde_json::{Value, json};

use svc::keys::ApiKey;

use crate::{
    desk::{Browser, plain},
    exposition::Exposition,
    harness::{Answer, Running},
    operator::{Desk, key},
};

const KEYS: &str = "/operator/v1/keys";
const METRICS: &str = "/api/v1/metrics";

/// Creates a key with these settings over HTTP.
async fn created(desk: &Desk, settings: Value) -> (ApiKey, Value) {
    let mut body = json!({ "partner": "Acme" });
    body.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
    let answer = desk.post(KEYS, "application/json", body.to_string()).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let issued = answer.json();
    (ApiKey::parse(issued["key"].as_str().unwrap()).unwrap(), issued)
}

async fn get(running: &Running, key: &ApiKey, path: &str, more: &[(&str, &str)]) -> Answer {
    let bearer = format!("Bearer {}", key.as_str());
    let headers = [&[("authorization", bearer.as_str())], more].concat();
    running.get_with(path, &headers).await
}

#[tokio::test]
async fn the_settings_of_a_key_are_listed_and_in_the_audit_log() {
    let desk = Desk::of("Ana", Scope::Admin).await;
    let settings = json!({
        "note": "  their  wiki ",
        "requestsPerMinute": 10,
        "origins": ["https://Wiki.example.org:443/", "https://wiki.example.org", "http://localhost:8080"],
    });
    let (key, issued) = created(&desk, settings).await;
    let shown = json!({
        "note": "their wiki",
        "requestsPerMinute": 10,
        "origins": ["https://wiki.example.org", "http://localhost:8080"],
    });
    let listed = desk.get(KEYS).await["items"][0].clone();
    let audited = desk.get("/operator/v1/audit?action=keys.create").await["items"][0].clone();
    for (name, value) in shown.as_object().unwrap() {
        assert_eq!(&issued[name], value);
        assert_eq!(&listed[name], value);
        assert_eq!(&audited["after"][name], value);
    }
    assert_eq!(listed["prefix"], key.prefix());
    let (_, plain) = created(&desk, json!({})).await;
    let listed = desk.get(KEYS).await["items"][0].clone();
    for name in ["note", "requestsPerMinute", "origins"] {
        assert_eq!((&plain[name], &listed[name]), (&Value::Null, &Value::Null));
    }
}

/// Everybody can read the key in the page.
#[tokio::test]
async fn a_key_of_pages_opens_no_portal_and_replaces_no_proof_of_work() {
    let desk = Desk::of("Ana", Scope::Admin).await;
    let (key, _) = created(&desk, json!({ "origins": ["https://wiki.example.org"] })).await;
    let mut browser = Browser::at(&desk.running, "/partners");
    let refused = browser.sign_in(&key).await;
    assert_eq!((refused.status, refused.header("location")), (303, "/partners/sign-in"));
    assert_eq!(browser.get("/partners").await.status, 303);
    let report = json!({ "type": "water", "city": "Oslo", "country": "Norway" }).to_string();
    let submit = async |key: &ApiKey| {
        let bearer = format!("Bearer {}", key.as_str());
        let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
        let request = desk.running.http.post(desk.running.url("/api/v1/reports"));
        desk.running.ask(request.body(report.clone()), &headers).await
    };
    let refused = submit(&key).await;
    assert_eq!((refused.status, &refused.json()["code"]), (400, &json!("INVALID_PROOF")));
    let (plain, _) = created(&desk, json!({})).await;
    assert_eq!(submit(&plain).await.status, 202);
}

#[tokio::test]
async fn the_portal_shows_the_limit_of_the_key() {
    let desk = Desk::of("Ana", Scope::Admin).await;
    let (key, _) = created(&desk, json!({ "requestsPerMinute": 10 })).await;
    let mut browser = Browser::at(&desk.running, "/partners");
    browser.sign_in(&key).await;
    get(&desk.running, &key, METRICS, &[]).await;
    let page = browser.get("/partners").await.text();
    assert!(page.contains("1 of 10 requests"), "{page}");
}

/// Numbers in the table of a chart of the portal, newest first: start, requests, and refused ones.
fn charted(page: &str, id: &str) -> Vec<[String; 3]> {
    let (_, chart) = page.split_once(&format!("id=\"{id}-numbers\"")).unwrap();
    let (chart, _) = chart.split_once("</table>").unwrap();
    let (_, body) = chart.split_once("<tbody>").unwrap();
    let rows = body.split("<tr>").skip(1);
    rows.map(|row| {
        let cells = row.split("</t").filter_map(|cell| cell.rsplit_once('>'));
        let cells: Vec<_> = cells.map(|(_, text)| text.to_owned()).take(3).collect();
        cells.try_into().unwrap()
    })
    .collect()
}

#[tokio::test]
async fn the_portal_shows_the_use_of_each_key_by_hour_and_day() {
    let desk = Desk::of("Ana", Scope::Admin).await;
    let running = &desk.running;
    let (busy, _) = created(&desk, json!({ "requestsPerMinute": 2 })).await;
    let origins = json!({ "origins": ["https://a.example"], "note": "for the wiki" });
    let (page_key, _) = created(&desk, origins).await;
    let rivals = key(running, "Rivals", Tier::Partner, None).await;
    running.service.app.keys.refresh().await.unwrap();
    let ask = async |key: &ApiKey, count: usize| {
        for _ in 0..count {
            get(running, key, METRICS, &[]).await;
        }
        running.service.app.keys.note_uses().await.unwrap();
    };
    // The clock starts at noon on 1 March.
    ask(&busy, 5).await;
    running.clock.advance(Duration::from_secs(13 * 60 * 60));
    ask(&busy, 1).await;
    ask(&page_key, 1).await;
    let mut browser = Browser::at(running, "/partners");
    browser.sign_in(&busy).await;
    let page = plain(&browser.get("/partners").await.text());
    let row =
        |from: &str, requests: &str, refused: &str| [from, requests, refused].map(str::to_owned);
    let hours = charted(&page, "hours");
    assert_eq!(hours.len(), 24);
    assert_eq!(hours[0], row("2 Mar 2026, 01:00", "1", "0"));
    assert_eq!(hours[1], row("2 Mar 2026, 00:00", "0", "0"));
    assert_eq!(hours[13], row("1 Mar 2026, 12:00", "5", "3"));
    assert!(page.contains("5 of 120 allowed"), "{page}");
    let days = charted(&page, "days");
    assert_eq!(days.len(), 30);
    assert_eq!(days[..2], [row("2 Mar 2026", "1", "0"), row("1 Mar 2026", "5", "3")]);
    assert_eq!(days[29][0], "1 Feb 2026");

    let of_page = format!("/partners?key={}", page_key.prefix());
    assert!(page.contains(&format!("href=\"{of_page}\"")), "{page}");
    assert!(!page.contains(rivals.prefix()) && !page.contains("for the wiki"), "{page}");
    let page = plain(&browser.get(&of_page).await.text());
    assert_eq!(charted(&page, "days")[0], row("2 Mar 2026", "1", "0"));
    let page = plain(&browser.get(&format!("/partners?key={}", rivals.prefix())).await.text());
    assert_eq!(charted(&page, "days")[1], row("1 Mar 2026", "5", "3"), "the session's own key");

    let hours =
        async || running.database.count("SELECT count(DISTINCT hour) FROM key_requests").await;
    running.clock.advance(Duration::from_secs(29 * 24 * 60 * 60));
    ask(&page_key, 1).await;
    browser.sign_in(&busy).await;
    let page = plain(&browser.get("/partners").await.text());
    assert_eq!(charted(&page, "days")[29], row("2 Mar 2026", "1", "0"));
    assert_eq!(hours().await, 3);
    running.clock.advance(Duration::from_secs(2 * 24 * 60 * 60));
    ask(&page_key, 1).await;
    assert_eq!(hours().await, 2, "those from the beginning are too old");
}

#[tokio::test]
async fn settings_that_are_wrong_create_no_key() {
    let desk = Desk::of("Ana", Scope::Admin).await;
    let many: Vec<String> = (0..21).map(|n| format!("https://{n}.example")).collect();
    for settings in [
        json!({ "note": "x".repeat(201) }),
        json!({ "note": "a\u{7}" }),
        json!({ "requestsPerMinute": 0 }),
        json!({ "requestsPerMinute": 100_001 }),
        json!({ "origins": ["example.org"] }),
        json!({ "origins": ["https://example.org/path"] }),
        json!({ "origins": many }),
        json!({ "origins": ["https://example.org"], "tier": "operator" }),
    ] {
        let mut body = json!({ "partner": "Acme" });
        body.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        let answer = desk.post(KEYS, "application/json", body.to_string()).await;
        assert_eq!(answer.status, 400, "{settings}: {}", answer.text());
    }
    assert_eq!(desk.get(KEYS).await["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_limit_of_a_key_replaces_that_of_its_tier_and_is_told() {
    let desk = Desk::of("Ana", Scope::Admin).await;
    for (tier, name) in [("partner", "partner"), ("enterprise", "enterprise")] {
        let (key, _) = created(&desk, json!({ "tier": tier, "requestsPerMinute": 3 })).await;
        let me = get(&desk.running, &key, "/api/v1/me", &[]).await;
        assert_eq!(me.header("ratelimit-policy"), format!("\"{name}\";q=3;w=60"));
        assert_eq!(me.header("ratelimit"), format!("\"{name}\";r=2;t=60"));
        let limits = me.json()["limits"].clone();
        assert_eq!((&limits["requestsPerMinute"], &limits["requestsLeft"]), (&json!(3), &json!(2)));
        assert_eq!(limits["streams"], 20);
        for _ in 0..2 {
            assert_eq!(get(&desk.running, &key, METRICS, &[]).await.status, 200);
        }
        let refused = get(&desk.running, &key, METRICS, &[]).await;
        assert_eq!((refused.status, &refused.json()["code"]), (429, &json!("RATE_LIMITED")));
        assert!(refused.text().contains("quota of 3 requests a minute"), "{}", refused.text());
        desk.running.clock.advance(Duration::from_secs(60));
        assert_eq!(get(&desk.running, &key, METRICS, &[]).await.status, 200);
    }
    let (high, _) = created(&desk, json!({ "requestsPerMinute": 5_000 })).await;
    let policy = get(&desk.running, &high, METRICS, &[]).await;
    assert_eq!(policy.header("ratelimit-policy"), "\"partner\";q=5000;w=60");
}

#[tokio::test]
async fn pages_of_other_origins_cannot_use_the_key_of_a_page() {
    let desk = Desk::of("Ana", Scope::Admin).await;
    let settings = json!({ "origins": ["https://a.example"], "requestsPerMinute": 4 });
    let (page, _) = created(&desk, settings).await;
    let visitor = ("x-forwarded-for", "192.0.2.9");
    let from = async |origin: &str| {
        get(&desk.running, &page, METRICS, &[("origin", origin), visitor]).await
    };
    assert_eq!(from("https://a.example").await.header("ratelimit"), "\"partner\";r=3;t=60");
    for origin in ["https://b.example", "http://a.example", "https://a.example:8443", "null"] {
        let refused = from(origin).await;
        assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("ORIGIN_NOT_ALLOWED")));
        // Otherwise the page could not read the problem.
        assert_eq!(refused.header("access-control-allow-origin"), "*");
        assert!(
            refused.header("ratelimit").starts_with("\"public\";"),
            "the key's quota is untouched"
        );
    }
    assert_eq!(from("https://a.example").await.header("ratelimit"), "\"partner\";r=2;t=60");
    let program = get(&desk.running, &page, METRICS, &[]).await;
    assert_eq!((program.status, program.header("ratelimit")), (200, "\"partner\";r=1;t=60"));
    let me = get(&desk.running, &page, "/api/v1/me", &[]).await.json();
    assert_eq!(me["key"]["origins"], json!(["https://a.example"]));
    assert_eq!(me["limits"]["subscriptions"], 0);
    desk.running.clock.advance(Duration::from_secs(60));
    for path in ["/api/v1/webhooks", "/api/v1/events"] {
        let refused = get(&desk.running, &page, path, &[]).await;
        assert_eq!((refused.status, &refused.json()["code"]), (403, &json!("FORBIDDEN")), "{path}");
    }
    let plain = key(&desk.running, "Rivals", Tier::Partner, None).await;
    let anywhere = get(&desk.running, &plain, METRICS, &[("origin", "https://b.example")]).await;
    assert_eq!(anywhere.status, 200, "a key without origins is not for pages");
}

#[tokio::test]
async fn a_key_of_a_page_does_not_keep_the_subscriptions_of_its_partner_active() {
    let desk = Desk::of("Ana", Scope::Admin).await;
    let (server, _) = created(&desk, json!({})).await;
    created(&desk, json!({ "origins": ["https://a.example"] })).await;
    let body = r#"{"url":"http://127.0.0.1:9/","events":["report.created"]}"#;
    let post = Some(("application/json", body.to_owned()));
    let made = desk.ask(&server, Method::POST, "/api/v1/webhooks", post).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let revoked = desk.delete(&format!("{KEYS}/{}", server.prefix())).await.json();
    let id = &made.json()["subscription"]["id"];
    assert_eq!(revoked["disabledSubscriptions"], json!([id]));
}

#[tokio::test]
async fn requests_are_counted_by_key_for_a_day_and_since_the_start() {
    let desk = Desk::of("Ana", Scope::Admin).await;
    let (busy, _) = created(&desk, json!({ "requestsPerMinute": 2 })).await;
    let (idle, _) = created(&desk, json!({})).await;
    desk.running.service.app.keys.refresh().await.unwrap();
    for _ in 0..3 {
        get(&desk.running, &busy, METRICS, &[]).await;
    }
    let keys = &desk.running.service.app.keys;
    let noted = async || {
        keys.note_uses().await.unwrap();
        let list = desk.running.database.store.clone().with_clock(desk.running.clock.clone());
        let list = list.keys().list().await.unwrap();
        let count = |key: &ApiKey| {
            list.iter().find(|one| one.prefix == key.prefix()).unwrap().requests_last_day
        };
        (count(&busy), count(&idle))
    };
    assert_eq!(noted().await, (3, 0), "the refused request is one of them");
    assert_eq!(noted().await, (3, 0), "they are counted once");
    desk.running.clock.advance(Duration::from_secs(23 * 60 * 60));
    get(&desk.running, &busy, METRICS, &[]).await;
    assert_eq!(noted().await, (4, 0));
    desk.running.clock.advance(Duration::from_secs(2 * 60 * 60));
    get(&desk.running, &busy, METRICS, &[]).await;
    assert_eq!(noted().await, (2, 0));
    let shown = Exposition::of(&desk.running).await;
    let counts = shown.all("svc_key_requests_total");
    for (key, count) in [(&busy, 5.0), (&idle, 0.0)] {
        let labels = format!("{},partner", key.prefix());
        assert!(counts.contains(&(labels, count)), "{counts:?}");
    }
    assert_eq!(counts.len(), 3, "the third is the operator's");
}
