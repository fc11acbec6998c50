use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use base::histogram::{Counted, Histogram};
use store::NextStep;

use crate::{attempt::Sent, client::Answer};

/// Outcomes of an attempt: the class of the response's status, or no response.
const OUTCOMES: [&str; 5] = ["2xx", "3xx", "4xx", "5xx", "no_response"];

/// Counters of the dispatcher since its start.
#[derive(Debug, Default)]
pub struct Tally {
    accepted: AtomicU64,
    failed: AtomicU64,
    durations: [Histogram; OUTCOMES.len()],
    delivered: AtomicU64,
    given_up: AtomicU64,
    /// Number of polls for work.
    pub polls: AtomicU64,
}

impl Tally {
    pub(super) fn count_attempt(&self, sent: &Sent) {
        let attempts = if sent.answer.is_accepted() { &self.accepted } else { &self.failed };
        attempts.fetch_add(1, Ordering::Relaxed);
        if let Some(durations) = self.durations.get(outcome(&sent.answer)) {
            durations.record(Duration::from_millis(u64::try_from(sent.duration).unwrap_or(0)));
        }
    }

    pub(super) fn count_delivery(&self, next: NextStep) {
        let deliveries = match next {
            NextStep::Delivered => &self.delivered,
            NextStep::Failed { .. } => &self.given_up,
            NextStep::Retry { .. } | NextStep::Again { .. } => return,
        };
        deliveries.fetch_add(1, Ordering::Relaxed);
    }

    /// Number of attempts that a receiver accepted.
    pub fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::Relaxed)
    }

    /// Number of attempts that failed.
    pub fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }

    /// Durations of attempts by outcome; without outcomes that did not occur.
    pub fn durations(&self) -> impl Iterator<Item = (&'static str, Counted)> {
        let counted = OUTCOMES.iter().zip(&self.durations);
        let counted = counted.map(|(outcome, durations)| (*outcome, durations.counted()));
        counted.filter(|(_, durations)| durations.count() > 0)
    }

    /// Number of finished deliveries by result.
    pub fn deliveries(&self) -> [(&'static str, u64); 2] {
        [("delivered", &self.delivered), ("failed", &self.given_up)]
            .map(|(outcome, count)| (outcome, count.load(Ordering::Relaxed)))
    }
}

/// Outcome as an index into [`OUTCOMES`].
fn outcome(answer: &Answer) -> usize {
    match answer.outcome {
        Ok(status @ 200..=499) => usize::from(status / 100) - 2,
        Ok(_) => 3,
        Err(_) => 4,
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn sent(outcome: Result<u16, String>) -> Sent {
        let answer = Answer { outcome, is_ours: false, retry_after: None, response: None };
        Sent { started_at: DateTime::UNIX_EPOCH, duration: 40, answer }
    }

    #[test]
    fn attempts_are_counted_by_what_came_back() {
        let tally = Tally::default();
        let none = || Err("no connection".to_owned());
        for outcome in [Ok(200), Ok(204), Ok(301), Ok(404), Ok(410), Ok(500), Ok(599), none()] {
            tally.count_attempt(&sent(outcome));
        }
        let counts: Vec<_> =
            tally.durations().map(|(outcome, counted)| (outcome, counted.count())).collect();
        assert_eq!(counts, [("2xx", 2), ("3xx", 1), ("4xx", 2), ("5xx", 2), ("no_response", 1)]);
        let sums = tally.durations().map(|(_, counted)| counted.sum);
        assert_eq!(sums.sum::<Duration>(), Duration::from_millis(8 * 40));
        assert_eq!((tally.accepted(), tally.failed()), (2, 6));
    }

    #[test]
    fn a_delivery_is_counted_when_it_is_over() {
        let tally = Tally::default();
        let again = NextStep::Retry { at: DateTime::UNIX_EPOCH, failures: 1 };
        for next in [NextStep::Delivered, again, NextStep::Failed { failures: 8 }, again] {
            tally.count_delivery(next);
        }
        assert_eq!(tally.deliveries(), [("delivered", 1), ("failed", 1)]);
    }
}
