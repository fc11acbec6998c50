//! Clocks that are set back. A publication never gets an earlier time than the one before it, and deliveries don't wait
//! for the clock to catch up.

use chrono::TimeDelta;
use domain::{
    event::EventName,
    report::NewReport,
    subscription::{DeliveryStatus::Delivered, SubscriptionStatus},
    tier::Tier,
};
use model::ReportType::Spirit;
use store::{Filter, KeySettings, Mode, NewKey, Redelivered};

use svc::keys::ApiKey;

use super::switchable_receiver::SwitchableReceiver;
use crate::{
    harness::report,
    node::{Node, ReportCreated, id, subscribe},
    receiver::{Receiver, Reply},
};

#[tokio::test]
async fn a_clock_that_was_set_back_delays_no_delivery() {
    let node = Node::new().await;
    let hour = TimeDelta::hours(1);
    let ahead = NewReport { created_at: node.now() + hour, ..report("ahead", Spirit) };
    node.database.at(node.now() + hour).reports().import(&[ahead], Mode::Approve).await.unwrap();

    let receiver = SwitchableReceiver::new(500).await;
    let subscription = node.subscribe(&receiver.receiver.url(), &[ReportCreated]).await;
    node.approve(&["a"]).await;
    assert_eq!(node.dispatch().await, 1);
    // The second attempt comes after seconds, neither at once nor in an hour.
    let wait = node.next_try(&subscription).await.unwrap() - node.now();
    assert!((TimeDelta::seconds(4)..=TimeDelta::seconds(6)).contains(&wait), "{wait}");
    receiver.answers(200);
    node.advance_to(node.now() + wait);
    assert_eq!(node.dispatch().await, 1);
    assert_eq!(node.statuses(&subscription).await, [Delivered]);

    let delivery = id(&node.log(&subscription).await[0]);
    assert_eq!(node.store().deliveries().redeliver(delivery).await.unwrap(), Redelivered::Due);
    assert_eq!(node.dispatch().await, 1);

    receiver.answers(410);
    node.approve(&["b"]).await;
    node.dispatch().await;
    receiver.answers(200);
    assert_eq!(node.enable(&subscription).await, 1);
    assert_eq!(node.statuses(&subscription).await, [Delivered; 2]);
    assert_eq!(receiver.told_from(0), ["a", "a", "a", "b", "b"]);
}

#[tokio::test]
async fn after_a_clock_was_ahead_keys_are_in_force_and_today_is_today() {
    let node = Node::new().await;
    let days = TimeDelta::days(3);
    // The key is valid for two days; the last publication is three days ahead.
    let key = ApiKey::generate(&node.random);
    let key = NewKey {
        prefix: key.prefix().to_owned(),
        hash: key.hash(),
        tier: Tier::Partner,
        scope: None,
        expires_at: Some(node.now() + TimeDelta::days(2)),
        settings: KeySettings::default(),
    };
    node.store().keys().create("Late", &key).await.unwrap().unwrap();
    let keys = node.store().keys().in_force().await.unwrap();
    let partner = keys.iter().find(|known| known.prefix == key.prefix).unwrap().partner_id;
    let ahead = NewReport { created_at: node.now() + days, ..report("ahead", Spirit) };
    node.database.at(node.now() + days).reports().import(&[ahead], Mode::Approve).await.unwrap();

    let receiver = Receiver::with(Reply::Status(200)).await;
    let events = [EventName::MetricsUpdated];
    let subscription =
        subscribe(node.store(), partner, &node.random, &receiver.url(), &events).await;
    assert_eq!(node.health(&subscription).await, (SubscriptionStatus::Active, None));
    let today = NewReport { event_date: node.now().date_naive(), ..report("today", Spirit) };
    node.store().reports().import(&[today], Mode::Approve).await.unwrap();
    node.dispatch().await;
    let told = receiver.requests()[0].json();
    assert_eq!((&told["data"]["total"], &told["data"]["totalToday"]), (&2.into(), &2.into()));
    // The event contains the same counters as `GET /api/v1/metrics`, to the millisecond.
    let counters =
        node.store().counters().metrics(&Filter::default(), node.now().date_naive()).await.unwrap();
    let shown = counters.value.shown(counters.last.seen_since(node.now().date_naive()));
    assert_eq!(told["data"], serde_json::to_value(shown).unwrap());
}
