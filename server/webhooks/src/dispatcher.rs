//! Dispatcher: leases subscriptions that have work, sends their events, and records the results.
//!
//! One loop works in rounds. From time to time it polls the store for subscriptions that have work and that nobody
//! has leased. Each leased subscription gets a [`DeliveryWorker`]. Each event is sent by its own task, so a slow
//! endpoint delays nobody else: it occupies only its own worker, and all slow or failing endpoints share a quarter of
//! the [capacity](capacity). Results are recorded together with the leases that are taken and released.
//!
//! The dispatcher polls because any process may publish, and a poll is one short read. If the database announces
//! changes, the dispatcher polls at once after a change, and otherwise less often. Without an active subscription, it
//! polls rarely, so the first deliveries of the first subscription may be late by one [`REST`].

mod capacity;
mod delivery_worker;
mod event_pages;
mod failure_log;
mod leasing;
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
    delivery_worker::DeliveryWorker,
    event_pages::EventPages,
    failure_log::{FailureLog, note_pause},
};
use super::{attempt::Sent, client::Client};

/// Duration of a lease, after which the work of a dead process is taken over.
const LEASE: TimeDelta = TimeDelta::seconds(25);
/// Remaining time below which a lease is renewed.
const RENEWED: TimeDelta = TimeDelta::seconds(20);
/// Remaining time of a lease below which nothing is sent: a little more than an attempt can take.
const NEEDED: TimeDelta = TimeDelta::seconds(16);
/// Time for which a lease without work is kept.
const IDLE: Duration = Duration::from_secs(2);
/// Interval between polls for work.
pub const POLL_INTERVAL: Duration = Duration::from_millis(25);
/// Interval between polls while the database announces published events: only for work that is due by time.
const POLL_INTERVAL_WHILE_LISTENING: Duration = Duration::from_millis(200);
/// Interval between polls while there is no active subscription.
pub const REST: Duration = Duration::from_secs(1);
/// Inverse of the maximum share of time that polls take. With very many subscriptions, polls are less frequent.
const POLL_SHARE: u32 = 20;
/// Time for which a finished attempt waits for others, to be recorded with them in one transaction.
const BATCH_WAIT: Duration = Duration::from_millis(3);
/// Minimum number of results that are recorded without waiting for more, and inverse of the share of all requests in
/// flight that is enough if it is more, so that hundreds of requests in flight do not cause as many transactions.
const BATCH: usize = 16;
const BATCH_SHARE: usize = 4;
/// Maximum number of pages of the log that are scanned for a subscription before the next one gets its turn.
const PAGES_AT_ONCE: usize = 8;
/// Pause after an error of the store.
const STORE_PAUSE: Duration = Duration::from_secs(1);
/// Maximum time of attempts in flight after the service begins to stop. Together with the time to record them, it is
/// within the ten seconds that all workers have.
const STOP_GRACE: Duration = Duration::from_secs(8);

/// Sends events to subscriptions that have work.
#[derive(Debug)]
pub struct Dispatcher {
    store: Store,
    clock: Clock,
    random: Random,
    client: Arc<Client>,
    pages: EventPages,
    /// Id that distinguishes this dispatcher's leases from those of others.
    owner: i64,
    /// Workers by number of the subscription.
    workers: BTreeMap<i64, DeliveryWorker>,
    /// Worker that got events last: the next round starts after it.
    filled: i64,
    /// Number of the newest event.
    newest: i64,
    /// Id of the log's history that all of this state is about.
    history: i64,
    running: JoinSet<Sent>,
    /// Request of each task.
    in_flight: HashMap<Id, Sending>,
    /// Number of workers created so far.
    lanes_made: u64,
    /// Results that are not recorded yet.
    ended: Vec<Ended>,
    tally: Arc<Tally>,
    /// Times of the last poll and the next one.
    looked_at: Duration,
    next_look: Duration,
    /// Announced changes of the data.
    changes: watch::Receiver<()>,
    /// Whether there is more to scan.
    is_behind: bool,
    log: FailureLog,
}

