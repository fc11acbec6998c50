//! Many followers of streams.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use anyhow::{Context as _, Result};
use tokio::{sync::watch, task::JoinSet, time};

use super::follow::{Target, follow};
use crate::statistics::milliseconds;

/// Followers of one target. They stop when this is dropped.
pub(super) struct Crowd {
    target: Target,
    /// Number of the first follower.
    first: u32,
    tally: Arc<Tally>,
    /// Number of calls of [`Crowd::come_back`]. A follower that has lost its stream waits for the
    /// next one.
    calls: watch::Sender<u64>,
    followers: JoinSet<()>,
}

/// Observations of all followers.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) live: AtomicU64,
    /// Number of responses with the status 429.
    pub(super) refusals: AtomicU64,
    /// Other responses, failed connections and ended streams, with the number of each.
    errors: Mutex<BTreeMap<String, u64>>,
    lateness: Mutex<Vec<f64>>,
}

impl Tally {
    pub(super) fn error(&self, what: impl ToString) {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        *errors.entry(what.to_string()).or_default() += 1;
    }

    pub(super) fn late_by(&self, lateness: Duration) {
        self.lateness.lock().unwrap_or_else(PoisonError::into_inner).push(milliseconds(lateness));
    }
}

impl Crowd {
    pub(super) fn new(target: Target) -> Self {
        Self::from(target, 0)
    }

    /// A crowd whose source addresses begin with that of the follower `first`.
    pub(super) fn from(target: Target, first: u32) -> Self {
        let calls = watch::Sender::new(0);
        Self { target, first, tally: Arc::default(), calls, followers: JoinSet::new() }
    }

    /// Opens streams until there are `count`, evenly spread over `within`.
    pub(super) async fn open(&mut self, count: u32, within: Duration) {
        let first = u32::try_from(self.followers.len()).unwrap_or(u32::MAX);
        let gap = within / count.saturating_sub(first).max(1);
        let mut turns = time::interval(gap);
        for number in first..count {
            turns.tick().await;
            let tally = Arc::clone(&self.tally);
            let number = self.first + number;
            self.followers.spawn(follow(self.target, number, tally, self.calls.subscribe()));
        }
    }

    /// Waits until all streams have received something.
    pub(super) async fn all_live(&self, timeout: Duration) -> Result<()> {
        let count = self.followers.len() as u64;
        self.live_is(count, timeout).await.with_context(|| {
            let live = self.tally.live.load(Relaxed);
            let (refusals, errors) = (self.refusals(), self.errors());
            format!("{live} of {count} streams are live; {refusals} refusals, errors {errors:?}")
        })
    }

    /// Waits until all followers have lost their stream, which does not count as an error.
    pub(super) async fn all_lost(&self, timeout: Duration) -> Result<()> {
        self.live_is(0, timeout).await?;
        self.tally.errors.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Ok(())
    }

    async fn live_is(&self, count: u64, timeout: Duration) -> Result<()> {
        let mut looks = time::interval(Duration::from_millis(5));
        let waiting = async {
            while self.tally.live.load(Relaxed) != count {
                looks.tick().await;
            }
        };
        Ok(time::timeout(timeout, waiting).await?)
    }

    /// All followers that lost their stream reconnect at once.
    pub(super) fn come_back(&self) {
        self.calls.send_modify(|calls| *calls += 1);
    }

    /// Delays of the ticks since the last call, ms.
    pub(super) fn take_lateness(&self) -> Vec<f64> {
        std::mem::take(&mut self.tally.lateness.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn refusals(&self) -> u64 {
        self.tally.refusals.load(Relaxed)
    }

    pub(super) fn errors(&self) -> BTreeMap<String, u64> {
        self.tally.errors.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
