//! The health of an endpoint, judging by the attempts to reach it.

use base::time::format_instant;
use chrono::{DateTime, TimeDelta, Utc};

/// An endpoint is paused after so many failures in a row.
const MAX_FAILURES: u32 = 5;
/// A subscription is disabled after its endpoint was seen failing for so long.
const MAX_FAILING: TimeDelta = TimeDelta::days(5);
/// A longer time between two failures than was planned counts up to this: what happened in the rest of it,
/// while this service was perhaps not running, nobody has seen.
const OVERDUE: TimeDelta = TimeDelta::hours(1);

/// See the [module](self). That of an endpoint that does not fail is the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndpointHealth {
    /// Failures in a row.
    pub failures: u32,
    /// When the first of them began.
    pub failing_since: Option<DateTime<Utc>>,
    /// When the last one began.
    pub last_failure_at: Option<DateTime<Utc>>,
    /// For how long it was seen failing.
    pub observed: TimeDelta,
    /// Until then nothing is sent, and then one probe.
    pub paused_until: Option<DateTime<Utc>>,
    /// How many probes have failed in a row.
    pub probes: u32,
}

/// What may be sent to an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    Everything,
    /// One event, to see whether the endpoint is well again.
    Probe,
    Nothing,
}

impl EndpointHealth {
    pub fn sending(&self, now: DateTime<Utc>) -> Sending {
        match self.paused_until {
            None => Sending::Everything,
            Some(until) if until <= now => Sending::Probe,
            Some(_) => Sending::Nothing,
        }
    }

    /// An attempt has failed that began at `started_at`. Returns whether the endpoint is to be
    /// [paused](Self::pause): after several failures in a row, or because it asks for it.
    pub fn failed(&mut self, started_at: DateTime<Utc>, asks_for_pause: bool) -> bool {
        if let Some(last) = self.last_failure_at {
            let planned = self.paused_until.map_or(TimeDelta::zero(), |until| until - last);
            let seen = (started_at - last).min(planned.max(TimeDelta::zero()) + OVERDUE);
            self.observed += seen.max(TimeDelta::zero());
        }
        self.failing_since.get_or_insert(started_at);
        self.last_failure_at = self.last_failure_at.max(Some(started_at));
        self.failures = self.failures.saturating_add(1);
        asks_for_pause || self.failures >= MAX_FAILURES
    }

    /// Pauses the endpoint, after a failure or after a probe that failed.
    pub fn pause(&mut self, until: DateTime<Utc>) {
        self.paused_until = Some(until);
        self.probes = self.probes.saturating_add(1);
    }

    /// Whether it is paused because it has asked for that, and was not probed since.
    pub fn is_asked_for(&self) -> bool {
        self.paused_until.is_some() && self.probes == 1 && self.failures < MAX_FAILURES
    }

    /// Why the subscription is to be disabled, if it is: the response was 410, or there were five days of
    /// nothing but failures. `outcome` is that of the last attempt.
    pub fn reason_to_disable(
        &self,
        outcome: &Result<u16, String>,
        now: DateTime<Utc>,
    ) -> Option<String> {
        if *outcome == Ok(410) {
            return Some(format!("The receiver answered 410 Gone at {}.", format_instant(now)));
        }
        let since = self.failing_since.filter(|_| self.observed >= MAX_FAILING)?;
        let last = match outcome {
            Ok(status) => format!("the answer was {status}"),
            Err(error) => error.trim_end_matches('.').to_owned(),
        };
        let since = format_instant(since);
        Some(format!("Every delivery has failed since {since}; the last time: {last}."))
    }
}

#[cfg(test)]
mod tests {
    use base::time::parse_instant;

    use super::*;

    fn at(hours: i64) -> DateTime<Utc> {
        parse_instant("2026-03-01T12:00:00Z").unwrap() + TimeDelta::hours(hours)
    }

    fn reason(health: &EndpointHealth) -> Option<String> {
        health.reason_to_disable(&Ok(500), at(0))
    }

    #[test]
    fn days_in_which_nothing_was_tried_do_not_count() {
        let mut health = EndpointHealth::default();
        health.failed(at(0), false);
        health.pause(at(2));
        health.failed(at(1_000), false);
        assert_eq!(health.observed, TimeDelta::hours(3));
        assert_eq!(reason(&health), None);
    }

    #[test]
    fn a_long_pause_that_was_asked_for_counts() {
        let mut health = EndpointHealth::default();
        for day in 0..=5 {
            assert_eq!(reason(&health), None, "{day}");
            health.failed(at(day * 24), true);
            health.pause(at((day + 1) * 24));
        }
        assert!(reason(&health).is_some());
    }

    #[test]
    fn a_clock_that_was_set_back_takes_nothing_away() {
        let mut health = EndpointHealth::default();
        health.failed(at(5), false);
        health.failed(at(0), false);
        assert_eq!((health.observed, health.last_failure_at), (TimeDelta::zero(), Some(at(5))));
    }
}
