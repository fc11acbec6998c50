//! The dispatcher: leases subscriptions that have work, sends what they are to get, and writes down how that
//! ended.
//!
//! One loop works in rounds. Now and then it looks for subscriptions that have work and that nobody has
//! leased. Each that it leases gets a [`Lane`]. Events are sent by tasks of their own, so that a slow
//! endpoint holds up nobody: it fills its own lane and no other, and all that are slow or fail share a
//! quarter of the [room](capacity). Results are written down together, with the leases that are taken and
//! given up.
//!
//! What is to be sent is looked for: any process may publish, and a look is one short read. Where the database
//! announces changes, the next look comes at once after one, and the others are less frequent. While there is no active subscription the looks are rare. So the first deliveries of the first
//! subscription may be late by one such rest, wherever the subscription was made.

mod capacity;
mod failure_log;
mod lane;
mod leasing;
mod pages;
mod sending;
mod tally;
#[cfg(test)]
mod testing;

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::Duration,
};

use base::{clock::Clock, random::Random};
use chrono::TimeDelta;
use store::{self, Ended, Round, Store};
use tokio::{
    sync::watch,
    task::{Id, JoinError, JoinSet},
};
use tokio_util::sync::CancellationToken;

pub use self::tally::Tally;
use self::{
    failure_log::{FailureLog, note_pause},
    lane::Lane,
    pages::Pages,
};
use super::{attempt::Sent, client::Client};

/// How long a lease lasts: what a process that has died was working on is taken over then.
const LEASE: TimeDelta = TimeDelta::seconds(25);
/// A lease that ends earlier is renewed.
const RENEWED: TimeDelta = TimeDelta::seconds(20);
/// Nothing is sent if the lease ends earlier: a little more than an attempt can take.
const NEEDED: TimeDelta = TimeDelta::seconds(16);
/// How long a lease is kept without anything to do.
const IDLE: Duration = Duration::from_secs(2);
/// How often the dispatcher looks for work.
pub const LOOK_EVERY: Duration = Duration::from_millis(25);
/// The same while the database announces what is published: for what is due by time.
const LOOK_WHILE_LISTENING: Duration = Duration::from_millis(200);
/// The same while there is no active subscription.
pub const REST: Duration = Duration::from_secs(1);
/// Looking may take this part of the time: with very many subscriptions it is done less often.
const LOOK_SHARE: u32 = 20;
/// How long an attempt that has ended waits for others, to be recorded in one transaction with them.
const BATCH_WAIT: Duration = Duration::from_millis(3);
/// How many are recorded without waiting for more.
const BATCH: usize = 16;
/// Pages of the log that are looked through for a subscription before it is another one's turn.
const PAGES_AT_ONCE: usize = 8;
/// The pause after the store has failed.
const STORE_PAUSE: Duration = Duration::from_secs(1);
/// How long what is in flight may take after the service is told to stop: with the time to record
/// it, within the ten seconds that all workers have.
const STOP_GRACE: Duration = Duration::from_secs(8);

/// Sends what is to be sent.
#[derive(Debug)]
pub struct Dispatcher {
    store: Store,
    clock: Clock,
    random: Random,
    client: Arc<Client>,
    pages: Pages,
    /// Tells its leases from those of others.
    owner: i64,
    /// By the number of the subscription.
    lanes: BTreeMap<i64, Lane>,
    /// The lane that was filled last: the next ones come first.
    filled: i64,
    /// The number of the newest event.
    newest: i64,
    /// Which history everything here is about.
    history: i64,
    running: JoinSet<Sent>,
    /// What each task sends.
    in_flight: HashMap<Id, Sending>,
    /// How many lanes there have been.
    lanes_made: u64,
    /// Results that are not written yet.
    ended: Vec<Ended>,
    tally: Arc<Tally>,
    /// When it has looked, and when it looks again.
    looked_at: Duration,
    next_look: Duration,
    /// Changes of the data that are announced.
    changes: watch::Receiver<()>,
    /// Whether it has not looked through everything yet.
    is_behind: bool,
    log: FailureLog,
}

/// What a task sends.
#[derive(Clone, Copy, Debug)]
struct Sending {
    seq: i64,
    event: i64,
    /// The number of the lane.
    lane: u64,
}

impl Dispatcher {
    pub fn new(store: Store, clock: Clock, random: Random, client: Client) -> Self {
        Self {
            pages: Pages::new(store.clone()),
            changes: store.data_changes(),
            store,
            clock,
            owner: random.number().cast_signed(),
            random,
            client: Arc::new(client),
            lanes: BTreeMap::new(),
            filled: 0,
            newest: 0,
            history: 0,
            running: JoinSet::new(),
            in_flight: HashMap::new(),
            lanes_made: 0,
            ended: Vec::new(),
            tally: Arc::default(),
            looked_at: Duration::ZERO,
            next_look: Duration::ZERO,
            is_behind: false,
            log: FailureLog::default(),
        }
    }

