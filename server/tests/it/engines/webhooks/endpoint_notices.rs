//! `subscription.paused` and `subscription.disabled`, for the other subscriptions of a partner.

use base::{random::Random, time::format_instant};
use domain::{
    event::EventName::{self, SubscriptionDisabled, SubscriptionPaused},
    place_filter::PlaceFilter,
    subscription::SubscriptionStatus,
};
use serde_json::{Value, json};
use store::{Change, LogQuery, Store};

use crate::{
    node::{self, Node, ReportCreated, Subscription},
    receiver::{Receiver, Reply, Request},
};

const NOTICES: [EventName; 2] = [SubscriptionPaused, SubscriptionDisabled];

/// A partner with a failing endpoint, and another one that receives notices.
struct Scene {
    node: Node,
    failing: Subscription,
    endpoint: Receiver,
    notices: Receiver,
}

impl Scene {
    async fn new() -> Self {
        let node = Node::new().await;
        let endpoint = Receiver::with(Reply::Status(500)).await;
        let notices = Receiver::with(Reply::Status(204)).await;
        let failing = node.subscribe(&endpoint.url(), &[ReportCreated, SubscriptionPaused]).await;
        node.subscribe(&notices.url(), &NOTICES).await;
        Self { node, failing, endpoint, notices }
    }

    /// Announces changed states, sends the notices, and returns all that have arrived.
    async fn received(&self) -> Vec<Value> {
        while self.node.store().subscriptions().announce_endpoints(true).await.unwrap() > 0 {}
        self.node.dispatch().await;
        let body = |request: &Request| {
            let body: Value = serde_json::from_slice(&request.body).unwrap();
            json!([body["event"], body["data"]])
        };
        self.notices.requests().iter().map(body).collect()
    }

    async fn disable(&self, reason: &str) {
        self.node.store().subscriptions().disable(&self.failing.id, reason).await.unwrap();
    }
}

/// Subscribes another partner to notices.
async fn subscribe_stranger(store: &Store, url: &str) {
    let random = Random::seeded(7);
    let stranger = node::partner(store, &random, "Stranger").await;
    node::subscribe(store, stranger, &random, url, &NOTICES).await;
}

#[tokio::test]
async fn a_paused_endpoint_is_announced_once_to_the_other_subscriptions_of_its_partner() {
    let scene = Scene::new().await;
    let stranger = Receiver::with(Reply::Status(204)).await;
    subscribe_stranger(scene.node.store(), &stranger.url()).await;
    let since = format_instant(scene.node.now());
    scene.node.fail_until_paused(&scene.failing).await;
    let paused = [json!(["subscription.paused", {
        "subscription": scene.failing.id,
        "url": scene.endpoint.url(),
        "reason": "the response was 500",
        "since": since,
    }])];
    assert_eq!(scene.received().await, paused);
    // A failed probe is no news.
    let until = scene.node.pause_of(scene.failing.seq).await.unwrap();
    scene.node.advance_to(until);
    scene.node.dispatch().await;
    assert_eq!(scene.received().await, paused);
    scene.disable("Too many failures.").await;
    let received = scene.received().await;
    assert_eq!(received.len(), 2);
    assert_eq!(
        (&received[1][0], &received[1][1]["reason"]),
        (&json!("subscription.disabled"), &json!("Too many failures."),)
    );
    assert_eq!(stranger.requests().len(), 0, "another partner learns nothing");
}

#[tokio::test]
async fn an_endpoint_that_works_again_is_announced_again_when_it_is_disabled_again() {
    let scene = Scene::new().await;
    for round in 1..=2 {
        scene.disable("A break.").await;
        assert_eq!(scene.received().await.len(), round);
        scene.node.enable(&scene.failing).await;
        assert_eq!(scene.received().await.len(), round);
    }
}

#[tokio::test]
async fn a_partner_is_not_told_what_it_did_itself() {
    let scene = Scene::new().await;
    let change = Change { status: Some(SubscriptionStatus::Disabled), ..Change::default() };
    let (partner, id) = (scene.node.partner_id, &scene.failing.id);
    scene.node.store().subscriptions().change(partner, id, &change).await.unwrap();
    assert_eq!(scene.received().await, [] as [Value; 0]);
}

#[tokio::test]
async fn notices_are_not_in_the_log_and_not_in_backlogs() {
    let scene = Scene::new().await;
    scene.disable("A break.").await;
    assert_eq!(scene.received().await.len(), 1);
    let query = LogQuery {
        after: None,
        events: EventName::ALL.to_vec(),
        place: PlaceFilter::default(),
        types: [true; 3],
        limit: 100,
    };
    let page = scene.node.store().event_log().page(&query).await.unwrap().unwrap();
    assert_eq!(page.events, []);
    // The portal shows these to every partner.
    let latest = scene.node.store().event_log().latest(&EventName::ALL, 100).await.unwrap();
    assert_eq!(latest, []);
    let listed = scene.node.store().subscriptions().with_health(scene.node.partner_id).await;
    let backlogs: Vec<i64> = listed.unwrap().iter().map(|one| one.health.backlog).collect();
    assert_eq!(backlogs, [0, 0]);
}
