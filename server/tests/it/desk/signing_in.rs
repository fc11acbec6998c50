use domain::{scope::Scope, tier::Tier};
use model::ReportType::Spirit;
use reqwest::Method;
use store::Mode;

use svc::config::{self, ListenAddress};

use super::{Browser, form, running};
use crate::{
    harness::{Running, START, reached_at, report, settings},
    operator::key,
};

#[tokio::test]
async fn whoever_has_not_signed_in_is_led_to_where_they_can() {
    let running = running().await;
    let browser = Browser::new(&running);
    let led = browser.get("/desk?type=water").await;
    let way = "/desk/sign-in?back=%2Fdesk%3Ftype%3Dwater";
    assert_eq!((led.status, led.header("location")), (303, way));
    let page = browser.get(way).await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("name=\"back\" value=\"/desk?type=water\""), "{}", page.text());
}

#[tokio::test]
async fn a_key_of_an_operator_lets_in_and_no_other() {
    let running = running().await;
    let mut browser = Browser::new(&running);
    let good = key(&running, "Maria", Tier::Operator, Some(Scope::Read)).await;
    let answer = browser.sign_in(&good).await;
    let cookie = answer.header("set-cookie");
    let (token, rest) = cookie.split_once(';').unwrap();
    assert_eq!(rest, " Path=/desk; Max-Age=43200; HttpOnly; SameSite=Strict");
    assert_eq!(token.len(), "svc_desk=".len() + 32);
    assert!(browser.get("/desk").await.text().contains("Maria"));
    for other in [
        key(&running, "Aid", Tier::Partner, None).await,
        // No command creates such a key.
        key(&running, "Jo", Tier::Operator, None).await,
        svc::keys::ApiKey::generate(&base::random::Random::system()),
    ] {
        let mut browser = Browser::new(&running);
        let refused = browser.sign_in(&other).await;
        assert_eq!((refused.status, refused.header("location")), (302, "/desk/sign-in"));
        assert_eq!(
            (&*browser.cookie, &*browser.told()),
            ("", "tThis is not a valid operator’s key.")
        );
        assert_eq!(browser.get("/desk").await.status, 303);
    }
}

#[tokio::test]
async fn a_session_ends_when_one_signs_out_and_with_its_key() {
    let running = running().await;
    let browser = Browser::of(&running, "Maria", Scope::Moderate).await;
    let other = Browser::of(&running, "Maria", Scope::Moderate).await;
    let left = browser.send("/desk/do/sign-out", &[]).await;
    assert_eq!(left.header("location"), "/desk/sign-in");
    assert!(left.header("set-cookie").starts_with("svc_desk=; Path=/desk; Max-Age=0;"));
    assert_eq!(browser.get("/desk").await.status, 303);
    assert_eq!(other.get("/desk").await.status, 200);
    for key in running.database.store.keys().list().await.unwrap() {
        running.database.store.keys().revoke(&key.prefix).await.unwrap();
    }
    assert_eq!(other.get("/desk").await.status, 303);
}

#[tokio::test]
async fn a_session_lasts_twelve_hours() {
    let running = running().await;
    let browser = Browser::of(&running, "Maria", Scope::Moderate).await;
    running.clock.advance(std::time::Duration::from_secs(12 * 3_600 - 1));
    assert_eq!(browser.get("/desk").await.status, 200);
    running.clock.advance(std::time::Duration::from_secs(1));
    assert_eq!(browser.get("/desk").await.status, 303);
}

#[tokio::test]
async fn other_sites_can_neither_act_nor_read_nor_frame() {
    let running = running().await;
    let browser = Browser::of(&running, "Maria", Scope::Moderate).await;
    for headers in
        [&[][..], &[("origin", "https://evil.example")], &[("sec-fetch-site", "cross-site")]]
    {
        let request = form(browser.request(Method::POST, "/desk/do/sign-out"), &[]);
        assert_eq!(running.ask(request, headers).await.status, 403, "{headers:?}");
    }
    let page = browser.get("/desk").await;
    for (name, value) in [
        ("access-control-allow-origin", ""),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-frame-options", "DENY"),
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
             connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        ),
    ] {
        assert_eq!(page.header(name), value, "{name}");
    }
}

#[tokio::test]
async fn without_being_told_the_service_has_its_desk_on_the_operators_address_only() {
    let running = crate::harness::Running::new().await;
    assert_eq!(running.get("/desk").await.status, 404);
    let url = format!("http://{}/desk/sign-in", running.service.ops_addr.unwrap());
    let page = running.ask(running.http.get(url), &[]).await;
    assert_eq!(page.status, 200);
    let style = page.text().split("rel=\"stylesheet\" href=\"").nth(1).unwrap().to_owned();
    let style = style.split('"').next().unwrap();
    let url = format!("http://{}{style}", running.service.ops_addr.unwrap());
    assert_eq!(running.ask(running.http.get(url), &[]).await.status, 200, "{style}");
}

#[tokio::test]
async fn the_root_of_the_address_with_the_desk_leads_to_the_desk_unless_it_is_the_home_page() {
    let root_of_ops = async |operator_on| {
        let settings = config::Serve { operator_on, ..settings() };
        let running = Running::with(settings, START).await;
        let url = format!("http://{}/", running.service.ops_addr.unwrap());
        let answer = running.ask(running.http.get(url), &[]).await;
        assert_eq!(running.get("/").await.status, 200);
        (answer.status, answer.header("location").to_owned())
    };
    assert_eq!(root_of_ops(ListenAddress::Ops).await, (303, "/desk".to_owned()));
    assert_eq!(root_of_ops(ListenAddress::Public).await, (404, String::new()));
}

