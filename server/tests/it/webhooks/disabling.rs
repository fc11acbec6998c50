//! What disables a subscription, what it keeps, and what it says.

use std::collections::BTreeSet;

use app::model::ReportType::Both;
use reqwest::Method;
use serde_json::Value;
use svc::{
    clock::Clock,
    config::Serve,
    domain::{
        subscription::{
            DeliveryStatus::{Delivered, Pending},
            SubscriptionStatus::{Active, Disabled},
        },
        tier::Tier,
    },
    keys::ApiKey,
    random::Random,
    service::Service,
    store::{Mode, NewKey},
};

use super::{
    moody::with_subscription,
    node::{DAY, LENIENT, MILLISECOND, after},
    receiver::{Receiver, Reply},
};
use crate::harness::{Database, http, report, settings, soon};

#[tokio::test]
async fn the_answer_410_disables_at_once_and_what_was_missed_is_sent_when_enabled() {
    let (node, moody, subscription) = with_subscription(200).await;
    node.approve(&["before"]).await;
    node.dispatch().await;
    moody.answers(410);
    node.approve(&["a", "b", "c"]).await;
    node.dispatch().await;
    let reason = "The receiver answered 410 Gone at 2026-03-01T12:00:00.000Z.";
    assert_eq!(node.health(&subscription).await, (Disabled, Some(reason.to_owned())));
    // Two were on their way at the same time; the third was not sent any more.
    let sent = moody.receiver.count();
    assert_eq!(sent, 3);
    assert_eq!(node.statuses(&subscription).await, [Delivered, Pending, Pending, Pending]);
    node.clock.advance(DAY * 2);
    node.approve(&["while disabled"]).await;
    assert_eq!((node.dispatch().await, moody.receiver.count()), (0, sent));
    moody.answers(200);
    assert_eq!(node.enable(&subscription).await, 4);
    assert_eq!(moody.told_from(sent), ["a", "b", "c", "while disabled"]);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 5]);
}

#[tokio::test]
async fn five_days_of_nothing_but_failures_disable() {
    let (node, moody, subscription) = with_subscription(500).await;
    for day in 0..5 {
        node.approve(&[&format!("day {day}")]).await;
        node.run_until(&subscription, after(day + 1) - MILLISECOND).await;
    }
    node.approve(&["the last moment"]).await;
    assert_eq!(node.dispatch().await, 1);
    assert_eq!(node.health(&subscription).await, (Active, None));
    node.clock.advance(MILLISECOND);
    node.approve(&["five days"]).await;
    assert_eq!(node.dispatch().await, 1);
    let reason = "Every delivery has failed since 2026-03-01T12:00:00.000Z; the last time: the \
                  answer was 500.";
    assert_eq!(node.health(&subscription).await, (Disabled, Some(reason.to_owned())));
    // Some have failed for good, some wait; then there is what nobody has tried.
    node.approve(&["while disabled"]).await;
    let statuses: BTreeSet<_> =
        node.statuses(&subscription).await.iter().map(ToString::to_string).collect();
    assert_eq!(Vec::from_iter(statuses), ["FAILED", "PENDING"]);
    node.clock.advance(DAY);
    let tried = moody.receiver.count();
    assert_eq!((node.dispatch().await, moody.receiver.count()), (0, tried));
    moody.answers(200);
    assert_eq!(node.enable(&subscription).await, 8);
    let told = moody.told_from(tried);
    assert_eq!(told.len(), 8, "{told:?}");
    assert_eq!(BTreeSet::from_iter(told).len(), 8);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 8]);
}

#[tokio::test]
async fn one_success_in_between_begins_the_five_days_anew() {
    let (node, moody, subscription) = with_subscription(500).await;
    for day in 0..3 {
        node.approve(&[&format!("day {day}")]).await;
        node.run_until(&subscription, after(day + 1) - MILLISECOND).await;
    }
    moody.answers(200);
    node.approve(&["success"]).await;
    assert_eq!(node.dispatch().await, 1);
    moody.answers(500);
    node.clock.advance(MILLISECOND);
    // The first failure after it is of now at the earliest.
    node.approve(&["day 3"]).await;
    node.dispatch().await;
    for day in 3..8 {
        node.approve(&[&format!("more of day {day}")]).await;
        node.run_until(&subscription, after(day + 1) - MILLISECOND).await;
        assert_eq!(node.health(&subscription).await, (Active, None), "day {day}");
    }
    node.clock.advance(MILLISECOND);
    node.approve(&["day 8"]).await;
    node.dispatch().await;
    let (status, reason) = node.health(&subscription).await;
    assert_eq!(status, Disabled);
    assert!(reason.unwrap().contains("since 2026-03-04T12:00:00.000Z"));
}

/// The whole service, by its own clock, from the subscription to the answer that says why.
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
        expires_at: None,
    };
    assert!(database.store.create_key("Aid", &new).await.unwrap().is_some());
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
    database.store.import(&reports, Mode::Approve).await.unwrap();
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
