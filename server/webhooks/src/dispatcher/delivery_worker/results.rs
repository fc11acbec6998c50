//! Effects of a finished request on its worker.

use std::time::Duration;

use base::random::Random;
use chrono::{DateTime, Utc};
use domain::{endpoint_health::EndpointHealth, subscription::DeliveryId};
use store::{Ended, NextStep, QueuedEvent};

use super::{DeliveryWorker, InFlight, MAX_WIDTH, OUR_PAUSES};
use crate::{attempt::Sent, schedule};

impl DeliveryWorker {
    pub(in crate::dispatcher) fn start(&mut self, event: &QueuedEvent, request: InFlight) {
        self.idle_since = None;
        self.order.begin(event.seq, event.report.as_ref());
        self.in_flight.insert(event.seq, request);
    }

    /// Handles the end of a request. Returns the result to record; `None` if it does not count, and the event is sent
    /// again.
    pub(in crate::dispatcher) fn finish(
        &mut self,
        event: i64,
        sent: Sent,
        now: DateTime<Utc>,
        elapsed: Duration,
        random: &Random,
    ) -> Option<Ended> {
        let request = self.in_flight.remove(&event)?;
        let next = if sent.answer.is_accepted() {
            self.accepted(request, now);
            NextStep::Delivered
        } else if sent.answer.is_ours {
            self.wait(elapsed);
            // The endpoint is known to fail, and the next probe may be another event.
            if request.is_probe {
                self.send_again(event, request);
                return None;
            }
            self.is_due = true;
            NextStep::Again { at: now, failures: request.failures }
        } else {
            self.width = (self.width / 2).max(1);
            self.is_proven = false;
            let Some(next) = self.failed(request, &sent, now, random) else {
                self.send_again(event, request);
                return None;
            };
            next
        };
        self.is_dirty = true;
        let is_over = matches!(next, NextStep::Delivered | NextStep::Failed { .. });
        if request.is_replayed && is_over {
            self.send_again(event, request);
        } else if event >= self.next {
            // After a replay, the next event to scan may be before this one.
            self.skip.insert(event);
        }
        if is_over && !request.is_replayed {
            self.again.extend(self.order.end(event));
        }
        Some(Ended {
            id: DeliveryId { subscription: self.leased.seq, event },
            number: request.attempts + 1,
            started_at: sent.started_at,
            duration: sent.duration,
            outcome: sent.answer.outcome,
            response: sent.answer.response,
            next,
        })
    }

    /// Handles a request whose task panicked or was cancelled: its result is unknown.
    pub(in crate::dispatcher) fn lose(&mut self, event: i64) {
        if let Some(request) = self.in_flight.remove(&event) {
            self.send_again(event, request);
        }
    }

    fn send_again(&mut self, event: i64, request: InFlight) {
        if request.is_new && event < self.next {
            self.again.insert(event);
        }
        self.is_due |= !request.is_new;
    }

    fn accepted(&mut self, request: InFlight, now: DateTime<Utc>) {
        self.width = MAX_WIDTH.min(self.width + 1);
        self.is_proven = true;
        self.our_failures = 0;
        // A receiver that requested a pause gets it, even if it accepts requests in flight.
        let is_asked = self.asked_until.is_some_and(|until| now < until);
        if request.is_probe || !is_asked {
            self.leased.health = EndpointHealth::default();
        }
    }

    /// Next step for an event that failed; `None` if the endpoint was paused in the meantime.
    fn failed(
        &mut self,
        request: InFlight,
        sent: &Sent,
        now: DateTime<Utc>,
        random: &Random,
    ) -> Option<NextStep> {
        let health = &mut self.leased.health;
        let is_gone = sent.answer.outcome == Ok(410);
        if health.paused_until.is_some() && !request.is_probe && !is_gone {
            return None;
        }
        let retry_after = sent.answer.retry_after;
        let is_paused = health.failed(sent.started_at, retry_after.is_some());
        let next = if is_paused || request.is_probe {
            let until = now + schedule::next_probe(health.probes, retry_after, random);
            health.pause(until);
            if retry_after.is_some() {
                self.asked_until = Some(until);
            }
            // The endpoint failed, not the event, unless others were accepted since the event was refused.
            match retry_after.is_some() && !request.is_new && !request.is_probe {
                true => next_step(request, now, Some(until), random),
                false => NextStep::Retry { at: until, failures: request.failures },
            }
        } else {
            next_step(request, now, None, random)
        };
        // The first reason stays: after a 410, nothing else counts.
        let reason = health.reason_to_disable(&sent.answer.outcome, now);
        self.disable = self.disable.take().or(reason);
        if is_gone {
            Some(NextStep::Retry { at: now, failures: request.failures })
        } else {
            Some(next)
        }
    }

    /// Waits after a failure on the service's own side.
    fn wait(&mut self, elapsed: Duration) {
        // Requests that fail together count as one failure.
        if elapsed < self.waits_until {
            return;
        }
        let (first, most) = OUR_PAUSES;
        self.waits_until = elapsed + (first * 2_u32.saturating_pow(self.our_failures)).min(most);
        self.our_failures = (self.our_failures + 1).min(8);
    }
}

/// Next step after a failure of the event itself. Nothing is sent before `paused_until`.
fn next_step(
    request: InFlight,
    now: DateTime<Utc>,
    paused_until: Option<DateTime<Utc>>,
    random: &Random,
) -> NextStep {
    let failures = request.failures + 1;
    match schedule::next_try(failures, random) {
        Some(wait) => {
            let at = now + wait;
            NextStep::Retry { at: paused_until.map_or(at, |until| at.max(until)), failures }
        }
        None => NextStep::Failed { failures },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::dispatcher::testing::subscription;

    fn worker() -> DeliveryWorker {
        DeliveryWorker::new(1, subscription(1), BTreeSet::new(), Vec::new(), DateTime::UNIX_EPOCH)
    }

    #[test]
    fn requests_that_fail_together_on_our_side_are_one_failure() {
        let mut worker = worker();
        let seconds = [0, 0, 0, 1, 1, 3, 3, 7].map(|second| {
            worker.wait(Duration::from_secs(second));
            worker.waits_until.as_secs()
        });
        assert_eq!(seconds, [1, 1, 1, 3, 3, 7, 7, 15]);
        for _ in 0..20 {
            worker.wait(worker.waits_until);
        }
        let until = worker.waits_until;
        worker.wait(until);
        assert_eq!(worker.waits_until - until, Duration::from_secs(60));
    }
}
