//! The dispatcher: claims what is due, sends it, records how that ended.
//!
//! One loop works in rounds. A round is one transaction: the ends of the attempts that are over,
//! and the claims of as many deliveries as there is room for. Each claimed delivery is sent by a
//! task of its own, so a slow endpoint holds up nobody: it fills its own lane and no other. A lane's
//! width grows by one with every success and falls to one with a failure, so that endpoints which
//! do not answer cannot occupy all the room, and one that comes back is not overrun.
//!
//! What is due is looked for, not announced: any process may publish, and a look is one short read.
//! While there is no active subscription the looks are rare. So the first deliveries of the first
//! subscription may be late by one such rest, wherever the subscription was made.

mod lane;

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use chrono::TimeDelta;
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use self::lane::Lane;
use super::{
    client::{Client, Post},
    schedule,
};
use crate::{
    clock::Clock,
    domain::subscription::DeliveryId,
    random::Random,
    store::{self, Claim, Claimed, Ended, NextStep, Store},
};

/// Requests at the same time, to all endpoints.
const MAX_IN_FLIGHT: usize = 1_024;
/// Endpoints that one round claims for.
const MAX_ENDPOINTS: usize = 64;
/// How long a claim lasts: the time of an attempt, and as much again to record its end.
const LEASE: TimeDelta = TimeDelta::seconds(30);
/// How often the dispatcher looks for what is due.
pub const LOOK_EVERY: Duration = Duration::from_millis(25);
/// The same while there is no active subscription.
pub const REST: Duration = Duration::from_secs(1);
/// Looking may take this part of the time: with very many subscriptions it is done less often.
const LOOK_SHARE: u32 = 20;
/// How long an attempt that has ended waits for others, to be recorded in one transaction with them.
const BATCH_WAIT: Duration = Duration::from_millis(3);
/// How many are recorded without waiting for more.
const BATCH: usize = 16;
/// The pause after the store has failed.
const STORE_PAUSE: Duration = Duration::from_secs(1);
/// How long what is in flight may take after the service is told to stop: with the time to record
/// it, within the ten seconds that all workers have.
const STOP_GRACE: Duration = Duration::from_secs(8);

/// Sends what is due.
#[derive(Debug)]
pub struct Dispatcher {
    store: Store,
    clock: Clock,
    random: Random,
    client: Arc<Client>,
    running: JoinSet<Ended>,
    /// The delivery and the lease of each task.
    in_flight: HashMap<Id, (DeliveryId, i64)>,
    lanes: HashMap<i64, Lane>,
    /// Ends that are not recorded yet.
    ended: Vec<Ended>,
    tally: Arc<Tally>,
    pause: Duration,
}

/// What the dispatcher has done since it began.
#[derive(Debug, Default)]
pub struct Tally {
    /// Attempts that a receiver accepted.
    pub delivered: AtomicU64,
    /// Attempts that failed.
    pub failed: AtomicU64,
    /// Looks for what is due.
    pub looks: AtomicU64,
}

impl Dispatcher {
    pub fn new(store: Store, clock: Clock, random: Random, client: Client) -> Self {
        Self {
            store,
            clock,
            random,
            client: Arc::new(client),
            running: JoinSet::new(),
            in_flight: HashMap::new(),
            lanes: HashMap::new(),
            ended: Vec::new(),
            tally: Arc::default(),
            pause: LOOK_EVERY,
        }
    }

    /// What it has done, and goes on doing.
    pub fn tally(&self) -> Arc<Tally> {
        Arc::clone(&self.tally)
    }

    /// Works until `stopping`; then claims nothing new, lets what is in flight end for a while, and
    /// gives the rest back.
    pub async fn run(mut self, stopping: CancellationToken) {
        loop {
            tokio::select! {
                biased;
                () = stopping.cancelled() => break,
                Some(finished) = self.running.join_next_with_id() => {
                    self.finish(finished);
                    self.wait_for_batch().await;
                }
                () = self.clock.sleep(self.pause) => {}
            }
            self.pause = match self.round().await {
                Ok(_) => self.pause,
                Err(error) => {
                    tracing::error!(%error, "webhooks are waiting: the database does not respond");
                    tokio::time::sleep(STORE_PAUSE).await;
                    LOOK_EVERY
                }
            };
        }
        self.stop().await;
    }

    /// Sends everything that is due now, and what is due again at once, to its end; returns how many
    /// attempts that were. What a test steps instead of [`Dispatcher::run`].
    pub async fn dispatch_due(&mut self) -> store::Result<usize> {
        let mut attempts = 0;
        loop {
            attempts += self.round().await?;
            match self.running.join_next_with_id().await {
                Some(finished) => {
                    self.finish(finished);
                    self.wait_for_batch().await;
                }
                None if self.ended.is_empty() => return Ok(attempts),
                None => {}
            }
        }
    }

