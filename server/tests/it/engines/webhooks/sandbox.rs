//! Subscriptions of sandboxes, which get no events of the log.

use chrono::{DateTime, Utc};
use domain::{
    event::EventName::{self, SubscriptionDisabled},
    report::{NewReport, Step},
    subscription::DeliveryStatus,
    tier::Tier,
};
use model::ReportType::{Spirit, Water};
use store::{Corrected, DeliveryQuery, Enabled, LogPosition, Mode, Replay, Replayed, Revoked};

use crate::{
    harness::{But, START, instant, report},
    node::{self, Node, Subscription},
    receiver::{Receiver, Reply},
};

/// A partner and its sandbox, each with a subscription to all events.
struct Scene {
    node: Node,
    sandbox: i64,
    real: Receiver,
    tests: Receiver,
    of_sandbox: Subscription,
}

impl Scene {
    async fn new() -> Self {
        let node = Node::new().await;
        let sandbox = node::holder(node.store(), &node.random, "Aid", Tier::Test).await;
        let real = Receiver::with(Reply::Status(204)).await;
        let tests = Receiver::with(Reply::Status(204)).await;
        node.subscribe(&real.url(), &EventName::PUBLIC).await;
        let of_sandbox =
            node::subscribe(node.store(), sandbox, &node.random, &tests.url(), &EventName::PUBLIC)
                .await;
        Self { node, sandbox, real, tests, of_sandbox }
    }

    /// Causes each event of the log: publishes, corrects and withdraws a report, and imports history.
    async fn change(&self) {
        let reports = self.node.store().reports();
        self.node.approve(&["a"]).await;
        let corrected = reports.correct("a", |report| {
            Ok::<_, ()>(NewReport { people_count: report.people_count + 1, ..report.clone() })
        });
        assert_eq!(corrected.await.unwrap(), Corrected::Now);
        reports.decide(Step::Withdraw, &["a".to_owned()]).await.unwrap();
        let old = report("old", Water).created("2026-01-04T08:00:00Z");
        reports.import(&[old], Mode::Backfill).await.unwrap();
        let log = self.node.store().event_log();
        assert!(log.announce_history(DateTime::<Utc>::MAX_UTC).await.unwrap());
    }

    async fn backlog(&self) -> i64 {
        let store = self.node.store().subscriptions();
        store.with_health(self.sandbox).await.unwrap()[0].health.backlog
    }
}

#[tokio::test]
async fn real_events_reach_no_subscription_of_a_sandbox_not_even_by_a_replay() {
    let scene = Scene::new().await;
    let (node, id) = (&scene.node, &*scene.of_sandbox.id);
    scene.change().await;
    assert_eq!(scene.backlog().await, 0, "before the log was examined");
    assert_eq!(node.dispatch().await, 5);
    assert_eq!((scene.real.count(), scene.tests.count()), (5, 0));

    let deliveries = || node.store().deliveries();
    let from = LogPosition::From(instant(START));
    for (replay, to) in [
        (Replay::Everything(from), None),
        (Replay::Everything(LogPosition::After(0)), None),
        (Replay::Everything(from), Some(LogPosition::After(5))),
        (Replay::Failed(Some(from)), None),
    ] {
        let replayed = deliveries().replay_up_to(None, id, replay, to).await.unwrap();
        assert_eq!(replayed, Replayed::Events(0), "{replay:?}");
        assert_eq!(scene.backlog().await, 0);
        assert_eq!(node.dispatch().await, 0, "{replay:?}");
    }

    let subscriptions = || node.store().subscriptions();
    subscriptions().disable(id, "A break.").await.unwrap();
    node.store().reports().import(&[report("b", Spirit)], Mode::Approve).await.unwrap();
    node.dispatch().await;
    assert_eq!(subscriptions().enable(id).await.unwrap(), Enabled::Now { missed: 0 });
    node.dispatch().await;
    assert_eq!((scene.real.count() > 5, scene.tests.count()), (true, 0));
    let query = DeliveryQuery {
        subscription: Some(scene.of_sandbox.seq),
        status: None,
        after: None,
        limit: 10,
    };
    assert_eq!(deliveries().list(&query).await.unwrap(), []);
}

#[tokio::test]
async fn notices_about_endpoints_stay_in_their_sandbox() {
    let scene = Scene::new().await;
    let (node, store) = (&scene.node, scene.node.store());
    let nowhere = "http://127.0.0.1:9/";
    let other = node::subscribe(store, scene.sandbox, &node.random, nowhere, &EventName::PUBLIC);
    store.subscriptions().disable(&other.await.id, "A break.").await.unwrap();
    assert_eq!(store.subscriptions().announce_endpoints(false).await.unwrap(), 1);
    assert_eq!(node.dispatch().await, 1);
    assert_eq!((scene.real.count(), scene.tests.count()), (0, 1));
    let notice = scene.tests.requests().remove(0).json();
    assert_eq!(notice["event"], SubscriptionDisabled.as_str());
    let delivered = DeliveryQuery {
        subscription: Some(scene.of_sandbox.seq),
        status: Some(DeliveryStatus::Delivered),
        after: None,
        limit: 10,
    };
    assert_eq!(store.deliveries().list(&delivered).await.unwrap().len(), 1);

    let real = node.subscribe(nowhere, &EventName::PUBLIC).await;
    store.subscriptions().disable(&real.id, "A break.").await.unwrap();
    while store.subscriptions().announce_endpoints(false).await.unwrap() > 0 {}
    node.dispatch().await;
    assert_eq!((scene.real.count(), scene.tests.count()), (1, 1));
}

#[tokio::test]
async fn a_partner_and_its_sandbox_have_subscriptions_and_keys_of_their_own() {
    let scene = Scene::new().await;
    let (node, store) = (&scene.node, scene.node.store());
    assert_ne!(scene.sandbox, node.partner_id);
    let again = node::holder(store, &node.random, "Aid", Tier::Test).await;
    assert_eq!(again, scene.sandbox, "another key of the same sandbox");
    let listed = store.subscriptions().list().await.unwrap();
    let told: Vec<_> = listed.iter().map(|one| (&*one.partner, one.is_sandbox)).collect();
    assert_eq!(told, [("Aid", true), ("Aid", false)]);
    assert_eq!(listed.iter().map(|one| one.holder()).collect::<Vec<_>>(), ["Aid (test)", "Aid"]);

    // The last key of a sandbox ends only what the sandbox has.
    let keys = store.keys().in_force().await.unwrap();
    let mut of_sandbox = keys.iter().filter(|key| key.tier == Tier::Test);
    let [first, last] = [of_sandbox.next().unwrap(), of_sandbox.next().unwrap()];
    assert_eq!(
        store.keys().revoke(&first.prefix).await.unwrap(),
        Revoked::Now { disabled: vec![] }
    );
    let disabled = vec![scene.of_sandbox.id.clone()];
    assert_eq!(store.keys().revoke(&last.prefix).await.unwrap(), Revoked::Now { disabled });
    let states = store.subscriptions().list().await.unwrap();
    let states: Vec<_> = states.iter().map(|one| one.subscription.status.as_str()).collect();
    assert_eq!(states, ["DISABLED", "ACTIVE"]);
}
