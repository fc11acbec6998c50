//! Disabled subscriptions: causes, reasons shown, and kept events.

use base::{clock::Clock, random::Random};
use chrono::TimeDelta;
use domain::{
    subscription::{
        DeliveryStatus::{Delivered, Pending},
        SubscriptionStatus::{Active, Disabled},
    },
    tier::Tier,
};
use model::ReportType::Both;
use reqwest::Method;
use serde_json::Value;
use store::{Change, Changed, KeySettings, Mode, NewKey, Revoked};

use svc::{config::Serve, keys::ApiKey, service::Service};

use super::switchable_receiver::with_subscription;
use crate::{
    harness::{Database, http, report, settings, soon},
    node::{DAY, LENIENT, ReportCreated, after},
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn the_answer_410_disables_at_once_and_what_was_missed_is_sent_when_enabled() {
    let (node, receiver, subscription) = with_subscription(200).await;
    node.approve(&["before"]).await;
    node.dispatch().await;
    receiver.answers(410);
    node.approve(&["a", "b", "c"]).await;
    node.dispatch().await;
    let reason = "The receiver answered 410 Gone at 2026-03-01T12:00:00.000Z.";
    assert_eq!(node.health(&subscription).await, (Disabled, Some(reason.to_owned())));
    let sent = receiver.receiver.count();
    assert_eq!(sent, 2);
    assert_eq!(node.statuses(&subscription).await, [Delivered, Pending]);
    node.clock.advance(DAY * 2);
    node.approve(&["while disabled"]).await;
    assert_eq!((node.dispatch().await, receiver.receiver.count()), (0, sent));
    receiver.answers(200);
    assert_eq!(node.enable(&subscription).await, 4);
    assert_eq!(receiver.told_from(sent), ["a", "b", "c", "while disabled"]);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 5]);
}

/// Longest time between two probes.
const PROBE: TimeDelta = TimeDelta::minutes(72);

#[tokio::test]
async fn five_days_of_nothing_but_failures_disable() {
    let (node, receiver, subscription) = with_subscription(500).await;
    node.approve(&["a", "b", "c", "d", "e", "f"]).await;
    node.run_until(&subscription, after(5) - TimeDelta::milliseconds(1)).await;
    assert_eq!(node.health(&subscription).await, (Active, None));
    node.run_until(&subscription, after(5) + PROBE).await;
    let reason = "Every delivery has failed since 2026-03-01T12:00:00.000Z; the last time: the \
                  answer was 500.";
    assert_eq!(node.health(&subscription).await, (Disabled, Some(reason.to_owned())));
    node.approve(&["while disabled"]).await;
    node.clock.advance(DAY);
    let tried = receiver.receiver.count();
    assert_eq!((node.dispatch().await, receiver.receiver.count()), (0, tried));
    receiver.answers(200);
    assert_eq!(node.enable(&subscription).await, 7);
    assert_eq!(receiver.told_from(tried), ["a", "b", "c", "d", "e", "f", "while disabled"]);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 7]);
}

#[tokio::test]
async fn one_success_in_between_begins_the_five_days_anew() {
    let (node, receiver, subscription) = with_subscription(500).await;
    node.approve(&["a"]).await;
    node.run_until(&subscription, after(4)).await;
    receiver.answers(200);
    node.run_until(&subscription, after(4) + PROBE).await;
    assert_eq!(node.statuses(&subscription).await, [Delivered]);
    receiver.answers(500);
    node.approve(&["b"]).await;
    let again = node.now();
    node.run_until(&subscription, again + TimeDelta::days(5) - TimeDelta::milliseconds(1)).await;
    assert_eq!(node.health(&subscription).await, (Active, None));
    node.run_until(&subscription, again + TimeDelta::days(5) + PROBE).await;
    let (status, reason) = node.health(&subscription).await;
    assert_eq!(status, Disabled);
    assert!(reason.unwrap().contains("since 2026-03-05T13:12:00.000Z"));
}

/// While the service is down, nothing shows whether the endpoint fails.
#[tokio::test]
async fn days_in_which_the_service_did_not_run_do_not_disable() {
    let (node, receiver, subscription) = with_subscription(500).await;
    node.approve(&["a"]).await;
    node.dispatch().await;
    node.clock.advance(DAY * 30);
    node.dispatch().await;
    assert_eq!(node.health(&subscription).await, (Active, None));
    receiver.answers(200);
    node.run_until(&subscription, after(31)).await;
    assert_eq!(node.statuses(&subscription).await, [Delivered]);
}

