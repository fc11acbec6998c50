use app::model::ReportType::Spirit;
use reqwest::Method;
use svc::{
    config::{self, Side},
    domain::{scope::Scope, tier::Tier},
    store::Mode,
};

use super::{Browser, form, running};
use crate::{
    harness::{Running, reached_at, report},
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
        // From before there were scopes.
        key(&running, "Jo", Tier::Operator, None).await,
        svc::keys::ApiKey::generate(&svc::random::Random::system()),
    ] {
        let mut browser = Browser::new(&running);
        let refused = browser.sign_in(&other).await;
        assert_eq!((refused.status, refused.header("set-cookie")), (302, ""));
        assert!(refused.header("location").starts_with("/desk/sign-in?trouble=This+is+no"));
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
    for key in running.database.store.list_keys().await.unwrap() {
        running.database.store.revoke_key(&key.prefix).await.unwrap();
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
async fn below_the_desk_a_path_that_leads_nowhere_says_so() {
    let running = running().await;
    let browser = Browser::of(&running, "Maria", Scope::Read).await;
    let page = browser.get("/desk/nothing").await;
    assert_eq!(page.status, 404);
    assert!(page.text().contains("There is nothing here"), "{}", page.text());
}

#[tokio::test]
async fn below_a_path_of_a_site_every_link_form_and_cookie_is_below_it() {
    let settings =
        config::Serve { operator_on: Side::Public, ..reached_at("https://org.example/counters") };
    let running = Running::with(settings, super::START).await;
    let maria = key(&running, "Maria", Tier::Operator, Some(Scope::Admin)).await;
    running.database.store.import(&[report("a", Spirit)], Mode::Pending).await.unwrap();
    let mut browser = Browser::new(&running);
    let led = browser.get("/desk").await;
    assert_eq!(led.header("location"), "/counters/desk/sign-in?back=%2Fdesk");
    let request = browser.request(Method::POST, "/desk/do/sign-in");
    let request = form(request, &[("key", maria.as_str())]);
    let led = running.ask(request, &[("origin", "https://org.example")]).await;
    assert_eq!((led.status, led.header("location")), (302, "/counters/desk"));
    let (token, rest) = led.header("set-cookie").split_once(';').unwrap();
    let path = " Path=/counters/desk; Max-Age=43200; HttpOnly; SameSite=Strict; Secure";
    assert_eq!(rest, path);
    browser.cookie = token.to_owned();
    for path in [
        "/desk",
        "/desk/all?step=reject",
        "/desk/imports",
        "/desk/keys",
        "/desk/overview",
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
