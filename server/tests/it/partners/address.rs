use reqwest::Method;
use svc::config::{Serve, WebhookTargets};

use super::{partner, subscribe};
use crate::{
    desk::{Browser, form},
    engines::mail::mailing,
    harness::{Running, START},
    smtp_server::SmtpServer,
};

/// Starts a service that sends mails.
async fn running() -> Running {
    let server = SmtpServer::start(None).await;
    let endpoints = WebhookTargets::lenient();
    Running::with(Serve { endpoints, ..mailing(server.address) }, START).await
}

#[tokio::test]
async fn a_partner_enters_and_removes_an_address_for_mails() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    let value = async |address: &str| {
        let page = browser.get("/partners").await.text();
        let field = page.split("<input type=\"email\"").nth(1).unwrap().split('>').next().unwrap();
        assert!(field.contains(&format!("value=\"{address}\"")), "{address}: {field}");
    };
    value("").await;
    let saved = browser.send("/partners/do/address", &[("email", " ada@example.org ")]).await;
    assert_eq!((saved.status, saved.header("location")), (303, "/partners"));
    assert_eq!(browser.told(), "dThe address is saved: mails about your endpoints go there.");
    value("ada@example.org").await;
    for bad in ["ada", "ada@example.org\r\nBcc: eve@example.org", "Ada <ada@example.org>"] {
        browser.send("/partners/do/address", &[("email", bad)]).await;
        let told = "tThis is not an email address: write it as ada@example.org.";
        assert_eq!(browser.told(), told, "{bad}");
    }
    value("ada@example.org").await;
    browser.send("/partners/do/address", &[("email", "")]).await;
    assert_eq!(browser.told(), "dThe address is removed: you get no mails.");
    value("").await;
}

#[tokio::test]
async fn whoever_gets_a_mail_ends_them_with_its_link_and_without_a_key() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    let id = subscribe(&browser, "http://127.0.0.1:9/a").await;
    browser.send("/partners/do/address", &[("email", "eve@example.org")]).await;
    let store = &running.database.store;
    store.subscriptions().disable(&id, "A break.").await.unwrap();
    while store.subscriptions().announce_endpoints(true).await.unwrap() > 0 {}
    let token = store.partner_mails().claim().await.unwrap().unwrap().token;

    let stranger = Browser::at(&running, "/partners");
    let page = stranger.get(&format!("/partners/mails?token={token}")).await;
    assert_eq!(page.status, 200);
    for part in [&*format!("name=\"token\" value=\"{token}\""), "action=\"/partners/do/end-mails\""]
    {
        assert!(page.text().contains(part), "{part}: {}", page.text());
    }
    let address = async || {
        let key = store.keys().in_force().await.unwrap().remove(0);
        store.partner_mails().address(key.partner_id).await.unwrap()
    };
    assert_eq!(address().await.as_deref(), Some("eve@example.org"), "reading removes nothing");
    let ended = stranger.send("/partners/do/end-mails", &[("token", &token)]).await;
    assert_eq!((ended.status, ended.header("location")), (303, "/partners/mails"));
    assert_eq!(stranger.told(), "dYour address is removed: it gets no more mails.");
    assert_eq!(address().await, None);
    assert!(!stranger.get("/partners/mails").await.text().contains("<form class=\"do\""));
    stranger.send("/partners/do/end-mails", &[("token", &token)]).await;
    let told = "tThis link is no longer valid: the address was removed or replaced.";
    assert_eq!(stranger.told(), told);
}

#[tokio::test]
async fn the_form_of_the_address_is_in_the_language_of_the_page() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    let request = browser.request(Method::POST, "/partners/do/address");
    let origin = running.url("");
    let headers = [("origin", origin.trim_end_matches('/')), ("accept-language", "de")];
    let answer = running.ask(form(request, &[("email", "ada")]), &headers).await;
    let told = answer.header("set-cookie");
    assert!(told.contains("Das+ist+keine+E-Mail-Adresse"), "{told}");
}

#[tokio::test]
async fn a_service_without_mails_has_no_form_for_an_address() {
    let running = super::running().await;
    let browser = partner(&running, "Aid").await;
    assert!(!browser.get("/partners").await.text().contains("type=\"email\""));
}
