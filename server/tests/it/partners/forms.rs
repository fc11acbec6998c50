use std::time::Duration;

use super::{page_of, partner, running, subscribe, subscribed};
use crate::{
    desk::plain,
    harness::Running,
    receiver::{Receiver, Reply},
};
use store::SubscriptionWithHealth;

/// The subscriptions of the only partner.
async fn subscriptions(running: &Running) -> Vec<SubscriptionWithHealth> {
    let store = &running.database.store;
    let key = store.keys().in_force().await.unwrap().remove(0);
    store.subscriptions().with_health(key.partner_id).await.unwrap()
}

#[tokio::test]
async fn a_partner_subscribes_and_sees_the_secret_once() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    let fields = [
        ("url", "http://127.0.0.1:9/svc"),
        ("event", "report.created"),
        ("event", "report.withdrawn"),
        ("country", "Brasil"),
        ("region", ""),
        ("city", " Campinas "),
        ("type", "water"),
        ("id", ""),
    ];
    let id = subscribed(&browser.send("/partners/do/subscribe", &fields).await);
    let request = browser.request(reqwest::Method::GET, &page_of(&id));
    let packed = running.ask(request, &[("accept-encoding", "gzip")]).await;
    assert_eq!(packed.header("content-encoding"), "", "a page with a secret is not compressed");
    let page = browser.get(&page_of(&id)).await.text();
    let (_, secret) = page.split_once("whsec_").unwrap();
    let secret = format!("whsec_{}", &secret[..44]);
    assert_eq!(page.matches(&secret).count(), 5, "beside the commands of four receivers: {page}");
    let again = browser.get(&page_of(&id)).await.text();
    assert!(!again.contains(&secret) && again.contains("whsec_…"), "{again}");
    let stored = subscriptions(&running).await.remove(0).subscription;
    assert_eq!((&*stored.id, &*stored.url), (&*id, "http://127.0.0.1:9/svc"));
    assert_eq!(
        serde_json::to_value((stored.events, stored.filter)).unwrap(),
        serde_json::json!([
            ["report.created", "report.withdrawn"],
            { "country": "Brasil", "city": "Campinas", "types": ["water"] }
        ])
    );
    let list = plain(&browser.get("/partners").await.text());
    for shown in ["http://127.0.0.1:9/svc", "report.withdrawn", "Campinas, Brasil, Water"] {
        assert!(list.contains(shown), "{shown}: {list}");
    }
}

#[tokio::test]
async fn a_form_that_is_sent_twice_subscribes_once() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    let page = browser.get("/partners").await.text();
    let (_, once) = page.split_once("name=\"once\" value=\"").unwrap();
    let once = once.split('"').next().unwrap();
    let fields = |url| [("url", url), ("event", "report.created"), ("once", once)];
    let mut ids = Vec::new();
    for url in ["http://127.0.0.1:9/a", "http://127.0.0.1:9/a", "http://127.0.0.1:9/b"] {
        ids.push(subscribed(&browser.send("/partners/do/subscribe", &fields(url)).await));
    }
    assert_eq!(ids[0], ids[1]);
    assert_ne!(ids[0], ids[2]);
    assert_eq!(subscriptions(&running).await.len(), 2);
}

#[tokio::test]
async fn a_refused_form_shows_the_reason_of_the_api_and_keeps_its_values() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    for (url, event, told) in [
        ("ftp://127.0.0.1/x", "report.created", "The URL's scheme is"),
        ("http://127.0.0.1:9/x", "report.pending", "\"events\" is not for partners"),
        ("http://127.0.0.1:9/x", "report.nothing", "\"events[0]\" must be"),
    ] {
        let fields = [("url", url), ("event", event), ("country", "Peru"), ("type", "both")];
        let answer = browser.send("/partners/do/subscribe", &fields).await;
        let page = answer.header("location");
        assert!(page.starts_with("/partners?try=1&event=report."), "{page}");
        assert!(!page.contains("127.0.0.1"), "the path of a URL may be secret: {page}");
        assert!(browser.told().contains(told), "{}", browser.told());
        let typed = answer.headers.get_all("set-cookie").iter();
        let typed = typed.map(|cookie| cookie.to_str().unwrap());
        let mut typed = typed;
        let typed = typed.find(|cookie| cookie.starts_with("svc_partners_url=")).unwrap();
        let cookies = format!("{}; {}", browser.cookie, typed.split(';').next().unwrap());
        let form = running.get_with(page, &[("cookie", &cookies)]).await.text();
        for value in [url, "Peru"] {
            assert!(form.contains(&format!("value=\"{value}\"")), "{value}: {form}");
        }
        assert!(form.contains("value=\"both\" checked"), "{form}");
    }
    assert_eq!(subscriptions(&running).await, []);
}