/// Request of a task.
#[derive(Clone, Copy, Debug)]
struct Sending {
    seq: i64,
    event: i64,
    /// Number of the worker.
    worker: u64,
}

impl Dispatcher {
    pub fn new(store: Store, clock: Clock, random: Random, client: Client) -> Self {
        Self {
            pages: EventPages::new(store.clone()),
            changes: store.data_changes(),
            store,
            clock,
            owner: random.number().cast_signed(),
            random,
            client: Arc::new(client),
            workers: BTreeMap::new(),
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

    /// Counters of the dispatcher, which it keeps updating.
    pub fn tally(&self) -> Arc<Tally> {
        Arc::clone(&self.tally)
    }

    /// Works until `stopping`. Then it starts nothing new, gives attempts in flight some time to end, and releases
    /// its leases.
    pub async fn run(mut self, stopping: CancellationToken) {
        // The first poll comes after a moment, so that the service has started by then.
        self.next_look = self.clock.elapsed() + POLL_INTERVAL;
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
                Ok(()) = self.changes.changed() => self.poll_soon(),
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

    /// Sends everything that is due, and everything that becomes due through that, waits for the results and releases
    /// the leases. Returns the number of attempts. For tests, instead of [`Dispatcher::run`].
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

    /// Runs one round: polls for work if it is time or `find_work` is set, records results, and sends. Returns the
    /// number of requests begun.
    async fn round(&mut self, find_work: bool) -> store::Result<usize> {
        let find_work = if find_work || self.clock.elapsed() >= self.next_look {
            Some(self.find_work().await?)
        } else {
            None
        };
        let round = self.take_round(find_work.as_ref());
        let moves = !round.take.is_empty() || !round.release.is_empty();
        if !round.is_empty() {
            self.write(round).await?;
        }
        if let Some(find_work) = find_work {
            self.reload_changed(&find_work).await?;
        }
        let begun = self.fill().await?;
        // There may be more subscriptions without a lease.
        self.is_behind |= moves;
        Ok(begun)
    }

    fn finish(&mut self, finished: Result<(Id, Sent), JoinError>) {
        let id = finished.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        let Some(Sending { seq, event, worker }) = self.in_flight.remove(&id) else { return };
        // The lease may have been lost since, and taken again.
        let worker = self.workers.get_mut(&seq).filter(|known| known.number == worker);
        let Some(worker) = worker else { return };
        let sent = match finished {
            Ok((_, sent)) => sent,
            Err(error) => {
                tracing::error!(%error, seq, event, "an attempt was cut short");
                return worker.lose(event);
            }
        };
        let elapsed = self.clock.elapsed();
        self.tally.count_attempt(&sent);
        if !sent.answer.is_accepted() {
            self.log.note(elapsed, worker.leased(), event, &sent.answer);
        }
        let paused_before = worker.health().paused_until;
        let ended = worker.finish(event, sent, self.clock.now(), elapsed, &self.random);
        note_pause(worker.leased(), paused_before);
        if let Some(ended) = &ended {
            self.tally.count_delivery(ended.next);
        }
        self.ended.extend(ended);
    }

    /// Waits a moment for more results, to record them in one transaction.
    async fn wait_for_batch(&mut self) {
        let over = tokio::time::sleep(BATCH_WAIT);
        tokio::pin!(over);
        let enough = BATCH.max(self.running.len() / BATCH_SHARE);
        while self.ended.len() < enough {
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
            // The leases expire. Delivered events are then delivered again.
            tracing::error!(%error, "the last webhook attempts could not be recorded");
        }
    }

    /// Records all results and releases all leases.
    async fn release_all(&mut self) -> store::Result<()> {
        let round = Round {
            owner: self.owner,
            history: self.history,
            lease: LEASE,
            ended: std::mem::take(&mut self.ended),
            checkpoints: self.workers.values_mut().map(DeliveryWorker::checkpoint).collect(),
            release: self.workers.keys().copied().collect(),
            ..Round::default()
        };
        self.workers.clear();
        if !round.release.is_empty() {
            self.store.deliveries().dispatch_round(&round).await?;
        }
        Ok(())
    }
}
