//! Cluster test: one component after the other fails while the cluster is in use.
//!
//! The cluster has PostgreSQL with a replica, Redis, three nodes, and nginx in front of them. Visitors read, one client
//! exceeds its rate limit, reports are published, history is imported, webhooks are delivered, and thousands of clients
//! follow the stream. In turn a node is killed, PostgreSQL is restarted, its replica is promoted, Redis is stopped, and
//! the nodes are upgraded one by one. `target/cluster/timeline.txt` contains a line for each second.

mod balancer;
mod checks;
mod crowd;
mod machines;
mod node;
mod subscriber;
mod timeline;
mod traffic;
mod writers;

use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    time::{Duration, Instant},
};

use scratch::postgres::Stop;

use self::{
    checks::{Failures, Span},
    crowd::Crowd,
    machines::{Machines, blocking},
    subscriber::Subscriber,
    timeline::Timeline,
    traffic::Traffic,
    writers::Writers,
};
use crate::harness::soon;

const NODES: usize = 3;
/// Default number of streams; `SVC_CLUSTER_STREAMS` overrides it.
const STREAMS: u32 = 3_000;
/// Rate at which the first streams are opened.
const STREAMS_A_SECOND: u32 = 500;
/// Downtime of PostgreSQL in a restart, and delay before its replica is promoted.
const WITHOUT_POSTGRES: Duration = Duration::from_secs(3);
const WITHOUT_REDIS: Duration = Duration::from_secs(10);
/// Poll interval of tests that wait.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Running parts, in the order in which they stop.
struct Scene {
    writers: Writers,
    traffic: Traffic,
    crowd: Crowd,
    subscriber: Subscriber,
    machines: Machines,
    streams: u32,
    timeline: Arc<Timeline>,
    steps: Vec<Step>,
}

struct Step {
    name: &'static str,
    span: Span,
}

impl Scene {
    async fn start(timeline: &Arc<Timeline>) -> Self {
        let machines = Machines::start().await;
        timeline.note("all machines run");
        let create = ["keys", "create", "--partner", "Aid", "--json", "--database-url"];
        let key = blocking(|| machines.svc.json(&[&create[..], &[&machines.url]].concat()));
        let key = key["key"].as_str().unwrap();
        let subscriber = Subscriber::subscribe(&machines.balancer.url(""), key, timeline).await;
        let store = machines.store().await;
        let svc = Arc::clone(&machines.svc);
        let writers = Writers::start(store, svc, machines.url.clone(), timeline);
        let url = machines.balancer.url("");
        let traffic = Traffic::start(&url, &machines.addresses(), timeline);
        let streams = std::env::var("SVC_CLUSTER_STREAMS");
        let streams = streams.map_or(STREAMS, |number| number.parse().unwrap());
        let within = Duration::from_secs(1) * streams / STREAMS_A_SECOND;
        let crowd = Crowd::open(machines.balancer.address, streams, within, timeline).await;
        let (timeline, steps) = (Arc::clone(timeline), Vec::new());
        let scene =
            Self { writers, traffic, crowd, subscriber, machines, streams, timeline, steps };
        scene.well().await;
        scene
    }

