//! Checks at the end of the test.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use super::{
    NODES,
    crowd::{Crowd, Return},
    machines::Machines,
    subscriber::Subscriber,
    timeline::Timeline,
    traffic::{Accepted, FailedRequest, Traffic},
    writers::Written,
};
use crate::harness::soon;

/// Number of requests per [`WINDOW`] permitted without a key.
const LIMIT: usize = 60;
const WINDOW: Duration = Duration::from_secs(60);
/// Maximum time in which a lost stream must be back.
const BACK_WITHIN: Duration = Duration::from_secs(10);

/// Period of time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) begin: Instant,
    pub(super) end: Instant,
}

impl Span {
    fn has(&self, at: Instant) -> bool {
        self.begin <= at && at <= self.end
    }
}

/// Descriptions of failed checks.
#[derive(Default)]
pub(super) struct Failures(pub(super) Vec<String>);

impl Failures {
    fn require(&mut self, is_met: bool, otherwise: impl FnOnce() -> String) {
        if !is_met {
            self.0.push(otherwise());
        }
    }

    /// Checks that no published report is missing or counted twice, and that all nodes send the same bytes except
    /// `updatedAt`.
    pub(super) async fn counters(&mut self, machines: &Machines, written: &Written) {
        let total = written.published + written.history;
        for (number, node) in machines.nodes.iter().enumerate() {
            soon(&format!("the total of node {number}"), async {
                loop {
                    let client = format!("10.2.{number}.1");
                    let metrics = node.get("/api/v1/metrics", &client).await.json();
                    if metrics["total"] == total {
                        break;
                    }
                    println!("node {number}: {metrics}, not yet {total}");
                    tokio::time::sleep(Duration::from_secs(2)).await;
                }
            })
            .await;
        }
        for (index, path) in [
            "/api/v1/metrics",
            "/api/v1/metrics?country=Brazil",
            "/api/v1/metrics?city=City%207",
            "/api/v1/reports?limit=100",
            "/api/v1/reports?country=Norway&limit=100",
            "/api/v1/geo/facets",
        ]
        .into_iter()
        .enumerate()
        {
            let mut answers = BTreeSet::new();
            for node in &machines.nodes {
                let answer = node.get(path, &format!("10.3.0.{index}")).await;
                answers.insert((answer.status, without_update(&answer.text())));
            }
            self.require(answers.len() == 1, || format!("nodes differ on {path}: {answers:?}"));
        }
        let checked = machines.svc.run(&["db", "check", "--database-url", &machines.url]);
        self.require(checked.code == Some(0), || format!("check: {}{}", checked.out, checked.err));
    }

    /// Checks that every event has arrived, and nothing else.
    pub(super) async fn events(&mut self, machines: &Machines, subscriber: &Subscriber) -> usize {
        let sql = "SELECT id FROM events WHERE name IN ('report.created', 'metrics.updated')";
        let ids: BTreeSet<String> = machines.texts(sql).await.into_iter().collect();
        let mut looks = 0;
        // Deliveries of a killed node wait for the end of its leases.
        while subscriber.ids().len() < ids.len() && looks < 900 {
            tokio::time::sleep(Duration::from_millis(100)).await;
            looks += 1;
        }
        let arrived = subscriber.ids();
        let (missing, unknown) =
            (ids.difference(&arrived).count(), arrived.difference(&ids).count());
        self.require(missing + unknown == 0, || {
            format!(
                "of {} events, {missing} did not arrive; {unknown} arrived that are none",
                ids.len()
            )
        });
        let (_, wrong) = subscriber.deliveries();
        self.require(wrong == 0, || format!("{wrong} webhooks were not signed"));
        ids.len()
    }

    /// Checks that requests failed only during `failovers`, and only with the expected response.
    pub(super) fn answers(&mut self, traffic: &Traffic, failovers: &[Span], timeline: &Timeline) {
        let failed_requests = traffic.failed_requests();
        let is_excused = |trouble: &FailedRequest| {
            let in_failover = failovers
                .iter()
                .any(|span| trouble.sent <= span.end && span.begin <= trouble.received);
            let is_unavailable = trouble.answer.starts_with("503 retry-after=")
                && trouble.answer.ends_with(" UNAVAILABLE");
            in_failover && is_unavailable && !trouble.answer.contains("= ")
        };
        let others: Vec<&FailedRequest> =
            failed_requests.iter().filter(|trouble| !is_excused(trouble)).collect();
        for trouble in others.iter().take(10) {
            let (sent, received) =
                (timeline.seconds(trouble.sent), timeline.seconds(trouble.received));
            self.0.push(format!("{sent:.1} to {received:.1} {}: {}", trouble.path, trouble.answer));
        }
        self.require(others.len() <= 10, || format!("{} answers like these", others.len()));
    }

    /// Checks that the limit was exact outside the outage, and that each node kept to its share while Redis was down.
    pub(super) fn limits(&mut self, accepted: &[Accepted], [away, outage]: [Span; 2]) {
        let is_there = |one: &&Accepted| !outage.has(one.sent) && !outage.has(one.received);
        let is_away = |one: &&Accepted| away.has(one.sent) && away.has(one.received);
        let there: Vec<Accepted> = accepted.iter().filter(is_there).copied().collect();
        let away: Vec<Accepted> = accepted.iter().filter(is_away).copied().collect();
        let all = most_in_window(accepted);
        self.require(most_in_window(&there) <= LIMIT, || {
            format!("{} requests of a client were accepted in a minute", most_in_window(&there))
        });
        self.require(all <= 2 * LIMIT, || format!("{all} in a minute with those without Redis"));
        for node in 0..NODES {
            let its = away.iter().filter(|one| one.node == node).count();
            self.require(its <= LIMIT / NODES, || {
                format!("node {node} accepted {its} without Redis")
            });
        }
        self.require(accepted.len() >= LIMIT, || format!("only {} were accepted", accepted.len()));
    }

    pub(super) fn streams(&mut self, crowd: &Crowd, failovers: &[Span], timeline: &Timeline) {
        for (at, answer) in crowd.refusals() {
            let is_excused = failovers.iter().any(|span| span.has(at));
            let (at, answer) = (timeline.seconds(at), answer.replace("\r\n", "; "));
            self.require(is_excused, || format!("{at:.1} in place of a stream: {answer}"));
        }
        let returns = crowd.returns();
        let late: Vec<&Return> = returns.iter().filter(|one| one.after > BACK_WITHIN).collect();
        self.require(late.is_empty(), || {
            let late = late.iter().map(|one| (timeline.seconds(one.lost), one.after));
            let mut late: Vec<_> = late.collect();
            late.sort_by_key(|late| std::cmp::Reverse(late.1));
            let (count, total) = (late.len(), returns.len());
            late.truncate(5);
            format!("{count} of {total} streams came back late, such as {late:?}")
        });
    }
}

/// Body without `updatedAt`, the time at which the node read the data.
fn without_update(body: &str) -> String {
    let Some((before, rest)) = body.split_once("\"updatedAt\":\"") else { return body.to_owned() };
    format!("{before}{}", rest.split_once('"').unwrap().1)
}

/// Largest number of requests that were certainly accepted within one window. Each was decided between its sending and
/// its response.
fn most_in_window(accepted: &[Accepted]) -> usize {
    let ending_with = |last: usize| {
        let within = |one: &&Accepted| accepted[last].received - one.sent < WINDOW;
        accepted[..=last].iter().rev().take_while(within).count()
    };
    (0..accepted.len()).map(ending_with).max().unwrap_or_default()
}