    /// One transaction, if there is anything to write; returns how many deliveries were claimed.
    async fn round(&mut self) -> store::Result<usize> {
        let claim = Claim {
            lease: self.random.number().cast_signed(),
            duration: LEASE,
            wanted: self.wanted().await?,
        };
        if self.ended.is_empty() && claim.wanted.is_empty() {
            return Ok(0);
        }
        let round = self.store.dispatch_round(&self.ended, &claim).await?;
        self.ended.clear();
        for (subscription, reason) in round.disabled {
            tracing::warn!(subscription, reason, "a webhook subscription was disabled");
        }
        // The commit, or reading the bodies, may have taken long. Deliveries must stay leased until
        // their attempts are over.
        if round.until - self.clock.now() < LEASE / 2 {
            let claims: Vec<_> =
                round.claimed.iter().map(|claimed| (claimed.id, claimed.lease)).collect();
            self.store.release(&claims).await?;
            return Ok(0);
        }
        let claimed = round.claimed.len();
        for delivery in round.claimed {
            self.send(delivery);
        }
        Ok(claimed)
    }

    /// Which endpoints have deliveries due, and room for how many.
    async fn wanted(&mut self) -> store::Result<Vec<(i64, u32)>> {
        let mut room = MAX_IN_FLIGHT.saturating_sub(self.in_flight.len());
        if room == 0 {
            return Ok(Vec::new());
        }
        let began = self.clock.elapsed();
        let due = self.store.subscriptions_due().await?;
        self.tally.looks.fetch_add(1, Ordering::Relaxed);
        let pause = if due.is_some() { LOOK_EVERY } else { REST };
        self.pause = pause.max((self.clock.elapsed() - began) * LOOK_SHARE);
        let mut wanted = Vec::new();
        for subscription in due.unwrap_or_default() {
            let lane = self.lanes.entry(subscription).or_default();
            let claimable = lane.free().min(u32::try_from(room).unwrap_or(u32::MAX));
            if claimable > 0 {
                room -= claimable as usize;
                wanted.push((subscription, claimable));
            }
            if wanted.len() == MAX_ENDPOINTS || room == 0 {
                break;
            }
        }
        Ok(wanted)
    }

    fn send(&mut self, delivery: Claimed) {
        self.lanes.entry(delivery.id.subscription).or_default().start();
        let claim = (delivery.id, delivery.lease);
        let (client, clock) = (Arc::clone(&self.client), self.clock.clone());
        let random = self.random.clone();
        let sending = async move { attempt(&client, &clock, &random, delivery).await };
        self.in_flight.insert(self.running.spawn(sending).id(), claim);
    }

    fn finish(&mut self, finished: Result<(Id, Ended), JoinError>) {
        let id = finished.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        let Some((delivery, _)) = self.in_flight.remove(&id) else { return };
        let lane = self.lanes.entry(delivery.subscription).or_default();
        lane.finish();
        match finished {
            Ok((_, ended)) => {
                if ended.next == NextStep::Delivered {
                    lane.widen();
                    self.tally.delivered.fetch_add(1, Ordering::Relaxed);
                } else {
                    lane.narrow();
                    self.tally.failed.fetch_add(1, Ordering::Relaxed);
                }
                self.ended.push(ended);
            }
            // Its lease ends by itself.
            Err(error) => tracing::error!(%error, %delivery, "an attempt was cut short"),
        }
    }

    /// Waits a moment for more ends, to record them in one transaction.
    async fn wait_for_batch(&mut self) {
        let over = tokio::time::sleep(BATCH_WAIT);
        tokio::pin!(over);
        while self.ended.len() < BATCH {
            tokio::select! {
                Some(finished) = self.running.join_next_with_id() => self.finish(finished),
                () = &mut over => break,
            }
        }
        while let Some(finished) = self.running.try_join_next_with_id() {
            self.finish(finished);
        }
    }

    async fn stop(mut self) {
        let all_finished = async {
            while let Some(finished) = self.running.join_next_with_id().await {
                self.finish(finished);
            }
        };
        if tokio::time::timeout(STOP_GRACE, all_finished).await.is_err() {
            self.running.abort_all();
        }
        if let Err(error) = self.record_and_release().await {
            // The leases end by themselves: what was delivered is then delivered again.
            tracing::error!(%error, "the last webhook attempts could not be recorded");
        }
    }

    async fn record_and_release(&self) -> store::Result<()> {
        if !self.ended.is_empty() {
            self.store.dispatch_round(&self.ended, &Claim::NOTHING).await?;
        }
        let unfinished: Vec<_> = self.in_flight.values().copied().collect();
        if !unfinished.is_empty() {
            self.store.release(&unfinished).await?;
        }
        Ok(())
    }
}

/// Sends a delivery once.
pub async fn attempt(client: &Client, clock: &Clock, random: &Random, delivery: Claimed) -> Ended {
    let Claimed { id, lease, number, failures, event_id, body, url, secrets } = delivery;
    let (started_at, began) = (clock.now(), clock.elapsed());
    let post = Post { url: &url, secrets: &secrets, id: &event_id, now: started_at, body };
    let answer = client.post(post).await;
    let failures = failures + 1;
    let next = if answer.is_accepted() {
        NextStep::Delivered
    } else {
        match schedule::next_try(failures, answer.retry_after, random) {
            Some(wait) => NextStep::Retry { at: clock.now() + wait, failures },
            None => NextStep::Failed { failures },
        }
    };
    let duration = i64::try_from((clock.elapsed() - began).as_millis()).unwrap_or(i64::MAX);
    Ended { id, lease, number, started_at, duration, outcome: answer.outcome, next }
}

#[cfg(test)]
mod tests;
