use chrono::{DateTime, TimeDelta, Utc};

use crate::time::format_instant;

/// A subscription is disabled after this time of nothing but failures.
const MAX_FAILING: TimeDelta = TimeDelta::days(5);

/// How an endpoint is, judging by some attempts.
#[derive(Clone, Debug, Default)]
pub struct EndpointHealth {
    pub has_succeeded: bool,
    /// When the first failure began.
    failed_at: Option<DateTime<Utc>>,
    /// As a clause of a sentence.
    last_failure: String,
    /// It has answered 410.
    is_gone: bool,
}

impl EndpointHealth {
    pub fn succeeded(&mut self) {
        self.has_succeeded = true;
    }

    /// An attempt has failed. `outcome` is the status of the response, or why there was none.
    pub fn failed(&mut self, started_at: DateTime<Utc>, outcome: &Result<u16, String>) {
        self.failed_at = Some(self.failed_at.map_or(started_at, |at| at.min(started_at)));
        self.is_gone |= *outcome == Ok(410);
        self.last_failure = match outcome {
            Ok(status) => format!("the answer was {status}"),
            Err(error) => error.clone(),
        };
    }

    /// When the failures began, if these attempts leave the endpoint failing.
    pub fn failing_since(&self) -> Option<DateTime<Utc>> {
        self.failed_at.filter(|_| self.is_gone || !self.has_succeeded)
    }

    /// Why the subscription is to be disabled, if it is: 410, or five days of nothing but failures,
    /// which began at `since`.
    pub fn reason_to_disable(&self, since: DateTime<Utc>, now: DateTime<Utc>) -> Option<String> {
        if self.is_gone {
            return Some(format!("The receiver answered 410 Gone at {}.", format_instant(now)));
        }
        if now - since < MAX_FAILING {
            return None;
        }
        let (since, last) = (format_instant(since), self.last_failure.trim_end_matches('.'));
        Some(format!("Every delivery has failed since {since}; the last time: {last}."))
    }
}