#[tokio::test]
async fn a_subscription_is_changed_paused_enabled_and_deleted() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    let id = subscribe(&browser, "http://127.0.0.1:9/a").await;
    let form = browser.get(&format!("/partners?change={id}")).await.text();
    assert!(form.contains("Change the subscription"), "{form}");
    assert!(form.contains("value=\"http://127.0.0.1:9/a\""), "{form}");
    let fields = [
        ("id", &*id),
        ("url", "http://127.0.0.1:9/b"),
        ("event", "metrics.updated"),
        ("city", "Oslo"),
    ];
    let saved = browser.send("/partners/do/change", &fields).await;
    assert_eq!((saved.header("location"), &*browser.told()), (&*page_of(&id), "dSaved."));
    let changed = subscriptions(&running).await.remove(0).subscription;
    assert_eq!(changed.url, "http://127.0.0.1:9/b");
    assert_eq!(changed.filter.unwrap().city(), Some("Oslo"));
    browser.send("/partners/do/change", &fields[..3]).await;
    assert_eq!(subscriptions(&running).await[0].subscription.filter, None);

    let status = async || subscriptions(&running).await[0].subscription.status.to_string();
    browser.send("/partners/do/pause", &[("id", &id)]).await;
    assert_eq!(status().await, "DISABLED");
    let page = plain(&browser.get(&page_of(&id)).await.text());
    assert!(page.contains("The subscription is paused"), "{page}");
    assert!(page.contains("disabled: The partner has disabled it."), "{page}");
    browser.send("/partners/do/enable", &[("id", &id)]).await;
    assert_eq!(status().await, "ACTIVE");
    running.database.store.subscriptions().disable(&id, "Too slow.").await.unwrap();
    browser.send("/partners/do/enable", &[("id", &id)]).await;
    let told = "tThe operator has disabled this subscription, and only the operator can enable it.";
    assert_eq!((&*browser.told(), &*status().await), (told, "DISABLED"));

    let deleted = browser.send("/partners/do/delete", &[("id", &id)]).await;
    assert_eq!(deleted.header("location"), "/partners");
    assert!(browser.get("/partners").await.text().contains("The subscription is deleted."));
    assert_eq!(subscriptions(&running).await, []);
}

#[tokio::test]
async fn a_test_shows_the_response_and_a_new_secret_signs_beside_the_old_one() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    let receiver = Receiver::scripted(|_, number| Reply::Status([204, 500][number - 1])).await;
    let id = subscribe(&browser, &receiver.url()).await;
    let secret = |told: String| {
        let (secret, of) = told.strip_prefix('k').unwrap().split_once(' ').unwrap();
        assert_eq!(of, id);
        secret.to_owned()
    };
    let first = secret(browser.told());
    browser.send("/partners/do/test", &[("id", &id)]).await;
    assert!(receiver.requests()[0].is_signed_with(&first));
    let told = browser.told();
    assert!(told.starts_with("dThe endpoint responded 204 after "), "{told}");
    browser.send("/partners/do/test", &[("id", &id)]).await;
    assert_eq!(browser.told(), "tA subscription can be tested once every 5 seconds.");

    browser.send("/partners/do/rotate", &[("id", &id)]).await;
    let second = secret(browser.told());
    assert_ne!(first, second);
    assert!(browser.get(&page_of(&id)).await.text().contains(&second));
    running.clock.advance(Duration::from_secs(5));
    browser.send("/partners/do/test", &[("id", &id)]).await;
    assert!(browser.told().starts_with("tThe endpoint responded 500 after "), "{}", browser.told());
    let signatures = receiver.requests()[1].header("webhook-signature").to_owned();
    assert_eq!(signatures.split(' ').count(), 2, "{signatures}");
    let page = plain(&browser.get(&page_of(&id)).await.text());
    assert_eq!(page.matches("\"event\":\"webhook.test\"").count(), 2, "{page}");
    assert!(!page.contains("value=\"dlv_"), "a test is sent once: {page}");
}

#[tokio::test]
async fn messages_are_in_the_language_of_the_page() {
    let running = running().await;
    let browser = partner(&running, "Aid").await;
    let request = browser.request(reqwest::Method::POST, "/partners/do/subscribe");
    let origin = running.url("");
    let headers = [
        ("origin", origin.trim_end_matches('/')),
        ("accept-language", "de"),
        ("x-forwarded-for", "10.1.1.1"),
    ];
    let fields = [("url", "no url"), ("event", "report.created")];
    let answer = running.ask(crate::desk::form(request, &fields), &headers).await;
    let told = answer.header("set-cookie");
    assert!(told.contains("Die+URL+ist+ung%C3%BCltig%3A+"), "{told}");
}
