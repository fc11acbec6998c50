//! The snapshot: the unfiltered counters and the newest reports, as the bytes that all clients get.
//!
//! One task per node polls the data version and the UTC date. When one of them changes, it reads and serializes both
//! answers once, together with the frame of the stream. Readers read the current snapshot without a lock. When a read
//! fails, the last good answers stay, the frame becomes the `error` event, and the next poll tries again. If a poll
//! hangs or the task has ended, [`Snapshots::age`] grows.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use arc_swap::ArcSwap;
use base::clock::Clock;
use bytes::Bytes;
use chrono::NaiveDate;
use model::Metrics;
use store::{self, LastChange, ReportsQuery, Store, Versioned};
use tokio::sync::{Mutex, watch};

use crate::{
    responses::{CachedResponse, ReportPage, and_one, frame},
    watchdog::Watchdog,
};

/// Interval of the polls for the data version.
pub const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Delay after an announced change, so that many changes at once cause only a few reads.
const OTHERS: Duration = Duration::from_millis(30);
/// Age at which the snapshot counts as out of date: twenty polls are missing.
pub const MAX_AGE: Duration = Duration::from_secs(5);
/// Default number of reports in the recent list.
pub const RECENT: u32 = 20;

/// All unfiltered answers of one data version and date.
#[derive(Debug)]
pub struct Snapshot {
    /// Last change in the snapshot.
    pub last: LastChange,
    pub today: NaiveDate,
    pub metrics: Arc<CachedResponse<Metrics>>,
    pub reports: Arc<CachedResponse<ReportPage>>,
    /// One tick of the stream.
    pub frame: Bytes,
}

impl Snapshot {
    /// State of the data and the day; answers computed from the same state never change.
    pub fn state(&self) -> DataState {
        (self.last.era, self.last.version, self.today)
    }
}

/// See [`Snapshot::state`].
pub type DataState = (u64, i64, NaiveDate);

/// State for readers: the last good snapshot, and whether the last poll failed.
#[derive(Clone, Debug)]
pub struct Current {
    pub snapshot: Arc<Snapshot>,
    /// Set while reading fails.
    pub failing: bool,
}

impl Current {
    /// Returns the frame of a tick that is sent now.
    pub fn frame(&self) -> Bytes {
        if self.failing { frame::failed() } else { self.snapshot.frame.clone() }
    }
}

/// Keeps the current snapshot. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Snapshots {
    store: Store,
    clock: Clock,
    current: Arc<ArcSwap<Current>>,
    /// Start of the last successful poll, in milliseconds of [`Clock::elapsed`].
    looked_at: Arc<AtomicU64>,
    /// Incremented with every change of `current`.
    changes: Arc<watch::Sender<u64>>,
    /// Held during a poll: of two concurrent polls, the one that began earlier could end later.
    looking: Arc<Mutex<()>>,
    watchdog: Watchdog,
}

impl Snapshots {
    /// Reads the first snapshot.
    pub async fn start(store: Store, clock: Clock) -> store::Result<Self> {
        let looked_at = Arc::new(AtomicU64::new(millis(clock.elapsed())));
        let snapshot = Arc::new(read(&store, clock.now().date_naive()).await?);
        let current = Arc::new(ArcSwap::from_pointee(Current { snapshot, failing: false }));
        let changes = Arc::new(watch::Sender::new(0));
        Ok(Self {
            store,
            clock,
            current,
            looked_at,
            changes,
            looking: Arc::default(),
            watchdog: Watchdog::default(),
        })
    }

    /// Makes [`watch`](Snapshots::watch) send heartbeats to this watchdog.
    #[must_use]
    pub fn with_watchdog(self, watchdog: Watchdog) -> Self {
        Self { watchdog, ..self }
    }

    /// Time since the snapshot was known to be current: since the start of the last successful poll. A poll in progress
    /// does not count, however slow it is.
    pub fn age(&self) -> Duration {
        let looked_at = Duration::from_millis(self.looked_at.load(Ordering::Relaxed));
        self.clock.elapsed().saturating_sub(looked_at)
    }

    /// Returns the current state.
    pub fn current(&self) -> arc_swap::Guard<Arc<Current>> {
        self.current.load()
    }

