//! Health of an endpoint, based on the attempts to reach it.

use base::time::format_instant;
use chrono::{DateTime, TimeDelta, Utc};

/// Number of consecutive failures after which an endpoint is paused.
pub const MAX_FAILURES: u32 = 5;
/// Observed failing time after which the subscription is disabled.
const MAX_FAILING: TimeDelta = TimeDelta::days(5);
/// Limit for the delay of an attempt. If the next failure comes later than planned, only this much of the delay counts
/// as failing, because the endpoint was not observed, perhaps because this service was not running.
const OVERDUE: TimeDelta = TimeDelta::hours(1);

/// Health of an endpoint; see the [module docs](self). The default is an endpoint without failures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndpointHealth {
    /// Number of consecutive failures.
    pub failures: u32,
    /// Start time of the first of these failures.
    pub failing_since: Option<DateTime<Utc>>,
    /// Start time of the last failure.
    pub last_failure_at: Option<DateTime<Utc>>,
    /// Total time during which the endpoint was observed failing.
    pub observed: TimeDelta,
    /// End of the pause. Until then nothing is sent, and then one probe.
    pub paused_until: Option<DateTime<Utc>>,
    /// Number of probes that failed in a row.
    pub probes: u32,
}

/// Events that may be sent to an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    Everything,
    /// One event, to test whether the endpoint works again.
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

    /// Records a failed attempt that began at `started_at`. Returns whether the endpoint is to be
    /// [paused](Self::pause): after several consecutive failures, or because it requested a pause.
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

    /// Pauses the endpoint, after a failed attempt or a failed probe.
    pub fn pause(&mut self, until: DateTime<Utc>) {
        self.paused_until = Some(until);
        self.probes = self.probes.saturating_add(1);
    }

    /// Whether the endpoint is paused because it requested that, and no probe was sent since.
    pub fn is_asked_for(&self) -> bool {
        self.paused_until.is_some() && self.probes == 1 && self.failures < MAX_FAILURES
    }

    /// Returns the reason for disabling the subscription, if there is one: the response was 410, or all attempts of
    /// five days failed. `outcome` is that of the last attempt.
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
    fn the_fifth_failure_in_a_row_pauses_and_so_does_one_that_asks_for_it() {
        let mut health = EndpointHealth::default();
        let paused: Vec<bool> = (0..6).map(|_| health.failed(at(0), false)).collect();
        assert_eq!(paused, [false, false, false, false, true, true]);
        assert!(EndpointHealth::default().failed(at(0), true));
    }

    #[test]
    fn a_paused_endpoint_gets_nothing_and_then_a_probe() {
        let mut health = EndpointHealth::default();
        assert_eq!(health.sending(at(0)), Sending::Everything);
        health.pause(at(1));
        assert_eq!(
            [0, 1, 2].map(|hours| health.sending(at(hours))),
            [Sending::Nothing, Sending::Probe, Sending::Probe]
        );
    }

    #[test]
    fn five_days_of_hourly_failures_disable_and_not_an_hour_less() {
        let mut health = EndpointHealth::default();
        for hour in 0..120 {
            health.failed(at(hour), false);
            health.pause(at(hour + 1));
            assert_eq!(reason(&health), None, "{hour}");
        }
        health.failed(at(120), false);
        let expected = "Every delivery has failed since 2026-03-01T12:00:00.000Z; the last time: the \
                        answer was 500.";
        assert_eq!(reason(&health), Some(expected.to_owned()));
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
