use std::time::Duration;

use domain::{scope::Scope, tier::Tier};
use reqwest::Method;

use super::{page_of, partner, running, subscribe};
use crate::{
    desk::{self, Browser},
    harness::{Running, START, reached_at},
    operator::key,
};

#[tokio::test]
async fn whoever_has_not_signed_in_is_led_to_where_they_can_and_back() {
    let running = running().await;
    let mut browser = Browser::at(&running, "/partners");
    let led = browser.get("/partners/subscription?id=sub_x").await;
    let way = "/partners/sign-in?back=%2Fpartners%2Fsubscription%3Fid%3Dsub_x";
    assert_eq!((led.status, led.header("location")), (303, way));
    let page = browser.get(way).await;
    assert_eq!(page.status, 200);
    let back = "name=\"back\" value=\"/partners/subscription?id=sub_x\"";
    assert!(page.text().contains(back), "{}", page.text());
    let key = running.key("Aid", Tier::Partner).await;
    let fields = |back| [("key", key.as_str()), ("back", back)];
    let led = browser.send("/partners/do/sign-in", &fields("/partners?try=1")).await;
    assert_eq!(led.header("location"), "/partners?try=1");
    for elsewhere in ["https://evil.example", "//evil.example", "/desk", "/partnersx"] {
        let led = browser.send("/partners/do/sign-in", &fields(elsewhere)).await;
        assert_eq!(led.header("location"), "/partners", "{elsewhere}");
    }
    browser.sign_in(&key).await;
    assert_eq!(browser.get("/partners").await.status, 200);
}

#[tokio::test]
async fn keys_of_partners_let_in_and_no_others() {
    let running = running().await;
    for tier in [Tier::Partner, Tier::Enterprise] {
        let key = running.key("Aid", tier).await;
        let mut browser = Browser::at(&running, "/partners");
        let answer = browser.sign_in(&key).await;
        let (token, rest) = answer.header("set-cookie").split_once(';').unwrap();
        assert_eq!(rest, " Path=/partners; Max-Age=43200; HttpOnly; SameSite=Strict");
        assert_eq!(token.len(), "svc_partners=".len() + 32);
        let page = browser.get("/partners").await.text();
        assert!(page.contains("<bdi>Aid</bdi>") && page.contains(key.prefix()), "{page}");
    }
    let random = base::random::Random::system();
    for other in [
        key(&running, "Ada", Tier::Operator, Some(Scope::Admin)).await,
        svc::keys::ApiKey::generate(&random),
    ] {
        let mut browser = Browser::at(&running, "/partners");
        let refused = browser.sign_in(&other).await;
        assert_eq!((refused.status, refused.header("location")), (303, "/partners/sign-in"));
        let told = "tThis is not a valid partner’s key.";
        assert_eq!((&*browser.cookie, &*browser.told()), ("", told));
        assert_eq!(browser.get("/partners").await.status, 303);
    }
}

#[tokio::test]
async fn a_session_of_the_desk_is_not_valid_in_the_portal_and_vice_versa() {
    let running = desk::running().await;
    let operator = Browser::of(&running, "Ada", Scope::Admin).await;
    let partner = partner(&running, "Aid").await;
    let token = |browser: &Browser<'_>| browser.cookie.split_once('=').unwrap().1.to_owned();
    for (path, cookie) in [
        ("/partners", format!("svc_partners={}", token(&operator))),
        ("/desk", format!("svc_desk={}", token(&partner))),
        ("/partners", operator.cookie.clone()),
        ("/desk", partner.cookie.clone()),
    ] {
        let answer = running.get_with(path, &[("cookie", &cookie)]).await;
        let sign_in = format!("{path}/sign-in");
        assert_eq!(answer.status, 303, "{cookie}");
        assert!(answer.header("location").starts_with(&sign_in), "{cookie}");
    }
    assert_eq!(operator.get("/desk").await.status, 200);
    assert_eq!(partner.get("/partners").await.status, 200);
}

#[tokio::test]
async fn a_session_ends_when_one_signs_out_with_its_key_and_after_twelve_hours() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    let left = browser.send("/partners/do/sign-out", &[]).await;
    assert_eq!(left.header("location"), "/partners/sign-in");
    let cookies: Vec<_> = left.headers.get_all("set-cookie").iter().collect();
    let forgotten = "svc_partners=; Path=/partners; Max-Age=0; HttpOnly; SameSite=Strict";
    assert!(cookies.iter().any(|cookie| *cookie == forgotten), "{cookies:?}");
    assert!(browser.get("/partners/sign-in").await.text().contains("You are signed out."));
    assert_eq!(browser.get("/partners").await.status, 303);

    let browser = partner(&running, "Aid").await;
    for key in running.database.store.keys().list().await.unwrap() {
        running.database.store.keys().revoke(&key.prefix).await.unwrap();
    }
    assert_eq!(browser.get("/partners").await.status, 303);
    let sent = browser.send("/partners/do/subscribe", &[("url", "http://127.0.0.1:9/")]).await;
    assert_eq!(sent.header("location"), "/partners/sign-in?back=%2Fpartners");

    let browser = partner(&running, "Aid").await;
    running.clock.advance(Duration::from_secs(12 * 3_600 - 1));
    assert_eq!(browser.get("/partners").await.status, 200);
    running.clock.advance(Duration::from_secs(1));
    assert_eq!(browser.get("/partners").await.status, 303);
}

