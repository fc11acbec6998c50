use std::time::Duration;

use base::time::Timestamp;
use domain::{scope::Scope, tier::Tier};
use reqwest::Method;
use serde_json::json;
use store::KeySettings;

use svc::{
    config::{self, ListenAddress, WebhookTargets},
    keys::ApiKey,
};

use super::{Browser, START, form, plain, running};
use crate::{
    harness::{Running, instant, settings},
    operator::key,
    receiver::{Receiver, Reply},
};

/// Sends a form, and returns the success message of the page that follows.
async fn told(browser: &Browser<'_>, path: &str, fields: &[(&str, &str)]) -> String {
    let led = browser.send(path, fields).await;
    assert_eq!(led.status, 302, "{path}: {}", led.text());
    let page = plain(&browser.get(led.header("location")).await.text());
    said(&page, "status")
}

/// Sends a form, and returns the error message of the page that follows.
async fn trouble(browser: &Browser<'_>, path: &str, fields: &[(&str, &str)]) -> String {
    let led = browser.send(path, fields).await;
    let page = plain(&browser.get(led.header("location")).await.text());
    said(&page, "alert")
}

/// Content of the element with this role.
fn said(page: &str, role: &str) -> String {
    let (_, rest) =
        page.split_once(&format!("role=\"{role}\"")).unwrap_or_else(|| panic!("{page}"));
    let (_, said) = rest.split_once('>').unwrap();
    said.split_once("</p>").unwrap().0.to_owned()
}

/// Newest entry of the audit log: actor, action and subject.
async fn newest(running: &Running) -> (String, String, String) {
    let query = store::AuditQuery { limit: 1, ..store::AuditQuery::default() };
    let entry =
        running.database.store.audit_log().entries(&query).await.unwrap().entries.pop().unwrap();
    (entry.actor, entry.action.as_str().to_owned(), entry.subject)
}

#[tokio::test]
async fn a_new_key_is_shown_once_and_works() {
    let running = running().await;
    let ada = Browser::of(&running, "Ada", Scope::Admin).await;
    let fields =
        [("holder", " Jo  Doe "), ("purpose", "operator:moderate"), ("last_day", "2026-03-05")];
    let answer = ada.send("/desk/new-key", &fields).await;
    // A page that is loaded again creates no second key.
    assert_eq!((answer.status, answer.header("location")), (303, "/desk/keys"));
    let page = ada.get("/desk/keys").await;
    assert_eq!((page.status, page.header("cache-control")), (200, "no-store"));
    let text = page.text().replace("<!>", "");
    assert!(text.contains("The new key of <bdi>Jo Doe</bdi>"), "{text}");
    let (_, made) = text.split_once("<code>svc_").unwrap();
    let made = format!("svc_{}", made.split_once('<').unwrap().0);
    let made = ApiKey::parse(&made).unwrap();
    let (who, what) = ("Ada".to_owned(), "keys.create".to_owned());
    assert_eq!(newest(&running).await, (who, what, made.prefix().to_owned()));
    assert!(
        Browser::new(&running).sign_in(&made).await.header("set-cookie").starts_with("svc_desk=")
    );
    let listed = ada.get("/desk/keys").await.text();
    assert!(!listed.contains(made.as_str()) && listed.contains(made.prefix()));
    let keys = running.database.store.keys().list().await.unwrap();
    assert_eq!(
        (keys[0].partner.as_str(), keys[0].tier, keys[0].scope, keys[0].expires_at),
        (
            "Jo Doe",
            Tier::Operator,
            Some(Scope::Moderate),
            Some(Timestamp(instant("2026-03-06T00:00:00Z")))
        )
    );
}

#[tokio::test]
async fn a_key_is_created_with_a_note_a_limit_and_origins_which_the_list_shows() {
    let running = running().await;
    let ada = Browser::of(&running, "Ada", Scope::Admin).await;
    let fields = [
        ("holder", "Acme"),
        ("purpose", "partner"),
        ("note", " their  wiki "),
        ("rate", "10"),
        ("origins", "https://a.example, https://B.example/ https://a.example"),
    ];
    assert_eq!(ada.send("/desk/new-key", &fields).await.status, 303);
    let keys = running.database.store.keys().list().await.unwrap();
    let settings = KeySettings {
        note: Some("their wiki".to_owned()),
        rate: Some(10),
        origins: vec!["https://a.example".to_owned(), "https://b.example".to_owned()],
    };
    assert_eq!(keys[0].settings, settings);
    running.service.app.keys.note_uses().await.unwrap();
    let page = plain(&ada.get("/desk/keys").await.text());
    let line = "their wiki; 10 requests a minute; https://a.example; https://b.example";
    assert!(page.contains(line), "{page}");
    assert!(page.contains("Requests in 24 hours: 0"), "{page}");
    for (field, value, said) in [
        ("rate", "0", "The requests per minute must be a number from 1 to 100000."),
        ("note", "a\u{7}", "The note contains a control character: remove it."),
        (
            "origins",
            "example.org",
            "example.org is not the origin of a page: write one like https://example.org, without a path.",
        ),
    ] {
        let fields = [("holder", "Acme"), ("purpose", "partner"), (field, value)];
        assert_eq!(trouble(&ada, "/desk/new-key", &fields).await, said);
    }
    let fields = [("holder", "Jo"), ("purpose", "operator:read"), ("origins", "https://a.example")];
    let said = trouble(&ada, "/desk/new-key", &fields).await;
    assert!(said.starts_with("A key of your team is not for pages"), "{said}");
}

