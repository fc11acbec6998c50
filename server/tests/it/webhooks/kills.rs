//! `kill -9` at random moments, while reports are approved and delivered.
//!
//! One process serves, others approve reports a few at a time, and the receivers, in this process,
//! fail now and then. When a random number of further requests has come, the serving process is
//! killed, and every other time whoever approves at that moment too.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use svc::{
    domain::{report::Status, subscription::DeliveryStatus},
    random::Random,
    store::{self, DeliveryQuery, Missing, ReportList, Store},
};
use tokio::sync::watch;

use self::{processes::Approver, subscriber::Subscriber};
use crate::{
    harness::{Svc, soon},
    served::Served,
};

mod processes;
mod subscriber;

/// More than are approved between two kills.
const REPORTS_PER_KILL: usize = 1_000;
/// Requests between two kills, at the most.
const REQUESTS: u64 = 250;
/// How long the last leases and retries may take, on a machine that does other things as well.
const PATIENCE: Duration = Duration::from_secs(150);

/// Says with what a test that fails can be run again.
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
    let url = format!("sqlite://{}", svc.path("data/svc.db").display());
    store::open_url(&url, Missing::Refuse).await.unwrap()
}

/// Waits until nothing is pending: what was under way at a kill waits for the end of the lease.
async fn all_delivered(store: &Store) {
    let is_over = async || {
        let subscriptions = store.list_subscriptions().await.unwrap();
        subscriptions.iter().all(|listed| listed.pending == 0)
    };
    let mut looking = tokio::time::interval(Duration::from_millis(250));
    let over = async {
        while !is_over().await {
            looking.tick().await;
        }
    };
    tokio::time::timeout(PATIENCE, over).await.unwrap();
}

/// What the test works with.
struct Scene {
    svc: Arc<Svc>,
    served: Served,
    subscribers: Vec<Subscriber>,
    /// The requests that have come to any of them.
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
        self.served = Served::start(&self.svc);
    }

    /// Checks what is left when everything has come to rest.
    async fn check(self, store: &Store) -> usize {
        let list =
            ReportList { status: Some(Status::Approved), limit: u32::MAX, ..ReportList::default() };
        let listed = store.list(&list).await.unwrap().reports;
        let approved: BTreeSet<String> = listed.into_iter().map(|report| report.id).collect();
        let query = DeliveryQuery { subscription: None, status: None, limit: u32::MAX };
        let log = store.list_deliveries(&query).await.unwrap();
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
    }
    approver.stop().await;
    all_delivered(&store).await;
    scene.served.stop();
    let approved = scene.check(&store).await;
    assert!(approved > 10 * kills, "{approved}");
}
