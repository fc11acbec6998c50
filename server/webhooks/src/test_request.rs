//! Tests of an endpoint: a test event is sent to a subscription once, now, and the attempt is recorded.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use base::clock::Clock;
use domain::endpoint_health::EndpointHealth;
use limits::{Slot, Slots};
use store::{self, Ended, NextStep, Store, TestEvent};

use super::{attempt, client::Client};

/// How long after the start of a test the next one of the same subscription may start.
pub const PAUSE: Duration = Duration::from_secs(5);

/// A test that is over.
#[derive(Clone, Debug)]
pub struct Tested {
    pub ended: Ended,
    /// Why the subscription is disabled now, if the test did that.
    pub disabled: Option<String>,
}

/// Sends a test event to the subscription with this number and id. `None` if it has been deleted, or cannot
/// be read.
pub async fn send(
    store: &Store,
    client: &Client,
    clock: &Clock,
    seq: i64,
    subscription: &str,
) -> store::Result<Option<Tested>> {
    // Without it nothing can be sent.
    store.subscriptions().check_secret(subscription).await?;
    let Some(leased) = store.deliveries().leased_anew(seq).await? else { return Ok(None) };
    let Some(secrets) = leased.secrets else { return Ok(None) };
    let TestEvent { id, event } = store.begin_test(leased.seq, &leased.id).await?;
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
    let outcome = sent.answer.outcome;
    let gone = EndpointHealth::default().reason_to_disable(&outcome, clock.now());
    let ended = Ended {
        id,
        number: 1,
        started_at: sent.started_at,
        duration: sent.duration,
        outcome,
        // Whoever tests wants to know now: it is not tried again.
        next: if is_accepted { NextStep::Delivered } else { NextStep::Failed { failures: 1 } },
    };
    let is_disabled = store.end_test(&ended, gone.as_deref()).await?;
    Ok(Some(Tested { ended, disabled: gone.filter(|_| is_disabled) }))
}

/// Limits the tests of each subscription to one at a time and one every [`PAUSE`], so that nobody can use
/// the service to flood an endpoint. Clones count together.
#[derive(Clone, Debug)]
pub struct TestLimits {
    clock: Clock,
    running: Slots<i64>,
    /// By the number of the subscription: when its next test may start.
    next: Arc<Mutex<HashMap<i64, Duration>>>,
}

impl TestLimits {
    pub fn new(clock: Clock) -> Self {
        Self { clock, running: Slots::default(), next: Arc::default() }
    }

    /// Starts a test, which is running until the slot is dropped.
    ///
    /// # Errors
    /// How long to wait if it is too early.
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
        // The first is still running.
        assert_eq!(turns.take(1).err(), Some(PAUSE));
        drop(first);
        assert!(turns.take(1).is_ok());
    }
}