    /// What it has done, and goes on doing.
    pub fn tally(&self) -> Arc<Tally> {
        Arc::clone(&self.tally)
    }

    /// Works until `stopping`; then begins nothing new, lets what is in flight end for a while, and gives
    /// its leases back.
    pub async fn run(mut self, stopping: CancellationToken) {
        // The first look comes after a moment, so that a service has started by then.
        self.next_look = self.clock.elapsed() + LOOK_EVERY;
        let mut failing = false;
        loop {
            let pause = match self.is_behind {
                true => Duration::ZERO,
                false => self.next_look.saturating_sub(self.clock.elapsed()),
            };
            tokio::select! {
                biased;
                () = stopping.cancelled() => break,
                Some(finished) = self.running.join_next_with_id() => {
                    self.finish(finished);
                    self.wait_for_batch().await;
                }
                Ok(()) = self.changes.changed() => self.look_soon(),
                () = self.clock.sleep(pause) => {}
            }
            match self.round(false).await {
                Err(error) => {
                    if !std::mem::replace(&mut failing, true) {
                        tracing::error!(%error, "webhooks are waiting: the database does not respond");
                    }
                    tokio::time::sleep(STORE_PAUSE).await;
                }
                Ok(_) if std::mem::take(&mut failing) => {
                    tracing::info!("webhooks are sent again: the database responds");
                }
                Ok(_) => {}
            }
        }
        self.stop().await;
    }

    /// Sends everything that is to be sent now, and what is to be sent again at once, to its end, and gives
    /// the leases back; returns how many attempts that were. What a test steps instead of
    /// [`Dispatcher::run`].
    pub async fn dispatch_due(&mut self) -> store::Result<usize> {
        let mut attempts = 0;
        loop {
            let sent = self.round(true).await?;
            attempts += sent;
            match self.running.join_next_with_id().await {
                Some(finished) => {
                    self.finish(finished);
                    self.wait_for_batch().await;
                }
                None if sent == 0 && !self.is_behind && self.ended.is_empty() => {
                    self.release_all().await?;
                    return Ok(attempts);
                }
                None => {}
            }
        }
    }

    /// Looks for work if it is time or `look` says so, writes what there is to be written, and sends;
    /// returns how many requests were begun.
    async fn round(&mut self, look: bool) -> store::Result<usize> {
        let look = if look || self.clock.elapsed() >= self.next_look {
            Some(self.look().await?)
        } else {
            None
        };
        let round = self.take_round(look.as_ref());
        let moves = !round.take.is_empty() || !round.release.is_empty();
        if !round.is_empty() {
            self.write(round).await?;
        }
        if let Some(look) = look {
            self.reload_changed(&look).await?;
        }
        let begun = self.fill().await?;
        // There may be more that nobody has leased, or nobody has any more.
        self.is_behind |= moves;
        Ok(begun)
    }

    fn finish(&mut self, finished: Result<(Id, Sent), JoinError>) {
        let id = finished.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        let Some(Sending { seq, event, lane }) = self.in_flight.remove(&id) else { return };
        // The lease may have been lost since, and taken again.
        let lane = self.lanes.get_mut(&seq).filter(|known| known.number == lane);
        let Some(lane) = lane else { return };
        let sent = match finished {
            Ok((_, sent)) => sent,
            Err(error) => {
                tracing::error!(%error, seq, event, "an attempt was cut short");
                return lane.lose(event);
            }
        };
        let elapsed = self.clock.elapsed();
        self.tally.count_attempt(&sent);
        if !sent.answer.is_accepted() {
            self.log.note(elapsed, lane.leased(), event, &sent.answer);
        }
        let paused_before = lane.health().paused_until;
        let ended = lane.finish(event, sent, self.clock.now(), elapsed, &self.random);
        note_pause(lane.leased(), paused_before);
        if let Some(ended) = &ended {
            self.tally.count_delivery(ended.next);
        }
        self.ended.extend(ended);
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
        if let Err(error) = self.release_all().await {
            // The leases end by themselves: what was delivered is then delivered again.
            tracing::error!(%error, "the last webhook attempts could not be recorded");
        }
    }

    /// Writes all results down and gives all leases back.
    async fn release_all(&mut self) -> store::Result<()> {
        let round = Round {
            owner: self.owner,
            history: self.history,
            lease: LEASE,
            ended: std::mem::take(&mut self.ended),
            checkpoints: self.lanes.values_mut().map(Lane::checkpoint).collect(),
            release: self.lanes.keys().copied().collect(),
            ..Round::default()
        };
        self.lanes.clear();
        if !round.release.is_empty() {
            self.store.deliveries().dispatch_round(&round).await?;
        }
        Ok(())
    }
}
