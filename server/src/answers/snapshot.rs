//! The snapshot: the unfiltered counters and the newest reports, as the bytes that everyone gets.
//!
//! One task a node watches the data version and the UTC date; when either moves it reads both
//! answers once and serialises them once, together with the frame that the stream sends. Readers
//! read the current one without a lock. When reading fails, the last good answers stay, the frame
//! becomes the `error` event, and the next look tries again. A look may also hang, or the task be
//! gone: [`Snapshots::age`] then grows.

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
use store::{self, LastChange, ReportsQuery, Shown, Store};
use tokio::sync::{Mutex, watch};

use crate::{
    answers::{Answer, ReportPage, and_one, frame},
    watchdog::Watchdog,
};

/// How often the data version is looked at.
pub const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How long a change that is announced waits for others, so that many do not cost more than a few.
const OTHERS: Duration = Duration::from_millis(30);
/// The age from which the snapshot counts as out of date: twenty looks are missing.
pub const MAX_AGE: Duration = Duration::from_secs(5);
/// How many reports the recent list has when nobody says otherwise.
pub const RECENT: u32 = 20;

/// Everything unfiltered, of one data version and date.
#[derive(Debug)]
pub struct Snapshot {
    /// The last change that it has.
    pub last: LastChange,
    pub today: NaiveDate,
    pub metrics: Arc<Answer<Metrics>>,
    pub reports: Arc<Answer<ReportPage>>,
    /// One tick of the stream.
    pub frame: Bytes,
}

impl Snapshot {
    /// Which data, on which day: what is made of it alone stays as it is.
    pub fn state(&self) -> State {
        (self.last.era, self.last.version, self.today)
    }
}

/// See [`Snapshot::state`].
pub type State = (u64, i64, NaiveDate);

/// What readers see: the last good snapshot, and whether the last look at the data failed.
#[derive(Clone, Debug)]
pub struct Current {
    pub snapshot: Arc<Snapshot>,
    /// Set while reading fails.
    pub failing: bool,
}

impl Current {
    /// The bytes of a tick sent now.
    pub fn frame(&self) -> Bytes {
        if self.failing { frame::failed() } else { self.snapshot.frame.clone() }
    }
}

/// Keeps the snapshot. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Snapshots {
    store: Store,
    clock: Clock,
    current: Arc<ArcSwap<Current>>,
    /// When the last look that succeeded began, in milliseconds of [`Clock::elapsed`].
    looked_at: Arc<AtomicU64>,
    /// Moves with every change of `current`.
    changes: Arc<watch::Sender<u64>>,
    /// Held while looking: of two looks at once, the one that began earlier may end later.
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

    /// Snapshots whose [`watch`](Snapshots::watch) feeds this watchdog.
    #[must_use]
    pub fn with_watchdog(self, watchdog: Watchdog) -> Self {
        Self { watchdog, ..self }
    }

    /// How long ago the snapshot was known to be current: the time since the last look that
    /// succeeded began. A look that is still going on does not count, however slow it is.
    pub fn age(&self) -> Duration {
        let looked_at = Duration::from_millis(self.looked_at.load(Ordering::Relaxed));
        self.clock.elapsed().saturating_sub(looked_at)
    }

    /// The current state.
    pub fn current(&self) -> arc_swap::Guard<Arc<Current>> {
        self.current.load()
    }

    /// A receiver that is notified of every change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Reads a new snapshot if the data or the date has changed.
    pub async fn refresh(&self) {
        self.refresh_if(|_| true).await;
    }

    /// Reads a new snapshot if this one is from before `last`.
    pub(super) async fn reach(&self, last: &LastChange) {
        if self.current().snapshot.last.is_before(last) {
            // Another look may have found it meanwhile.
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
                // After a failure too, a snapshot of the same data and date stays as it was.
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

    /// Refreshes forever: soon after a change that is announced, and whenever it is time to look.
    pub async fn watch(&self) {
        let mut changes = self.store.data_changes();
        loop {
            tokio::select! {
                () = self.clock.sleep(LOOK_EVERY) => {}
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
        // Not only later ones: a server that takes the place of another may lack its last changes.
        if last == before.last && today == before.today {
            return Ok(None);
        }
        Ok(Some(Arc::new(read(&self.store, today).await?)))
    }
}

async fn read(store: &Store, today: NaiveDate) -> store::Result<Snapshot> {
    let query = ReportsQuery::newest(RECENT);
    let Shown { value: (counters, reports), last } =
        store.reports().overview(&and_one(&query), today).await?;
    let metrics = Answer::of_metrics(counters.shown(last.seen_since(today)));
    let reports = Answer::of_page(reports, &query);
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
        let look = async || {
            while clock.waiting() == 0 {
                tokio::task::yield_now().await;
            }
            clock.advance(LOOK_EVERY);
        };
        look().await;
        // It has begun to look.
        while clock.waiting() != 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(fed.load(SeqCst), 0);
        drop(held);
        for round in 1..=3 {
            look().await;
            while fed.load(SeqCst) < round {
                tokio::task::yield_now().await;
            }
        }
    }
}