    /// Waits until the cluster has recovered completely.
    async fn well(&self) {
        soon("a publication", self.writers.one_more()).await;
        self.machines.all_well().await;
        soon("all streams", async {
            while self.timeline.open.load(Relaxed) < usize::try_from(self.streams).unwrap() {
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        })
        .await;
    }

    async fn done(&mut self, name: &'static str, begin: Instant) -> Span {
        self.well().await;
        let span = Span { begin, end: Instant::now() };
        self.timeline.note(format!("all is well after: {name}"));
        self.steps.push(Step { name, span });
        span
    }

    fn begin(&self, name: &str) -> Instant {
        self.timeline.note(name.to_uppercase());
        Instant::now()
    }

    async fn kill_a_node(&mut self) {
        let name = "kill -9 of node 0";
        let begin = self.begin(name);
        blocking(|| self.machines.nodes[0].kill());
        blocking(|| self.machines.nodes[0].start_again(&self.machines.svc));
        self.timeline.note("node 0 serves again");
        self.done(name, begin).await;
    }

    async fn restart_postgres(&mut self) -> Span {
        let name = "restart of PostgreSQL";
        let begin = self.begin(name);
        blocking(|| self.machines.first.stop(Stop::Fast));
        tokio::time::sleep(WITHOUT_POSTGRES).await;
        blocking(|| self.machines.first.start_again());
        self.timeline.note("PostgreSQL accepts connections again");
        self.done(name, begin).await
    }

    async fn promote_the_replica(&mut self) -> Span {
        let name = "kill of the primary, promotion of the replica";
        let begin = self.begin(name);
        blocking(|| self.machines.first.stop(Stop::Immediate));
        self.timeline.note("the primary is dead");
        tokio::time::sleep(WITHOUT_POSTGRES).await;
        blocking(|| self.machines.second.promote());
        self.timeline.note("the replica is promoted");
        self.done(name, begin).await
    }

    /// Returns the time without Redis, and the time until all nodes had recovered.
    async fn stop_redis(&mut self) -> [Span; 2] {
        let name = "ten seconds without Redis";
        let begin = self.begin(name);
        blocking(|| self.machines.redis.kill());
        let killed = Instant::now();
        tokio::time::sleep(WITHOUT_REDIS).await;
        let away = Span { begin: killed, end: Instant::now() };
        self.machines.redis.run().await;
        self.timeline.note("Redis is back");
        [away, self.done(name, begin).await]
    }

    async fn upgrade(&mut self) {
        for (number, name) in
            ["upgrade of node 0", "upgrade of node 1", "upgrade of node 2"].into_iter().enumerate()
        {
            let begin = self.begin(name);
            let node = &mut self.machines.nodes[number];
            node.stop();
            soon("a node that is not ready", async {
                while node.is_ready().await {
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
            })
            .await;
            let open = node.number("svc_open_streams").await;
            self.timeline.note(format!("/readyz of node {number} is 503, {open} streams are open"));
            blocking(|| node.wait());
            self.timeline.note(format!("node {number} has ended"));
            if number == 1 {
                self.machines.migrate().await;
                self.timeline.note("the database is migrated");
            }
            blocking(|| self.machines.nodes[number].start_again(&self.machines.svc));
            self.timeline.note(format!("node {number} serves again"));
            self.done(name, begin).await;
        }
    }

    /// Effects of each step: recovery time, failed requests and lost streams.
    fn summary(&self) -> String {
        let returns = self.crowd.returns();
        let failed_requests = self.traffic.failed_requests();
        let line = |step: &Step| {
            let span = step.span;
            let lost = returns.iter().filter(|one| span.begin <= one.lost && one.lost <= span.end);
            let (count, slowest) = lost
                .fold((0, Duration::ZERO), |(count, most), one| (count + 1, most.max(one.after)));
            let failed =
                failed_requests.iter().filter(|one| span.begin <= one.sent && one.sent <= span.end);
            let times: Vec<Instant> = failed.map(|one| one.sent).collect();
            let unavailable = times.iter().max().zip(times.iter().min());
            let unavailable = unavailable.map_or(Duration::ZERO, |(last, first)| *last - *first);
            format!(
                "{}: {:.1} s until all was well; {} answers failed within {:.1} s; {count} streams were lost, the \
                 last was back after {:.1} s",
                step.name,
                (span.end - span.begin).as_secs_f64(),
                times.len(),
                unavailable.as_secs_f64(),
                slowest.as_secs_f64()
            )
        };
        self.steps.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    async fn check(self, failovers: &[Span], outage: [Span; 2]) {
        let (summary, timeline) = (self.summary(), self.timeline);
        let mut failures = Failures::default();
        let written = self.writers.stop().await;
        failures.answers(&self.traffic, failovers, &timeline);
        failures.limits(&self.traffic.accepted(), outage);
        failures.streams(&self.crowd, failovers, &timeline);
        drop((self.traffic, self.crowd));
        failures.counters(&self.machines, &written).await;
        let events = failures.events(&self.machines, &self.subscriber).await;
        let (deliveries, _) = self.subscriber.deliveries();
        let summary = format!(
            "{summary}\n{} reports were published and {} imported; {events} events were delivered by {deliveries} \
                requests",
            written.published, written.history
        );
        println!("{summary}");
        timeline.note("the end");
        timeline.conclude(&summary);
        assert!(failures.0.is_empty(), "{summary}\n\n{}", failures.0.join("\n"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_survives_what_happens_to_its_machines() {
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let timeline = Arc::new(Timeline::begin());
    let sampled = Arc::clone(&timeline);
    let _sampling = tokio_util::task::AbortOnDropHandle::new(tokio::spawn(async move {
        sampled.sample().await;
    }));
    let mut scene = Scene::start(&timeline).await;
    scene.kill_a_node().await;
    let restart = scene.restart_postgres().await;
    let failover = scene.promote_the_replica().await;
    let outage = scene.stop_redis().await;
    scene.upgrade().await;
    scene.check(&[restart, failover], outage).await;
}