#[tokio::test]
async fn below_the_desk_a_path_that_leads_nowhere_says_so() {
    let running = running().await;
    let browser = Browser::of(&running, "Maria", Scope::Read).await;
    let page = browser.get("/desk/nothing").await;
    assert_eq!(page.status, 404);
    assert!(page.text().contains("There is nothing here"), "{}", page.text());
}

#[tokio::test]
async fn below_a_path_of_a_site_every_link_form_and_cookie_is_below_it() {
    let settings = config::Serve {
        operator_on: ListenAddress::Public,
        ..reached_at("https://org.example/counters")
    };
    let running = Running::with(settings, super::START).await;
    let maria = key(&running, "Maria", Tier::Operator, Some(Scope::Admin)).await;
    running.database.store.reports().import(&[report("a", Spirit)], Mode::Pending).await.unwrap();
    let mut browser = Browser::new(&running);
    let led = browser.get("/desk").await;
    assert_eq!(led.header("location"), "/counters/desk/sign-in?back=%2Fdesk");
    let request = browser.request(Method::POST, "/desk/do/sign-in");
    let request = form(request, &[("key", maria.as_str())]);
    let led = running.ask(request, &[("origin", "https://org.example")]).await;
    assert_eq!((led.status, led.header("location")), (302, "/counters/desk"));
    let (token, rest) = led.header("set-cookie").split_once(';').unwrap();
    assert_eq!(rest, " Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure");
    assert!(token.starts_with("__Host-svc_desk="), "{token}");
    browser.cookie = token.to_owned();
    for path in [
        "/desk",
        "/desk/all?step=reject",
        "/desk/correct",
        "/desk/correct?newCity=Oslo",
        "/desk/imports",
        "/desk/keys",
        "/desk/overview",
        "/desk/places",
        "/desk/report?id=a",
        "/desk/webhooks",
    ] {
        let page = browser.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        let text = page.text();
        let mut links = 0;
        for name in ["href=\"", "src=\"", "action=\""] {
            for link in text.split(name).skip(1).map(|rest| rest.split('"').next().unwrap()) {
                assert!(link.starts_with("/counters/") || link.starts_with('#'), "{path}: {link}");
                links += 1;
            }
        }
        assert!(links > 8, "{path} has {links} links");
    }
}

#[tokio::test]
async fn sign_ins_and_refused_keys_are_in_the_audit_log() {
    let running = running().await;
    let maria = key(&running, "Maria", Tier::Operator, Some(Scope::Read)).await;
    let partner = key(&running, "Aid", Tier::Partner, None).await;
    let mut browser = Browser::new(&running);
    browser.send("/desk/do/sign-in", &[("key", "no key")]).await;
    browser.sign_in(&partner).await;
    browser.sign_in(&maria).await;
    browser.send("/desk/do/sign-out", &[]).await;
    let query = store::AuditQuery { limit: 10, ..store::AuditQuery::default() };
    let log = running.database.store.audit_log().entries(&query).await.unwrap();
    let entry = |entry: &'_ store::AuditEntry| {
        (entry.actor.clone(), entry.action.as_str(), entry.subject.clone())
    };
    let entries: Vec<_> = log.entries.iter().rev().map(entry).collect();
    let named = |who: &str, what: &'static str, whom: &str| (who.to_owned(), what, whom.to_owned());
    assert_eq!(
        entries,
        [
            named("unknown", "sessions.refuse", ""),
            named("Aid", "sessions.refuse", partner.prefix()),
            named("Maria", "sessions.begin", maria.prefix()),
            named("Maria", "sessions.end", maria.prefix()),
        ]
    );
    assert!(log.entries.iter().all(|entry| entry.origin.starts_with("10.")), "{log:?}");
}

#[tokio::test]
async fn a_cookie_of_somebody_else_hides_no_session() {
    let running = running().await;
    let browser = Browser::of(&running, "Maria", Scope::Read).await;
    let both = format!("svc_desk={}; {}", "0".repeat(32), browser.cookie);
    let page = running.get_with("/desk", &[("cookie", &both)]).await;
    assert_eq!(page.status, 200, "{}", page.text());
}

#[tokio::test]
async fn a_page_says_nothing_that_stands_in_its_address() {
    let running = running().await;
    let browser = Browser::of(&running, "Maria", Scope::Admin).await;
    for path in ["/desk", "/desk/sign-in", "/desk/imports", "/desk/keys", "/desk/webhooks"] {
        for name in ["trouble", "told"] {
            let page = browser.get(&format!("{path}?{name}=Call+0900+1234")).await;
            assert!(!page.text().contains("role=\"status\" class=\"done\""), "{path}");
            assert!(!page.text().contains("Call 0900"), "{path}: {}", page.text());
        }
    }
}

#[tokio::test]
async fn a_script_without_the_right_to_decide_is_told_so_with_403() {
    let running = running().await;
    let browser = Browser::of(&running, "Ben", Scope::Read).await;
    let origin = running.url("");
    let request = running.http.post(running.url("/desk/do/decide"));
    let request = form(request, &[("one", "approve:r-1")]).header("cookie", &browser.cookie);
    let headers = [("origin", origin.trim_end_matches('/')), ("accept", "application/json")];
    let refused = running.ask(request, &headers).await;
    assert_eq!(refused.status, 403, "{}", refused.text());
    assert!(refused.text().contains("decisions need a key with the scope moderate"));
}
