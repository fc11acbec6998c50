//! A replica answers what the public reads, while it is fresh.

use scratch::postgres::{Server, Stop};
use svc::store::{Missing, Period, Store, open_url};

use super::{publish, texts};
use crate::{
    harness::{Svc, http, soon},
    served::Served,
};

/// Every statement is logged.
const LOGGED: &[&str] = &["log_statement=all"];

/// A database `svc` on a primary, and a replica of it.
fn logging_pair() -> (Server, Server) {
    let primary = Server::start_on_tcp(LOGGED);
    primary.create_named("svc", None);
    let replica = primary.replica(LOGGED);
    (primary, replica)
}

/// How often a server was asked for places.
fn asked(server: &Server) -> usize {
    server.log().matches("LEFT JOIN places p").count()
}

/// A store that reads from a replica.
struct Replicated {
    primary: Server,
    replica: Server,
    store: Store,
}

impl Replicated {
    async fn new() -> Self {
        let (primary, replica) = logging_pair();
        let store = open_url(&primary.tcp_url("svc"), Missing::Create).await.unwrap();
        let store = store.with_replica(&replica.tcp_url("svc")).unwrap();
        let watched = store.background();
        tokio::spawn(async move { watched.watch_replica().await });
        Self { primary, replica, store }
    }

    /// The cities that readers are shown after they have seen the last change, and how often the primary and the
    /// replica were asked for them.
    async fn read(&self) -> (Vec<String>, usize, usize) {
        self.store.last_change().await.unwrap();
        let before = (asked(&self.primary), asked(&self.replica));
        let cities = self.store.geo_facets(Period::default()).await.unwrap();
        let cities = cities.iter().map(|city| city.city.to_string()).collect();
        (cities, asked(&self.primary) - before.0, asked(&self.replica) - before.1)
    }

    /// Waits until the replica alone answers, with these cities.
    async fn replica_answers(&self, cities: &[&str]) {
        let answer = (texts(cities), 0, 1);
        soon("an answer of the replica", async { while self.read().await != answer {} }).await;
    }

    async fn until_used(&self, is_used: bool) {
        let status = || self.store.replica_status().unwrap();
        soon("another state of the replica", async {
            while status().is_used != is_used {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_answers_while_it_is_fresh_and_the_primary_at_all_other_times() {
    let pair = Replicated::new().await;
    publish(&pair.store, "r-1", "Natal").await;
    pair.replica_answers(&["Natal"]).await;
    assert_eq!(pair.store.replica_status().unwrap().behind.as_secs(), 0);

    // It lags: nobody who has seen the change sees the time before it.
    pair.replica.pause_replay();
    publish(&pair.store, "r-2", "Recife").await;
    let (cities, primary, _) = pair.read().await;
    assert_eq!((cities, primary), (texts(&["Natal", "Recife"]), 1));
    pair.until_used(false).await;
    let behind = pair.store.replica_status().unwrap().behind;
    assert!(behind.as_millis() > 1_000, "{behind:?}");
    assert_eq!(pair.read().await, (texts(&["Natal", "Recife"]), 1, 0));
    pair.replica.resume_replay();
    pair.replica_answers(&["Natal", "Recife"]).await;

    // It is gone.
    pair.replica.stop(Stop::Immediate);
    publish(&pair.store, "r-3", "Belém").await;
    let all = texts(&["Belém", "Natal", "Recife"]);
    assert_eq!(pair.read_without_replica().await, (all.clone(), 1));
    pair.until_used(false).await;
    assert_eq!(pair.read_without_replica().await, (all.clone(), 1));
    pair.replica.start_again();
    pair.replica_answers(&["Belém", "Natal", "Recife"]).await;

    // It does not answer, and holds its connections.
    pair.replica.pause();
    assert_eq!(pair.read_without_replica().await, (all.clone(), 1));
    pair.until_used(false).await;
    assert_eq!(pair.read_without_replica().await, (all, 1));
    pair.replica.resume();
    pair.replica_answers(&["Belém", "Natal", "Recife"]).await;
    pair.store.close().await;
}

impl Replicated {
    async fn read_without_replica(&self) -> (Vec<String>, usize) {
        let (cities, primary, _) = self.read().await;
        (cities, primary)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_replica_that_was_promoted_is_not_asked_any_more() {
    let pair = Replicated::new().await;
    publish(&pair.store, "r-1", "Natal").await;
    pair.replica_answers(&["Natal"]).await;
    pair.replica.promote();
    let there = open_url(&pair.replica.tcp_url("svc"), Missing::Refuse).await.unwrap();
    publish(&there, "r-2", "Elsewhere").await;
    pair.until_used(false).await;
    assert_eq!(pair.read().await, (texts(&["Natal"]), 1, 0));
    there.close().await;
    pair.store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_shows_how_its_replica_is_and_logs_each_change_once() {
    let (primary, replica) = logging_pair();
    let svc = Svc::with_file();
    let url = primary.tcp_url("svc");
    let read_url = replica.tcp_url("svc");
    let served =
        Served::start_with(&svc, &["--database-url", &url, "--database-read-url", &read_url]);
    let http = http();
    let number = async |name: &str| -> f64 {
        let metrics = http.get(format!("{}/metrics", served.ops)).send().await.unwrap();
        let text = metrics.text().await.unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} "))).unwrap();
        line.parse().unwrap()
    };
    let used = async |expected: f64| {
        soon("another state", async { while number("svc_read_replica_used").await != expected {} })
            .await;
    };
    used(1.0).await;
    let facets = format!("{}/api/v1/geo-facets?from=2026-01-01&to=2026-01-02", served.url);
    assert_eq!(http.get(facets).send().await.unwrap().status(), 200);
    assert!(number("svc_read_replica_reads_total").await > 0.0);
    assert_eq!(number("svc_read_replica_behind_seconds").await, 0.0);
    replica.stop(Stop::Fast);
    used(0.0).await;
    soon("time", async { while number("svc_read_replica_behind_seconds").await == 0.0 {} }).await;
    replica.start_again();
    used(1.0).await;
    let log = std::fs::read_to_string(svc.path("log")).unwrap();
    let said: Vec<&str> = log
        .lines()
        .filter_map(|line| {
            line.split_once("the read replica ")?.1.split_once("/svc ").map(|(_, said)| said)
        })
        .collect();
    let (fresh, away) = (
        "is up to date: it answers reads",
        "cannot be compared with the primary, because one of them does not answer: only the primary is asked",
    );
    assert_eq!(said, [fresh, away, fresh], "{log}");
}

#[test]
fn a_file_has_no_replica() {
    let svc = Svc::with_file();
    let postgres = "postgres://svc@127.0.0.1:1/svc";
    let reason = "--database-read-url names a replica of a PostgreSQL database: both it and --database-url have to begin with postgres://";
    let ran = svc.run(&["serve", "--database-read-url", postgres]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains(reason), "{}", ran.err);
    let file = "sqlite://data/copy.db";
    let ran = svc.run(&["serve", "--database-url", postgres, "--database-read-url", file]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert!(ran.err.contains(reason), "{}", ran.err);
}
