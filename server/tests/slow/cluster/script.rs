//! Script of the test: one component after the other fails.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use scratch::postgres::Stop;

use super::{
    POLL_INTERVAL, Settings,
    checks::{Failures, Span},
    machines::blocking,
    scene::Scene,
    timeline::Timeline,
};
use crate::harness::soon;

/// Default number of streams; `SVC_CLUSTER_STREAMS` overrides it.
const STREAMS: u32 = 3_000;
/// Downtime of PostgreSQL in a restart, and delay before its replica is promoted.
const WITHOUT_POSTGRES: Duration = Duration::from_secs(3);
const WITHOUT_REDIS: Duration = Duration::from_secs(10);

struct Script {
    scene: Scene,
    steps: Vec<Step>,
}

struct Step {
    name: &'static str,
    span: Span,
}

impl Script {
    async fn done(&mut self, name: &'static str, begin: Instant) -> Span {
        self.scene.well().await;
        let span = Span { begin, end: Instant::now() };
        self.scene.timeline.note(format!("all is well after: {name}"));
        self.steps.push(Step { name, span });
        span
    }

    fn begin(&self, name: &str) -> Instant {
        self.scene.timeline.note(name.to_uppercase());
        Instant::now()
    }

    async fn kill_a_node(&mut self) {
        let name = "kill -9 of node 0";
        let begin = self.begin(name);
        blocking(|| self.scene.machines.nodes[0].kill());
        blocking(|| self.scene.machines.nodes[0].start_again(&self.scene.machines.svc));
        self.scene.timeline.note("node 0 serves again");
        self.done(name, begin).await;
    }

    async fn restart_postgres(&mut self) -> Span {
        let name = "restart of PostgreSQL";
        let begin = self.begin(name);
        blocking(|| self.scene.machines.postgres.primary().stop(Stop::Fast));
        tokio::time::sleep(WITHOUT_POSTGRES).await;
        blocking(|| self.scene.machines.postgres.primary().start_again());
        self.scene.timeline.note("PostgreSQL accepts connections again");
        self.done(name, begin).await
    }

    async fn promote_the_replica(&mut self) -> Span {
        let name = "kill of the primary, promotion of the replica";
        let begin = self.begin(name);
        blocking(|| self.scene.machines.postgres.primary().stop(Stop::Immediate));
        self.scene.timeline.note("the primary is dead");
        tokio::time::sleep(WITHOUT_POSTGRES).await;
        blocking(|| self.scene.machines.postgres.promote());
        self.scene.timeline.note("the replica is promoted");
        self.done(name, begin).await
    }

    /// Returns the time without Redis, and the time until all nodes had recovered.
    async fn stop_redis(&mut self) -> [Span; 2] {
        let name = "ten seconds without Redis";
        let begin = self.begin(name);
        blocking(|| self.scene.machines.redis.kill());
        let killed = Instant::now();
        tokio::time::sleep(WITHOUT_REDIS).await;
        let away = Span { begin: killed, end: Instant::now() };
        self.scene.machines.redis.run().await;
        self.scene.timeline.note("Redis is back");
        [away, self.done(name, begin).await]
    }

    async fn upgrade(&mut self) {
        for (number, name) in
            ["upgrade of node 0", "upgrade of node 1", "upgrade of node 2"].into_iter().enumerate()
        {
            let begin = self.begin(name);
            let node = &mut self.scene.machines.nodes[number];
            node.stop();
            soon("a node that is not ready", async {
                while node.is_ready().await {
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
            })
            .await;
            let open = node.number("svc_open_streams").await;
            self.scene
                .timeline
                .note(format!("/readyz of node {number} is 503, {open} streams are open"));
            blocking(|| node.wait());
            self.scene.timeline.note(format!("node {number} has ended"));
            if number == 1 {
                self.scene.machines.migrate().await;
                self.scene.timeline.note("the database is migrated");
            }
            blocking(|| self.scene.machines.nodes[number].start_again(&self.scene.machines.svc));
            self.scene.timeline.note(format!("node {number} serves again"));
            self.done(name, begin).await;
        }
    }

    /// Effects of each step: recovery time, failed requests and lost streams.
    fn summary(&self) -> String {
        let line = |step: &Step| {
            let effects = self.scene.effects(step.span);
            let seconds = (step.span.end - step.span.begin).as_secs_f64();
            format!("{}: {seconds:.1} s until all was well; {effects}", step.name)
        };
        self.steps.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    async fn check(self, failovers: &[Span], outage: [Span; 2]) {
        let (mut failures, summary) = (Failures::default(), self.summary());
        let timeline = Arc::clone(&self.scene.timeline);
        let (traffic, crowd) = (&self.scene.traffic, &self.scene.crowd);
        failures.answers(traffic, failovers, &[], &timeline);
        failures.limits(&traffic.accepted(), outage);
        failures.streams(crowd, failovers, &timeline);
        failures.late_streams(crowd, &timeline);
        let counted = failures.recount(self.scene).await;
        let summary = format!("{summary}\n{counted}");
        println!("{summary}");
        timeline.note("the end");
        timeline.conclude(&summary);
        assert!(failures.0.is_empty(), "{summary}\n\n{}", failures.0.join("\n"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_survives_what_happens_to_its_machines() {
    let streams = std::env::var("SVC_CLUSTER_STREAMS");
    let streams = streams.map_or(STREAMS, |number| number.parse().unwrap());
    let timeline = Arc::new(Timeline::begin("timeline.txt"));
    let settings = Settings { streams, refuses: false };
    let mut script = Script { scene: Scene::start(settings, &timeline).await, steps: Vec::new() };
    script.kill_a_node().await;
    let restart = script.restart_postgres().await;
    let failover = script.promote_the_replica().await;
    let outage = script.stop_redis().await;
    script.upgrade().await;
    script.check(&[restart, failover], outage).await;
}