/// The whole service with the system's clock, from the subscription to the response with the reason.
#[tokio::test]
async fn the_partner_is_told_why_a_subscription_is_disabled() {
    let database = Database::new().await;
    let (clock, random) = (Clock::system(), Random::system());
    let settings = Serve { endpoints: LENIENT, ..settings() };
    let service = Service::start(settings, database.store.clone(), clock.clone(), random);
    let service = service.await.unwrap();
    let key = ApiKey::generate(&Random::system());
    let new = NewKey {
        prefix: key.prefix().to_owned(),
        hash: key.hash(),
        tier: Tier::Enterprise,
        scope: None,
        expires_at: None,
        settings: KeySettings::default(),
    };
    assert!(database.store.keys().create("Aid", &new).await.unwrap().is_some());
    let receiver = Receiver::with(Reply::Status(410)).await;
    let ask = async |method: Method, body: String| -> Value {
        let request = http().request(method, format!("http://{}/api/v1/webhooks", service.addr));
        let request = request.bearer_auth(key.as_str()).body(body);
        let request = request.header("content-type", "application/json");
        serde_json::from_str(&request.send().await.unwrap().text().await.unwrap()).unwrap()
    };
    let wanted = format!(r#"{{"url":"{}","events":["report.created"]}}"#, receiver.url());
    let made = ask(Method::POST, wanted).await;
    let secret = made["subscription"]["secret"].as_str().unwrap();
    let reports = [report("a", Both)];
    database.store.reports().import(&reports, Mode::Approve).await.unwrap();
    receiver.until(1).await;
    assert!(receiver.requests()[0].is_signed_with(secret));
    let shown = soon("the reason", async {
        loop {
            let listed = ask(Method::GET, String::new()).await["subscriptions"][0].take();
            if listed["status"] == "DISABLED" {
                break listed;
            }
        }
    })
    .await;
    let reason = shown["disabledReason"].as_str().unwrap();
    assert!(reason.starts_with("The receiver answered 410 Gone at "), "{reason}");
    soon("the stop", service.stop()).await;
}

/// A node may accept a revoked key for up to five seconds, and requests it has accepted may take longer.
#[tokio::test]
async fn a_key_that_is_revoked_during_a_request_leaves_no_subscription_that_is_sent_to() {
    let (node, receiver, subscription) = with_subscription(200).await;
    let key = node.store().keys().list().await.unwrap().remove(0);
    let revoked = node.store().keys().revoke(&key.prefix).await.unwrap();
    assert_eq!(revoked, Revoked::Now { disabled: vec![subscription.id.clone()] });
    let enable = Change { status: Some(Active), ..Change::default() };
    let changed = node.store().subscriptions().change(node.partner_id, &subscription.id, &enable);
    let Changed::Now(changed) = changed.await.unwrap() else { panic!("it is not there") };
    let other = node.subscribe(&receiver.receiver.url(), &[ReportCreated]).await;
    let reason = Some("The partner has no valid key any more.".to_owned());
    assert_eq!((changed.status, changed.disabled_reason), (Disabled, reason.clone()));
    assert_eq!(node.health(&other).await, (Disabled, reason));
    node.approve(&["a"]).await;
    assert_eq!((node.dispatch().await, receiver.receiver.count()), (0, 0));
}

#[tokio::test]
async fn revoking_a_partners_last_key_names_what_was_disabled_before_as_well() {
    let (node, receiver, subscription) = with_subscription(200).await;
    let other = node.subscribe(&receiver.receiver.url(), &[ReportCreated]).await;
    node.store().subscriptions().disable(&subscription.id, "Too many requests.").await.unwrap();
    let key = node.store().keys().list().await.unwrap().remove(0);
    let revoked = node.store().keys().revoke(&key.prefix).await.unwrap();
    assert_eq!(revoked, Revoked::Now { disabled: vec![subscription.id.clone(), other.id] });
    let reason = Some("Too many requests.".to_owned());
    assert_eq!(node.health(&subscription).await, (Disabled, reason));
}
