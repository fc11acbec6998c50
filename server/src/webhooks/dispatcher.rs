//! The dispatcher: leases subscriptions that have work, sends what they are to get, and writes down how that
//! ended.
//!
//! One loop works in rounds. Now and then it looks for subscriptions that have work and that nobody has
//! leased. Each that it leases gets a [`Lane`]. Events are sent by tasks of their own, so that a slow
//! endpoint holds up nobody: it fills its own lane and no other, and all that are slow or fail share a
//! quarter of the [room](capacity). Results are written down together, with the leases that are taken and
//! given up.
//!
//! What is to be sent is looked for, not announced: any process may publish, and a look is one short read.
//! While there is no active subscription the looks are rare. So the first deliveries of the first
//! subscription may be late by one such rest, wherever the subscription was made.

mod capacity;
mod lane;
mod pages;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use tokio::task::{Id, JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use self::{
    capacity::{Capacity, Load},
    lane::{Finished, InFlight, Lane},
    pages::Pages,
};
use super::client::{Answer, Client, Post};
use crate::{
    clock::Clock,
    domain::{signature::Secrets, subscription::DeliveryId},
    random::Random,
    store::{self, Ended, Held, Look, QueuedEvent, Round, RoundDone, Store},
};

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
/// How often a failed delivery is logged.
const LOG_EVERY: Duration = Duration::from_secs(1);
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
    running: JoinSet<Sent>,
    /// What each task sends.
    in_flight: HashMap<Id, Sending>,
    /// How many lanes there have been.
    lanes_made: u64,
    /// Results that are not written yet.
    ended: Vec<Ended>,
    tally: Arc<Tally>,
    /// When it looks again, and how long that takes.
    next_look: Duration,
    /// Whether it has not looked through everything yet.
    is_behind: bool,
    log: FailureLog,
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

/// What a task sends.
#[derive(Clone, Copy, Debug)]
struct Sending {
    seq: i64,
    event: i64,
    /// The number of the lane.
    lane: u64,
}

/// When a failed delivery was logged, and how many since were not.
#[derive(Debug, Default)]
struct FailureLog {
    next: Duration,
    unlogged: u64,
}

impl FailureLog {
    fn note(
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

impl Dispatcher {
    pub fn new(store: Store, clock: Clock, random: Random, client: Client) -> Self {
        Self {
            pages: Pages::new(store.clone()),
            store,
            clock,
            owner: random.number().cast_signed(),
            random,
            client: Arc::new(client),
            lanes: BTreeMap::new(),
            filled: 0,
            newest: 0,
            running: JoinSet::new(),
            in_flight: HashMap::new(),
            lanes_made: 0,
            ended: Vec::new(),
            tally: Arc::default(),
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
                () = self.clock.sleep(pause) => {}
            }
            if let Err(error) = self.round(false).await {
                tracing::error!(%error, "webhooks are waiting: the database does not respond");
                tokio::time::sleep(STORE_PAUSE).await;
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

    async fn look(&mut self) -> store::Result<Look> {
        let began = self.clock.elapsed();
        let look = self.store.look(self.owner).await?;
        self.tally.looks.fetch_add(1, Ordering::Relaxed);
        let ended = self.clock.elapsed();
        let pause = if look.is_anybody_there { LOOK_EVERY } else { REST };
        self.next_look = ended + pause.max((ended - began) * LOOK_SHARE);
        self.newest = look.newest;
        // What somebody else has taken over, or what was deleted, is theirs.
        let held: HashMap<i64, &Held> = look.held.iter().map(|held| (held.seq, held)).collect();
        self.lanes.retain(|seq, lane| {
            let Some(held) = held.get(seq) else { return false };
            lane.is_active = held.is_active;
            lane.is_due = held.is_due;
            true
        });
        Ok(look)
    }

    /// Takes what is to be written now.
    fn take_round(&mut self, look: Option<&Look>) -> Round {
        let (now, elapsed) = (self.clock.now(), self.clock.elapsed());
        let mut round = Round {
            owner: self.owner,
            lease: LEASE,
            ended: std::mem::take(&mut self.ended),
            ..Round::default()
        };
        for (seq, lane) in &mut self.lanes {
            let is_done = look.is_some() && lane.is_done(self.newest, now, elapsed, IDLE);
            if is_done {
                round.release.push(*seq);
            }
            if is_done || lane.is_dirty() {
                round.checkpoints.push(lane.checkpoint());
            }
            round.renew |= look.is_some() && !is_done && lane.until - now < RENEWED;
        }
        if let Some(look) = look {
            let forgotten = look.held.iter().filter(|held| !self.lanes.contains_key(&held.seq));
            round.release.extend(forgotten.map(|held| held.seq));
            round.take.clone_from(&look.free);
        }
        round
    }

    async fn write(&mut self, round: Round) -> store::Result<()> {
        let written = match self.store.dispatch_round(&round).await {
            Ok(written) => written,
            Err(error) => {
                // What was not written is written with the next round.
                self.ended = round.ended;
                self.lanes.values_mut().for_each(Lane::write_again);
                return Err(error);
            }
        };
        let RoundDone { taken, until, kept, disabled } = written;
        for (subscription, reason) in disabled {
            tracing::warn!(subscription, reason, "a webhook subscription was disabled");
        }
        for seq in &round.release {
            self.lanes.remove(seq);
        }
        if let Some(kept) = kept {
            self.lanes.retain(|seq, _| kept.contains(seq));
            self.lanes.values_mut().for_each(|lane| lane.until = until);
        }
        for leased in taken {
            let after = leased.cursor.max(leased.replayed_up_to);
            let skip = self.store.delivered_after(leased.seq, after).await?;
            self.lanes_made += 1;
            self.lanes.insert(leased.seq, Lane::new(self.lanes_made, leased, skip, until));
        }
        Ok(())
    }

    /// Takes over what was changed of leased subscriptions. All results are written by now.
    async fn reload_changed(&mut self, look: &Look) -> store::Result<()> {
        let (now, elapsed) = (self.clock.now(), self.clock.elapsed());
        for held in &look.held {
            let lane = self.lanes.get_mut(&held.seq);
            if !lane.is_some_and(|lane| lane.is_outdated(held.revision, now, elapsed)) {
                continue;
            }
            let Some(leased) = self.store.leased_anew(held.seq).await? else { continue };
            let after = leased.cursor.max(leased.replayed_up_to);
            let skip = self.store.delivered_after(leased.seq, after).await?;
            if let Some(lane) = self.lanes.get_mut(&held.seq) {
                lane.change(leased, skip);
            }
        }
        Ok(())
    }

    /// Sends as much as there is room for.
    async fn fill(&mut self) -> store::Result<usize> {
        let (now, elapsed) = (self.clock.now(), self.clock.elapsed());
        let newest = self.newest;
        let is_hungry = |lane: &Lane| {
            lane.until - now >= NEEDED && lane.free(now, elapsed) > 0 && lane.has_work(newest)
        };
        let mut capacity = Capacity::new(self.lanes.values().map(|lane| Load {
            is_doubtful: lane.is_doubtful(elapsed),
            in_flight: lane.in_flight(),
            is_hungry: is_hungry(lane),
        }));
        let (before, after): (Vec<i64>, Vec<i64>) = self
            .lanes
            .iter()
            .filter(|(_, lane)| is_hungry(lane))
            .map(|(seq, _)| *seq)
            .partition(|seq| *seq <= self.filled);
        self.is_behind = false;
        let mut begun = 0;
        for seq in after.into_iter().chain(before) {
            let Some(lane) = self.lanes.get(&seq) else { continue };
            let is_doubtful = lane.is_doubtful(elapsed);
            let share = capacity.share(is_doubtful, lane.free(now, elapsed));
            if share == 0 {
                continue;
            }
            let sent = self.fill_lane(seq, share).await?;
            capacity.give_back(is_doubtful, share - sent.min(share));
            begun += sent;
            self.filled = seq;
        }
        Ok(begun)
    }

    /// Sends up to `most` events of one subscription.
    async fn fill_lane(&mut self, seq: i64, most: usize) -> store::Result<usize> {
        let is_probe = self.lanes.get(&seq).is_some_and(Lane::is_probing);
        let mut begun = 0;
        // A probe is an event that has not failed yet, if there is one: it may be the event that fails.
        let order = if is_probe { [false, true] } else { [true, false] };
        for retries in order {
            let left = most - begun;
            if left == 0 {
                break;
            }
            let found = match retries {
                true => self.retries(seq, left, is_probe).await?,
                false => self.unsent(seq, left, is_probe).await?,
            };
            begun += found.len();
            for (event, request) in found {
                self.send(seq, event, request);
            }
        }
        Ok(begun)
    }

    /// Events that are to be sent again.
    async fn retries(
        &mut self,
        seq: i64,
        most: usize,
        is_probe: bool,
    ) -> store::Result<Vec<(Arc<QueuedEvent>, InFlight)>> {
        let Some(lane) = self.lanes.get_mut(&seq).filter(|lane| lane.is_due) else {
            return Ok(Vec::new());
        };
        let limit = most + lane.in_flight();
        let due = self.store.due_deliveries(seq, limit).await?;
        lane.is_due = due.len() == limit;
        let due = due.into_iter().filter(|due| lane.may_retry(due)).take(most);
        let due: HashMap<i64, _> = due.map(|due| (due.event, due)).collect();
        let numbers: Vec<i64> = due.keys().copied().collect();
        let events = self.store.events_numbered(&numbers).await?;
        let began = self.clock.elapsed();
        let found = events.into_iter().filter_map(|event| {
            let due = due.get(&event.seq)?;
            let failures = u32::try_from(due.failures).unwrap_or(u32::MAX);
            let request =
                InFlight { began, attempts: due.attempts, failures, is_new: false, is_probe };
            Some((Arc::new(event), request))
        });
        Ok(found.collect())
    }

    /// Events that the subscription has not been sent.
    async fn unsent(
        &mut self,
        seq: i64,
        most: usize,
        is_probe: bool,
    ) -> store::Result<Vec<(Arc<QueuedEvent>, InFlight)>> {
        let Some(lane) = self.lanes.get_mut(&seq) else { return Ok(Vec::new()) };
        let again = lane.take_again(most);
        let mut found: Vec<Arc<QueuedEvent>> = match again.as_slice() {
            [] => Vec::new(),
            again => self.store.events_numbered(again).await?.into_iter().map(Arc::new).collect(),
        };
        for _ in 0..PAGES_AT_ONCE {
            if found.len() >= most || lane.next() > self.newest {
                break;
            }
            let page = self.pages.with(lane.next(), self.newest).await?;
            found.extend(lane.scan(&page.events, page.last.min(self.newest), most - found.len()));
        }
        self.is_behind |= found.len() < most && lane.next() <= self.newest;
        let replayed_up_to = lane.leased().replayed_up_to;
        let replayed: Vec<i64> =
            found.iter().map(|event| event.seq).filter(|seq| *seq <= replayed_up_to).collect();
        let attempts = match replayed.as_slice() {
            [] => HashMap::new(),
            replayed => self.store.attempts_of(seq, replayed).await?,
        };
        let began = self.clock.elapsed();
        let request = |event: &QueuedEvent| InFlight {
            began,
            attempts: attempts.get(&event.seq).copied().unwrap_or(0),
            failures: 0,
            is_new: true,
            is_probe,
        };
        Ok(found.into_iter().map(|event| (Arc::clone(&event), request(&event))).collect())
    }

    fn send(&mut self, seq: i64, event: Arc<QueuedEvent>, request: InFlight) {
        let Some(lane) = self.lanes.get_mut(&seq) else { return };
        let Some(secrets) = lane.leased().secrets.clone() else { return };
        lane.start(event.seq, request);
        let (number, url) = (event.seq, lane.leased().url.clone());
        let (client, clock) = (Arc::clone(&self.client), self.clock.clone());
        let sending = async move {
            send(&client, &clock, &url, &secrets, &event.id, event.body.clone()).await
        };
        let sent = Sending { seq, event: number, lane: lane.number() };
        self.in_flight.insert(self.running.spawn(sending).id(), sent);
    }

    fn finish(&mut self, finished: Result<(Id, Sent), JoinError>) {
        let id = finished.as_ref().map_or_else(JoinError::id, |(id, _)| *id);
        let Some(Sending { seq, event, lane }) = self.in_flight.remove(&id) else { return };
        // The lease may have been lost since, and taken again.
        let lane = self.lanes.get_mut(&seq).filter(|known| known.number() == lane);
        let Some(lane) = lane else { return };
        let sent = match finished {
            Ok((_, sent)) => sent,
            Err(error) => {
                tracing::error!(%error, seq, event, "an attempt was cut short");
                return lane.lose(event);
            }
        };
        let elapsed = self.clock.elapsed();
        if sent.answer.is_accepted() {
            self.tally.delivered.fetch_add(1, Ordering::Relaxed);
        } else {
            self.tally.failed.fetch_add(1, Ordering::Relaxed);
            let delivery = DeliveryId { subscription: seq, event };
            self.log.note(elapsed, &lane.leased().id, delivery, &sent.answer);
        }
        match lane.finish(event, sent, self.clock.now(), elapsed, &self.random) {
            Finished::Ended(ended) => self.ended.push(ended),
            Finished::NotCounted => {}
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
        if let Err(error) = self.release_all().await {
            // The leases end by themselves: what was delivered is then delivered again.
            tracing::error!(%error, "the last webhook attempts could not be recorded");
        }
    }

    /// Writes all results down and gives all leases back.
    async fn release_all(&mut self) -> store::Result<()> {
        let round = Round {
            owner: self.owner,
            lease: LEASE,
            ended: std::mem::take(&mut self.ended),
            checkpoints: self.lanes.values_mut().map(Lane::checkpoint).collect(),
            release: self.lanes.keys().copied().collect(),
            ..Round::default()
        };
        self.lanes.clear();
        if !round.release.is_empty() {
            self.store.dispatch_round(&round).await?;
        }
        Ok(())
    }
}

/// What became of a request.
#[derive(Clone, Debug)]
pub struct Sent {
    pub started_at: DateTime<Utc>,
    /// In milliseconds.
    pub duration: i64,
    pub answer: Answer,
}

/// Sends an event once.
pub async fn send(
    client: &Client,
    clock: &Clock,
    url: &str,
    secrets: &Secrets,
    event: &str,
    body: bytes::Bytes,
) -> Sent {
    let (started_at, began) = (clock.now(), clock.elapsed());
    let answer = client.post(Post { url, secrets, id: event, now: started_at, body }).await;
    let duration = i64::try_from((clock.elapsed() - began).as_millis()).unwrap_or(i64::MAX);
    Sent { started_at, duration, answer }
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
