//! The log of failed deliveries, which is limited: a thousand dead endpoints fail very often.

use std::time::Duration;

use crate::{domain::subscription::DeliveryId, webhooks::client::Answer};

/// How often a failed delivery is logged.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// When a failed delivery was logged, and how many since were not.
#[derive(Debug, Default)]
pub(super) struct FailureLog {
    next: Duration,
    unlogged: u64,
}

impl FailureLog {
    pub(super) fn note(
        &mut self,
        elapsed: Duration,
        subscription: &str,
        delivery: DeliveryId,
        answer: &Answer,
    ) {
        if elapsed < self.next {
            self.unlogged += 1;
            return;
        }
        let why = match &answer.outcome {
            Ok(status) => format!("the response was {status}"),
            Err(error) => error.clone(),
        };
        let unlogged = std::mem::take(&mut self.unlogged);
        let on_our_side = answer.is_ours;
        tracing::warn!(
            subscription,
            %delivery,
            why,
            on_our_side,
            unlogged,
            "a webhook was not delivered"
        );
        self.next = elapsed + LOG_EVERY;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn of_many_failures_one_a_second_is_logged_with_the_number_of_the_others() {
        let delivery = DeliveryId { subscription: 1, event: 2 };
        let answer = Answer { outcome: Ok(500), is_ours: false, retry_after: None };
        let mut log = FailureLog::default();
        let unlogged = [0, 400, 999, 1_000, 1_500, 5_000].map(|millis| {
            log.note(Duration::from_millis(millis), "sub_A", delivery, &answer);
            log.unlogged
        });
        assert_eq!(unlogged, [0, 1, 2, 0, 1, 0]);
    }
}