#[tokio::test]
async fn other_sites_can_neither_act_nor_read_nor_frame() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    let id = subscribe(&browser, "http://127.0.0.1:9/").await;
    let fields = [("id", &*id)];
    for action in ["delete", "rotate", "pause", "sign-out", "test"] {
        for headers in
            [&[][..], &[("origin", "https://evil.example")], &[("sec-fetch-site", "cross-site")]]
        {
            let request = browser.request(Method::POST, &format!("/partners/do/{action}"));
            let answer = running.ask(desk::form(request, &fields), headers).await;
            assert_eq!(answer.status, 403, "{action} {headers:?}");
        }
    }
    let page = browser.get(&page_of(&id)).await;
    assert!(page.text().contains("class=\"state well\">active"), "{}", page.text());
    for (name, value) in [
        ("access-control-allow-origin", ""),
        ("cache-control", "no-store"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-frame-options", "DENY"),
    ] {
        assert_eq!(page.header(name), value, "{name}");
    }
    assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"));
}

#[tokio::test]
async fn attempts_to_sign_in_are_limited_together_with_those_at_the_desk() {
    let running = running().await;
    let home = ("x-forwarded-for", "192.0.2.1");
    let origin = running.url("");
    let origin = ("origin", origin.trim_end_matches('/'));
    let mut told = String::new();
    for _ in 0..61 {
        let request = running.http.post(running.url("/partners/do/sign-in"));
        let answer = running.ask(desk::form(request, &[("key", "no key")]), &[home, origin]).await;
        assert_eq!((answer.status, answer.header("location")), (303, "/partners/sign-in"));
        told = answer.header("set-cookie").to_owned();
    }
    assert!(told.contains("Too+many+sign-in+attempts"), "{told}");
}

#[tokio::test]
async fn sign_ins_are_in_the_audit_log_and_at_the_desk_an_operator_ends_them() {
    let running = desk::running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let mut browser = Browser::at(&running, "/partners");
    browser.send("/partners/do/sign-in", &[("key", "no key")]).await;
    browser.sign_in(&key).await;
    let operator = Browser::of(&running, "Ada", Scope::Admin).await;
    let keys = desk::plain(&operator.get("/desk/keys").await.text());
    let (_, sessions) = keys.split_once("Who is signed in").unwrap();
    let (_, session) = sessions.split_once(key.prefix()).unwrap();
    let (_, id) = session.split_once("name=\"id\" value=\"").unwrap();
    let id = id.split('"').next().unwrap();
    operator.send("/desk/do/end-session", &[("id", id)]).await;
    assert_eq!(browser.get("/partners").await.status, 303);
    let query = store::AuditQuery { limit: 10, ..store::AuditQuery::default() };
    let log = running.database.store.audit_log().entries(&query).await.unwrap();
    let of = |who: &'static str| {
        let entries = log.entries.iter().rev().filter(move |entry| entry.actor == who);
        entries.map(|entry| (entry.action.as_str(), entry.subject.clone())).collect::<Vec<_>>()
    };
    assert_eq!(of("unknown"), [("sessions.refuse", String::new())]);
    assert_eq!(of("Aid"), [("sessions.begin", key.prefix().to_owned())]);
    assert!(of("Ada").contains(&("sessions.end", key.prefix().to_owned())), "{log:?}");
}

#[tokio::test]
async fn the_portal_is_on_the_public_address_and_not_on_the_operators() {
    let running = Running::new().await;
    assert_eq!(running.get("/partners/sign-in").await.status, 200);
    let led = running.get("/partners/").await;
    assert_eq!((led.status, led.header("location")), (308, "/partners"));
    let url = format!("http://{}/partners/sign-in", running.service.ops_addr.unwrap());
    assert_eq!(running.ask(running.http.get(url), &[]).await.status, 404);
}

#[tokio::test]
async fn below_a_path_of_a_site_every_link_form_and_cookie_is_below_it() {
    let running = Running::with(reached_at("https://org.example/counters"), START).await;
    let key = running.key("Aid", Tier::Partner).await;
    let mut browser = Browser::at(&running, "/partners");
    let led = browser.get("/partners").await;
    assert_eq!(led.header("location"), "/counters/partners/sign-in?back=%2Fpartners");
    let request = browser.request(Method::POST, "/partners/do/sign-in");
    let request = desk::form(request, &[("key", key.as_str())]);
    let led = running.ask(request, &[("origin", "https://org.example")]).await;
    assert_eq!((led.status, led.header("location")), (303, "/counters/partners"));
    let (token, rest) = led.header("set-cookie").split_once(';').unwrap();
    assert_eq!(rest, " Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure");
    assert!(token.starts_with("__Host-svc_partners="), "{token}");
    browser.cookie = token.to_owned();
    let page = browser.get("/partners").await;
    assert_eq!(page.status, 200);
    let text = page.text();
    let mut links = 0;
    for name in ["href=\"", "src=\"", "action=\""] {
        for link in text.split(name).skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(link.starts_with("/counters/") || link.starts_with('#'), "{link}");
            links += 1;
        }
    }
    assert!(links > 8, "{links}");
}

#[tokio::test]
async fn the_use_of_the_key_is_that_of_the_api_and_the_portal_adds_nothing_to_it() {
    let running = running().await;
    let key = running.key("Aid", Tier::Partner).await;
    let mut browser = Browser::at(&running, "/partners");
    browser.sign_in(&key).await;
    let bearer = format!("Bearer {}", key.as_str());
    for _ in 0..3 {
        running.get_with("/api/v1/metrics", &[("authorization", &bearer)]).await;
    }
    for _ in 0..2 {
        let page = browser.get("/partners").await.text();
        assert!(page.contains("3 of 1,000 requests in the last 60 seconds"), "{page}");
    }
    let key = running.key("Aid", Tier::Enterprise).await;
    browser.sign_in(&key).await;
    assert!(browser.get("/partners").await.text().contains("No limit of requests"));
}
