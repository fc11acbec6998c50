//! What the end of a request means for its lane.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::{InFlight, Lane, MAX_WIDTH, OUR_PAUSES};
use crate::{
    domain::{endpoint_health::EndpointHealth, subscription::DeliveryId},
    random::Random,
    store::{Ended, NextStep},
    webhooks::{attempt::Sent, schedule},
};

impl Lane {
    pub(in crate::webhooks::dispatcher) fn start(&mut self, event: i64, request: InFlight) {
        self.idle_since = None;
        self.in_flight.insert(event, request);
    }

    /// A request has ended. Returns what is to be written down; nothing if it does not count, and the event is
    /// sent again.
    pub(in crate::webhooks::dispatcher) fn finish(
        &mut self,
        event: i64,
        sent: Sent,
        now: DateTime<Utc>,
        elapsed: Duration,
        random: &Random,
    ) -> Option<Ended> {
        let request = self.in_flight.remove(&event)?;
        let next = if sent.answer.is_accepted() {
            self.accepted();
            NextStep::Delivered
        } else if sent.answer.is_ours {
            self.wait(elapsed);
            self.send_again(event, request);
            return None;
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
        // After a change, what is looked at next may be before it.
        if event >= self.next {
            self.skip.insert(event);
        }
        Some(Ended {
            id: DeliveryId { subscription: self.leased.seq, event },
            number: request.attempts + 1,
            started_at: sent.started_at,
            duration: sent.duration,
            outcome: sent.answer.outcome,
            next,
        })
    }

    /// A request has ended that nothing is known of.
    pub(in crate::webhooks::dispatcher) fn lose(&mut self, event: i64) {
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

    fn accepted(&mut self) {
        self.width = MAX_WIDTH.min(self.width + 1);
        self.is_proven = true;
        self.our_failures = 0;
        self.leased.health = EndpointHealth::default();
    }

    /// What follows for the event from a failure; nothing if the endpoint was paused meanwhile.
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
        let next = if is_paused {
            let until = now + schedule::next_probe(health.probes, retry_after, random);
            health.pause(until);
            // The endpoint failed, not the event.
            NextStep::Retry { at: until, failures: request.failures }
        } else {
            let failures = request.failures + 1;
            match schedule::next_try(failures, random) {
                Some(wait) => NextStep::Retry { at: now + wait, failures },
                None => NextStep::Failed { failures },
            }
        };
        self.disable = health.reason_to_disable(&sent.answer.outcome, now);
        if is_gone {
            Some(NextStep::Retry { at: now, failures: request.failures })
        } else {
            Some(next)
        }
    }

    /// Waits after a failure on our side.
    fn wait(&mut self, elapsed: Duration) {
        let (first, most) = OUR_PAUSES;
        self.waits_until = elapsed + (first * 2_u32.saturating_pow(self.our_failures)).min(most);
        self.our_failures = (self.our_failures + 1).min(8);
    }
}
