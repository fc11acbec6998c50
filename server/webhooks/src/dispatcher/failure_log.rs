//! Log of endpoints: failures, limited per subscription so that one that always fails does not hide the others, and
//! the start and end of pauses. It contains the partner and the host, never the path, which may be secret.

use std::{collections::HashMap, time::Duration};

use base::time::format_instant;
use chrono::{DateTime, Utc};
use domain::subscription::DeliveryId;
use store::Leased;

use crate::{client::Answer, url};

/// Minimum time between two logged failures of a subscription.
const LOG_EVERY: Duration = Duration::from_secs(60);
/// Number of subscriptions from which on expired entries are removed.
const MAX_REMEMBERED: usize = 10_000;

/// State of the logged failures.
#[derive(Debug, Default)]
pub(super) struct FailureLog {
    /// Entries by number of the subscription.
    last: HashMap<i64, Last>,
}

/// Time from which the next failure may be logged, and number of failures since the last logged one.
#[derive(Debug, Default)]
struct Last {
    next: Duration,
    unlogged: u64,
}

impl FailureLog {
    pub(super) fn note(&mut self, elapsed: Duration, of: &Leased, event: i64, answer: &Answer) {
        if self.last.len() >= MAX_REMEMBERED {
            self.last.retain(|_, last| elapsed < last.next);
        }
        let last = self.last.entry(of.seq).or_default();
        if elapsed < last.next {
            last.unlogged += 1;
            return;
        }
        let why = match &answer.outcome {
            Ok(status) => format!("the response was {status}"),
            Err(error) => error.clone(),
        };
        let unlogged = std::mem::take(&mut last.unlogged);
        last.next = elapsed + LOG_EVERY;
        let Leased { id: subscription, partner, seq, .. } = of;
        tracing::warn!(
            subscription,
            partner,
            host = url::host(&of.url),
            delivery = %DeliveryId { subscription: *seq, event },
            why,
            on_our_side = answer.is_ours,
            unlogged,
            "a webhook was not delivered"
        );
    }
}

/// Logs the start or the end of an endpoint's pause. `before` is the previous end of the pause.
pub(super) fn note_pause(of: &Leased, before: Option<DateTime<Utc>>) {
    let Leased { id: subscription, partner, .. } = of;
    match (before, of.health.paused_until) {
        (None, Some(until)) => tracing::warn!(
            subscription,
            partner,
            host = url::host(&of.url),
            until = format_instant(until),
            "an endpoint is paused: its events wait"
        ),
        (Some(_), None) => tracing::info!(
            subscription,
            partner,
            host = url::host(&of.url),
            "an endpoint accepts webhooks again: what has waited is sent"
        ),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatcher::testing::subscription;

    #[test]
    fn of_the_failures_of_each_subscription_one_a_minute_is_logged_with_the_number_of_the_others() {
        let answer = Answer { outcome: Ok(500), is_ours: false, retry_after: None, response: None };
        let mut log = FailureLog::default();
        let [one, other] = [1, 2].map(subscription);
        let unlogged = [0, 10, 59, 60, 61, 300].map(|seconds| {
            log.note(Duration::from_secs(seconds), &one, 7, &answer);
            log.last[&1].unlogged
        });
        assert_eq!(unlogged, [0, 1, 2, 0, 1, 0]);
        log.note(Duration::from_secs(301), &other, 7, &answer);
        assert_eq!(log.last[&2].unlogged, 0, "others are not hidden");
    }

    #[test]
    fn what_is_remembered_of_very_many_subscriptions_is_bounded() {
        let answer = Answer { outcome: Ok(500), is_ours: false, retry_after: None, response: None };
        let mut log = FailureLog::default();
        for seq in 0..30_000 {
            log.note(
                Duration::from_millis(10) * u32::try_from(seq).unwrap(),
                &subscription(seq),
                7,
                &answer,
            );
        }
        assert!(log.last.len() <= MAX_REMEMBERED, "{}", log.last.len());
    }
}
