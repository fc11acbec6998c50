//! `kill -9` at random moments, while reports are approved and delivered.
//!
//! One process serves, others approve a few reports at a time, and the receivers in this process sometimes fail. After
//! a random number of further requests the serving process is killed, and every second time the approving process too.

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};

use base::random::Random;
use domain::{report::Status, subscription::DeliveryStatus};
use store::{DeliveryQuery, Missing, ReportList, Selection, Store};
use tokio::sync::watch;

use self::{processes::Approver, subscriber::Subscriber};
use crate::{
    harness::{Svc, soon},
    served::Served,
};

mod processes;
mod subscriber;

/// Number of reports per kill: more than are approved between two kills.
const REPORTS_PER_KILL: usize = 1_000;
/// One kill in this many lets the leases of the dead process expire, instead of ending them.
const WAITED_OUT: usize = 10;
/// Maximum number of requests between two kills.
const REQUESTS: u64 = 250;
/// Maximum time without a delivery: the last leases and retries, on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(150);

/// Seed of the run, which a failing test prints.
struct Seed(u64);

impl Drop for Seed {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("run again with SVC_KILL_SEED={}", self.0);
        }
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

async fn open(svc: &Svc) -> Store {
    svc.open(Missing::Refuse).await
}

/// Waits until no delivery is pending. Deliveries interrupted by a kill wait for the end of the lease.
async fn all_delivered(store: &Store) {
    let state = async || {
        let subscriptions = store.subscriptions().list().await.unwrap();
        let pending: i64 = subscriptions.iter().map(|listed| listed.pending).sum();
        let delivered: i64 = subscriptions.iter().map(|listed| listed.delivered).sum();
        (pending, delivered)
    };
    let mut looking = tokio::time::interval(Duration::from_millis(250));
    let (mut before, mut since) = (state().await, Instant::now());
    while before.0 > 0 {
        looking.tick().await;
        let now = state().await;
        if now != before {
            (before, since) = (now, Instant::now());
        }
        assert!(since.elapsed() < TIMEOUT, "{before:?} pending and delivered, and nothing happens");
    }
}

/// Test setup.
struct Scene {
    svc: Arc<Svc>,
    served: Served,
    subscribers: Vec<Subscriber>,
    /// Number of requests received by all subscribers.
    arrivals: watch::Sender<usize>,
}

impl Scene {
    async fn new(reports: usize, random: &Random) -> Self {
        let svc = Arc::new(Svc::migrated());
        let rows: String =
            (0..reports).map(|row| format!("r{row},both,City {},Norway\n", row % 50)).collect();
        assert_eq!(svc.import(format!("id,type,city,country\n{rows}"), &[]).code, Some(0));
        let key = svc.json(&["keys", "create", "--partner", "Aid", "--json"]);
        let served = Served::start(&svc);
        let arrivals = watch::Sender::new(0);
        let mut subscribers = Vec::new();
        for events in [&["report.created", "metrics.updated"][..], &["report.created"]] {
            let fates = Random::seeded(random.number());
            let mut subscriber = Subscriber::new(events, fates, arrivals.clone()).await;
            subscriber.subscribe(&served, key["key"].as_str().unwrap()).await;
            subscribers.push(subscriber);
        }
        Self { svc, served, subscribers, arrivals }
    }

    async fn more_requests(&self, count: u64) {
        let mut arrivals = self.arrivals.subscribe();
        let enough = *arrivals.borrow() + usize::try_from(count).unwrap();
        soon("more requests", arrivals.wait_for(|seen| *seen >= enough)).await.unwrap();
    }

    async fn kill_and_start_again(&mut self) {
        self.served.child.kill().unwrap();
        self.served.child.wait().unwrap();
        self.served = Served::start(&self.svc);
    }

    /// Ends the leases of a dead process, so that the next one need not wait for them.
    async fn end_leases(&self) {
        self.svc
            .change("UPDATE subscriptions SET lease_until = 0 WHERE lease_owner IS NOT NULL")
            .await;
    }

    /// Checks the final state after all deliveries.
    async fn check(self, store: &Store) -> usize {
        let list = ReportList {
            selection: Selection { status: Some(Status::Approved), ..Selection::default() },
            limit: u32::MAX,
            ..ReportList::default()
        };
        let listed = store.reports().list(&list).await.unwrap().reports;
        let approved: BTreeSet<String> = listed.into_iter().map(|report| report.id).collect();
        let query =
            DeliveryQuery { subscription: None, status: None, after: None, limit: u32::MAX };
        let log = store.deliveries().list(&query).await.unwrap();
        assert!(log.iter().all(|delivery| delivery.status == DeliveryStatus::Delivered));
        assert_eq!(log.len(), 3 * approved.len());
        for subscriber in &self.subscribers {
            subscriber.check(&approved);
        }
        self.svc.out(&["db", "check"]);
        approved.len()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_and_nothing_is_made_up_when_processes_are_killed_at_any_moment() {
    let kills = usize::try_from(number("SVC_KILLS").unwrap_or(3)).unwrap();
    let seed = Seed(number("SVC_KILL_SEED").unwrap_or_else(|| Random::system().number()));
    let random = Random::seeded(seed.0);
    let reports = (kills + 1) * REPORTS_PER_KILL;
    let mut scene = Scene::new(reports, &random).await;
    let store = open(&scene.svc).await;
    let fates = Random::seeded(random.number());
    let approver = Approver::start(Arc::clone(&scene.svc), reports, fates);
    for kill in 0..kills {
        scene.more_requests(1 + random.number() % REQUESTS).await;
        if kill % 2 == 0 {
            approver.kill();
        }
        scene.kill_and_start_again().await;
        if kill % WAITED_OUT != 0 {
            scene.end_leases().await;
        }
    }
    approver.stop().await;
    all_delivered(&store).await;
    scene.served.stop();
    let approved = scene.check(&store).await;
    assert!(approved > 10 * kills, "{approved}");
}