#[tokio::test]
async fn a_form_for_a_key_that_cannot_be_made_says_why() {
    let running = running().await;
    let ada = Browser::of(&running, "Ada", Scope::Admin).await;
    for (holder, purpose, last_day, said) in [
        (" ", "partner", "", "Name: it is empty: give the partner's name."),
        ("Jo", "root", "", "Enter the purpose of the key."),
        (
            "Jo",
            "partner:admin",
            "",
            "No key was created: only operators\u{2019} keys have a scope.",
        ),
        (
            "Jo",
            "partner",
            "soon",
            "Last day: write a day that exists as YYYY-MM-DD, such as 2030-12-31.",
        ),
        (
            "Jo",
            "partner",
            "2026-02-28",
            "No key was created: 2026-02-28 is in the past: give today, 2026-03-01 (UTC), or a later day.",
        ),
    ] {
        let fields = [("holder", holder), ("purpose", purpose), ("last_day", last_day)];
        assert_eq!(trouble(&ada, "/desk/new-key", &fields).await, said);
    }
    assert_eq!(ada.send("/desk/new-key", &[]).await.status, 400);
    assert_eq!(running.database.store.keys().list().await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_key_that_is_revoked_signs_its_holder_out() {
    let running = running().await;
    let ada = Browser::of(&running, "Ada", Scope::Admin).await;
    let jo = Browser::of(&running, "Jo", Scope::Moderate).await;
    let prefix = running.database.store.keys().list().await.unwrap()[0].prefix.clone();
    assert!(ada.get("/desk/keys").await.text().contains(&format!("value=\"{prefix}\"")));
    let revoke = [("prefix", prefix.as_str())];
    let said = told(&ada, "/desk/do/revoke", &revoke).await;
    assert_eq!(said, format!("The key {prefix} is revoked."));
    assert_eq!(jo.get("/desk").await.status, 303);
    let said = told(&ada, "/desk/do/revoke", &revoke).await;
    assert_eq!(said, format!("The key {prefix} was already revoked."));
    assert!(!ada.get("/desk/keys").await.text().contains(&format!("value=\"{prefix}\"")));
    let unknown = [("prefix", "svc_unknown0")];
    assert_eq!(trouble(&ada, "/desk/do/revoke", &unknown).await, "There is no such key.");
}

#[tokio::test]
async fn somebody_else_can_be_signed_out() {
    let running = running().await;
    let ada = Browser::of(&running, "Ada", Scope::Admin).await;
    running.clock.advance(Duration::from_secs(1));
    let jo = Browser::of(&running, "Jo", Scope::Moderate).await;
    let page = ada.get("/desk/keys").await.text().replace("<!>", "");
    let (_, sessions) = page.split_once("Who is signed in").unwrap();
    assert_eq!(sessions.matches("name=\"id\"").count(), 1, "{sessions}");
    assert!(sessions.contains("This is you."), "{sessions}");
    assert!(
        sessions
            .contains("Until <time datetime=\"2026-03-02T00:00:00.000Z\">2 Mar 2026, 00:00</time>"),
        "{sessions}"
    );
    let (_, id) = sessions.split_once("name=\"id\" value=\"").unwrap();
    let id = id.split_once('"').unwrap().0;
    let end = [("id", id)];
    assert_eq!(told(&ada, "/desk/do/end-session", &end).await, "The session has ended.");
    assert_eq!((jo.get("/desk").await.status, ada.get("/desk").await.status), (303, 200));
    let (who, what, _) = newest(&running).await;
    assert_eq!((who.as_str(), what.as_str()), ("Ada", "sessions.end"));
    for id in [id, "", "x"] {
        let said = trouble(&ada, "/desk/do/end-session", &[("id", id)]).await;
        assert_eq!(said, "This session has ended already.");
    }
}

/// Starts a service that permits webhooks to this machine.
async fn running_with_webhooks() -> Running {
    let endpoints = WebhookTargets::lenient();
    let settings = config::Serve { operator_on: ListenAddress::Public, endpoints, ..settings() };
    Running::with(settings, START).await
}

/// Creates a partner's key and a subscription, and returns the key and the subscription's id.
async fn subscribed(running: &Running, receiver: &Receiver) -> (ApiKey, String) {
    let aid = key(running, "Aid", Tier::Partner, None).await;
    let new = json!({ "url": receiver.url(), "events": ["report.created"] }).to_string();
    let request = running.http.post(running.url("/api/v1/webhooks")).body(new);
    let request = request.header("content-type", "application/json").bearer_auth(aid.as_str());
    let subscribed = running.ask(request, &[]).await.json();
    (aid, subscribed["subscription"]["id"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_webhook_is_tested_disabled_and_enabled() {
    let running = running_with_webhooks().await;
    let receiver = Receiver::with(Reply::Status(204)).await;
    let (aid, id) = subscribed(&running, &receiver).await;
    let authorization = format!("Bearer {}", aid.as_str());
    let ada = Browser::of(&running, "Ada", Scope::Admin).await;
    let id = ("id", id.as_str());
    let said = told(&ada, "/desk/do/test", &[id]).await;
    assert!(said.starts_with("The endpoint responded 204 after "), "{said}");
    assert_eq!(
        trouble(&ada, "/desk/do/test", &[id]).await,
        "A subscription can be tested once every 5 seconds."
    );
    let reason = ("reason", " Please write to us. ");
    let said = told(&ada, "/desk/do/disable", &[id, reason]).await;
    assert_eq!(said, "The webhook is disabled: its events are kept.");
    let listed = running.get_with("/api/v1/webhooks", &[("authorization", &authorization)]).await;
    let seen = &listed.json()["subscriptions"][0];
    assert_eq!(
        (&seen["status"], &seen["disabledReason"]),
        (&json!("DISABLED"), &json!("Please write to us."))
    );
    let page = ada.get("/desk/webhooks").await.text().replace("<!>", "");
    assert!(page.contains("disabled: <bdi>Please write to us.</bdi>"), "{page}");
    assert_eq!(told(&ada, "/desk/do/enable", &[id]).await, "The webhook is enabled.");
    assert_eq!(told(&ada, "/desk/do/enable", &[id]).await, "The webhook was enabled already.");
    let long = "x".repeat(501);
    let said = trouble(&ada, "/desk/do/disable", &[id, ("reason", &long)]).await;
    assert!(said.contains("must be one line of text of up to 500 characters"), "{said}");
    for form in ["enable", "disable", "test"] {
        let said = trouble(&ada, &format!("/desk/do/{form}"), &[("id", "sub_x")]).await;
        assert_eq!(said, "There is no subscription \"sub_x\".");
    }
}

#[tokio::test]
async fn a_test_that_the_endpoint_refuses_is_told_as_trouble() {
    let running = running_with_webhooks().await;
    let receiver = Receiver::with(Reply::Status(500)).await;
    let (_, id) = subscribed(&running, &receiver).await;
    let ada = Browser::of(&running, "Ada", Scope::Admin).await;
    let said = trouble(&ada, "/desk/do/test", &[("id", &id)]).await;
    assert!(said.starts_with("The endpoint responded 500 after "), "{said}");
    assert!(said.ends_with(" ms, which is not a success."), "{said}");
}

#[tokio::test]
async fn only_administrators_can_change_any_of_it() {
    let running = running().await;
    let maria = Browser::of(&running, "Maria", Scope::Moderate).await;
    for (page, entry) in
        [("/desk/keys", "Maria"), ("/desk/webhooks", "No partner has subscribed yet.")]
    {
        let page = maria.get(page).await.text().replace("<!>", "");
        let (_, main) = page.split_once("<main>").unwrap();
        let (main, _) = main.split_once("</main>").unwrap();
        assert!(main.contains(entry) && !main.contains("<form"), "{main}");
        assert!(main.contains("scope <bdi>admin</bdi>"), "{main}");
    }
    let new = [("holder", "Jo"), ("purpose", "operator:admin"), ("last_day", "")];
    assert_eq!(maria.send("/desk/new-key", &new).await.status, 403);
    let prefix = running.database.store.keys().list().await.unwrap()[0].prefix.clone();
    for (path, field, value) in [
        ("revoke", "prefix", prefix.as_str()),
        ("end-session", "id", "00"),
        ("enable", "id", "sub_x"),
        ("disable", "id", "sub_x"),
        ("test", "id", "sub_x"),
    ] {
        let said = trouble(&maria, &format!("/desk/do/{path}"), &[(field, value)]).await;
        assert_eq!(said, "This needs a key with the scope admin.");
    }
    assert_eq!(maria.get("/desk").await.status, 200);
    let ada = Browser::of(&running, "Ada", Scope::Admin).await;
    let foreign = form(ada.request(Method::POST, "/desk/new-key"), &new);
    let foreign = running.ask(foreign, &[("origin", "https://evil.example")]).await;
    assert_eq!(foreign.status, 403);
    assert_eq!(running.database.store.keys().list().await.unwrap().len(), 2);
}
