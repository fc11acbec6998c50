//! Tests of an endpoint: sends a test event to a subscription once, at once, and records the attempt.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use base::clock::Clock;
use domain::{endpoint_health::EndpointHealth, event::Sample};
use limits::{Slot, Slots};
use store::{self, Ended, NextStep, Store, TestEvent};

use super::{
    attempt,
    client::{Answer, Client},
};

/// Minimum time between the starts of two tests of a subscription.
pub const PAUSE: Duration = Duration::from_secs(5);

/// Result of a test.
#[derive(Clone, Debug)]
pub struct Tested {
    pub ended: Ended,
    /// Reason for which the test disabled the subscription, if it did.
    pub disabled: Option<String>,
}

/// Sends a test event to the subscription with this number and id: `sample`, or else a `webhook.test`. `None` if the
/// subscription was deleted or is unreadable.
pub async fn send(
    store: &Store,
    client: &Client,
    clock: &Clock,
    seq: i64,
    subscription: &str,
    sample: Option<&Sample>,
) -> store::Result<Option<Tested>> {
    // Nothing can be sent without the secret.
    store.subscriptions().check_secret(subscription).await?;
    let Some(leased) = store.deliveries().leased_anew(seq).await? else { return Ok(None) };
    let Some(secrets) = leased.secrets else { return Ok(None) };
    let TestEvent { id, event } = store.begin_test(leased.seq, &leased.id, sample).await?;
    let sent = attempt::send(
        client,
        clock,
        &leased.url,
        &secrets,
        (id.event, &event.id),
        event.body.into(),
    )
    .await;
    let is_accepted = sent.answer.is_accepted();
    let Answer { outcome, response, .. } = sent.answer;
    let gone = EndpointHealth::default().reason_to_disable(&outcome, clock.now());
    let ended = Ended {
        id,
        number: 1,
        started_at: sent.started_at,
        duration: sent.duration,
        outcome,
        response,
        // Not retried: the caller needs the result at once.
        next: if is_accepted { NextStep::Delivered } else { NextStep::Failed { failures: 1 } },
    };
    let is_disabled = store.end_test(&ended, gone.as_deref()).await?;
    Ok(Some(Tested { ended, disabled: gone.filter(|_| is_disabled) }))
}

/// Limits the tests of each subscription to one at a time and one every [`PAUSE`], so that nobody can use the service
/// to flood an endpoint. Clones share their counts.
#[derive(Clone, Debug)]
pub struct TestLimits {
    clock: Clock,
    running: Slots<i64>,
    /// Time from which the next test may start, by number of the subscription.
    next: Arc<Mutex<HashMap<i64, Duration>>>,
}

impl TestLimits {
    pub fn new(clock: Clock) -> Self {
        Self { clock, running: Slots::default(), next: Arc::default() }
    }

    /// Starts a test, which runs until the slot is dropped.
    ///
    /// # Errors
    /// Time to wait, if it is too early.
    pub fn take(&self, subscription: i64) -> Result<Slot, Duration> {
        let now = self.clock.elapsed();
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        next.retain(|_, next| *next > now);
        if let Some(next) = next.get(&subscription) {
            return Err(next.saturating_sub(now));
        }
        let slot = self.running.take(subscription, Some(1)).ok_or(PAUSE)?;
        next.insert(subscription, now + PAUSE);
        Ok(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_of_one_subscription_wait_for_each_other_and_for_the_pause() {
        let clock = Clock::stepped(chrono::DateTime::UNIX_EPOCH);
        let turns = TestLimits::new(clock.clone());
        let first = turns.take(1).unwrap();
        assert_eq!(turns.take(1).err(), Some(PAUSE));
        assert!(turns.clone().take(2).is_ok());
        clock.advance(PAUSE - Duration::from_secs(1));
        assert_eq!(turns.take(1).err(), Some(Duration::from_secs(1)));
        clock.advance(Duration::from_secs(2));
        // The first test is still running.
        assert_eq!(turns.take(1).err(), Some(PAUSE));
        drop(first);
        assert!(turns.take(1).is_ok());
    }
}
