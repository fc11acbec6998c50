//! Checks of the responses that clients have received.

use std::time::{Duration, Instant};

use super::{
    NODES,
    crowd::{Crowd, Return},
    timeline::Timeline,
    traffic::{Accepted, FailedRequest, Traffic},
};

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
    pub(super) fn has(&self, at: Instant) -> bool {
        self.begin <= at && at <= self.end
    }
}

/// Descriptions of failed checks.
#[derive(Default)]
pub(super) struct Failures(pub(super) Vec<String>);

impl Failures {
    pub(super) fn require(&mut self, is_met: bool, otherwise: impl FnOnce() -> String) {
        if !is_met {
            self.0.push(otherwise());
        }
    }

    /// Checks that requests failed only during `failovers`, and only with the expected response, or while all nodes
    /// were down.
    pub(super) fn answers(
        &mut self,
        traffic: &Traffic,
        failovers: &[Span],
        without_nodes: &[Span],
        timeline: &Timeline,
    ) {
        let failed_requests = traffic.failed_requests();
        let is_excused = |trouble: &FailedRequest| {
            let overlaps = |span: &Span| trouble.sent <= span.end && span.begin <= trouble.received;
            let in_failover = failovers.iter().any(overlaps);
            let without_nodes = without_nodes.iter().any(overlaps);
            let is_unavailable = trouble.answer.starts_with("503 retry-after=")
                && trouble.answer.ends_with(" UNAVAILABLE");
            without_nodes || in_failover && is_unavailable && !trouble.answer.contains("= ")
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

    /// Checks that the limit was exact between outages of Redis.
    pub(super) fn limits_between(&mut self, accepted: &[Accepted], outages: &[Span]) {
        let mut rest = accepted;
        for outage in outages {
            let before = rest.partition_point(|one| one.received < outage.begin);
            let after = rest.partition_point(|one| one.sent <= outage.end);
            self.limit(&rest[..before]);
            rest = &rest[after..];
        }
        self.limit(rest);
        self.require(!accepted.is_empty(), || "nothing was accepted".to_owned());
    }

    fn limit(&mut self, accepted: &[Accepted]) {
        let most = most_in_window(accepted);
        self.require(most <= LIMIT, || {
            format!("{most} requests of a client were accepted in a minute")
        });
    }

    /// Checks that streams were refused, and had errors, only during `outages`.
    pub(super) fn streams(&mut self, crowd: &Crowd, outages: &[Span], timeline: &Timeline) {
        let is_excused = |at: Instant| outages.iter().any(|span| span.has(at));
        for (at, answer) in crowd.refusals() {
            let (seconds, answer) = (timeline.seconds(at), answer.replace("\r\n", "; "));
            self.require(is_excused(at), || format!("{seconds:.1} in place of a stream: {answer}"));
        }
        let errors: Vec<Instant> = crowd.errors();
        let unexcused: Vec<f64> = errors
            .iter()
            .filter(|at| !is_excused(**at))
            .map(|at| timeline.seconds(*at))
            .take(10)
            .collect();
        self.require(unexcused.is_empty(), || format!("streams had errors at {unexcused:?}"));
    }

    /// Checks that lost streams came back soon.
    pub(super) fn late_streams(&mut self, crowd: &Crowd, timeline: &Timeline) {
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

/// Largest number of requests that were certainly accepted within one window. Each was decided between its sending and
/// its response.
fn most_in_window(accepted: &[Accepted]) -> usize {
    let ending_with = |last: usize| {
        let within = |one: &&Accepted| accepted[last].received - one.sent < WINDOW;
        accepted[..=last].iter().rev().take_while(within).count()
    };
    (0..accepted.len()).map(ending_with).max().unwrap_or_default()
}