    /// Returns a receiver that is notified of every change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Reads a new snapshot if the data or the date has changed.
    pub async fn refresh(&self) {
        self.refresh_if(|_| true).await;
    }

    /// Reads a new snapshot if this one is older than `last`.
    pub(super) async fn reach(&self, last: &LastChange) {
        if self.current().snapshot.last.is_before(last) {
            // Another poll may have read it in the meantime.
            self.refresh_if(|snapshot| snapshot.last.is_before(last)).await;
        }
    }

    async fn refresh_if(&self, is_wanted: impl Fn(&Snapshot) -> bool) {
        let _looking = self.looking.lock().await;
        if !is_wanted(&self.current().snapshot) {
            return;
        }
        let began = millis(self.clock.elapsed());
        let before = self.current.load_full();
        let next = match self.watchdog.waiting(self.read_if_changed(&before.snapshot)).await {
            Ok(newer) => {
                self.looked_at.fetch_max(began, Ordering::Relaxed);
                if newer.is_none() && !before.failing {
                    return;
                }
                // A snapshot of the same data and date stays, also after a failure.
                let snapshot = newer.unwrap_or_else(|| before.snapshot.clone());
                if before.failing {
                    tracing::info!(
                        version = snapshot.last.version,
                        "the snapshot is up to date again"
                    );
                }
                Current { snapshot, failing: false }
            }
            Err(error) => {
                if before.failing {
                    return;
                }
                tracing::error!(%error, "the snapshot could not be refreshed");
                Current { snapshot: before.snapshot.clone(), failing: true }
            }
        };
        self.current.store(Arc::new(next));
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// Refreshes forever: soon after an announced change, and at the poll interval.
    pub async fn watch(&self) {
        let mut changes = self.store.data_changes();
        loop {
            tokio::select! {
                () = self.clock.sleep(POLL_INTERVAL) => {}
                Ok(()) = changes.changed() => tokio::time::sleep(OTHERS).await,
            }
            changes.mark_unchanged();
            self.refresh().await;
            self.watchdog.feed();
        }
    }

    async fn read_if_changed(&self, before: &Snapshot) -> store::Result<Option<Arc<Snapshot>>> {
        let last = self.store.last_change().await?;
        let today = self.clock.now().date_naive();
        // Any difference counts, not only later changes: after a failover, the new database server may lack the last
        // ones.
        if last == before.last && today == before.today {
            return Ok(None);
        }
        Ok(Some(Arc::new(read(&self.store, today).await?)))
    }
}

async fn read(store: &Store, today: NaiveDate) -> store::Result<Snapshot> {
    let query = ReportsQuery::newest(RECENT);
    let Versioned { value: (counters, reports), last } =
        store.reports().overview(&and_one(&query), today).await?;
    let metrics = CachedResponse::of_metrics(counters.shown(last.seen_since(today)));
    let reports = CachedResponse::of_page(reports, &query);
    let frame = frame::tick(&metrics.sent.body, &reports.sent.body);
    Ok(Snapshot { last, today, metrics: Arc::new(metrics), reports: Arc::new(reports), frame })
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::SeqCst;

    use base::time::instant_of_millis;
    use store::{Missing, open_url};

    use super::*;
    use crate::watchdog::tests::counting;

    #[tokio::test]
    async fn a_worker_that_does_not_get_on_feeds_no_watchdog() {
        let (watchdog, fed) = counting();
        let clock = Clock::stepped(instant_of_millis(0));
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        let store = open_url(&url, Missing::Create).await.unwrap();
        let snapshots = Snapshots::start(store.background(), clock.clone()).await.unwrap();
        let snapshots = snapshots.with_watchdog(watchdog);
        let held = snapshots.looking.clone().lock_owned().await;
        let worker = snapshots.clone();
        tokio::spawn(async move { worker.watch().await });
        let refresh = async || {
            while clock.waiting() == 0 {
                tokio::task::yield_now().await;
            }
            clock.advance(POLL_INTERVAL);
        };
        refresh().await;
        // The poll has begun.
        while clock.waiting() != 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(fed.load(SeqCst), 0);
        drop(held);
        for round in 1..=3 {
            refresh().await;
            while fed.load(SeqCst) < round {
                tokio::task::yield_now().await;
            }
        }
    }
}
