//! The snapshot: the unfiltered counters and the newest reports, as the bytes that everybody gets.
//!
//! One task a node watches the data version and the UTC date; when either moves it reads both
//! answers once and serialises them once, together with the frame that the stream sends. Readers
//! take what is there without a lock. When reading fails, the last good answers stay, the frame
//! becomes the `error` event, and the next look tries again.

use std::{sync::Arc, time::Duration};

use app::model::{Metrics, ReportList};
use arc_swap::ArcSwap;
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Utc};
use tokio::sync::watch;

use crate::{
    answers::frame,
    clock::Clock,
    http::representation::Representation,
    store::{self, Filter, ReportsQuery, Store},
};

/// How often the data version is looked at.
pub const LOOK_EVERY: Duration = Duration::from_millis(250);
/// How many reports the recent list has when nobody says otherwise.
pub const RECENT: u32 = 20;

/// Everything unfiltered, of one data version and date.
#[derive(Debug)]
pub struct Snapshot {
    pub version: i64,
    pub today: NaiveDate,
    pub metrics: Metrics,
    pub reports: Arc<ReportList>,
    pub metrics_answer: Representation,
    pub reports_answer: Representation,
    /// One tick of the stream.
    pub frame: Bytes,
}

/// What readers see: the last good snapshot, and whether it could be kept fresh.
#[derive(Clone, Debug)]
pub struct Current {
    pub snapshot: Arc<Snapshot>,
    /// Set while reading fails.
    pub failing: bool,
}

impl Current {
    /// The bytes of a tick now.
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
    /// Moves with every change of `current`.
    changes: Arc<watch::Sender<u64>>,
}

impl Snapshots {
    /// Takes the first snapshot.
    pub async fn start(store: Store, clock: Clock) -> store::Result<Self> {
        let snapshot = Arc::new(take(&store, clock.now()).await?);
        let current = Arc::new(ArcSwap::from_pointee(Current { snapshot, failing: false }));
        Ok(Self { store, clock, current, changes: Arc::new(watch::Sender::new(0)) })
    }

    /// What is there now.
    pub fn current(&self) -> arc_swap::Guard<Arc<Current>> {
        self.current.load()
    }

    /// Tells of every change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Looks whether the data or the date moved, and if so takes a new snapshot.
    pub async fn refresh(&self) {
        let before = self.current.load_full();
        let next = match self.look(&before).await {
            Ok(None) => return,
            Ok(Some(snapshot)) => {
                if before.failing {
                    tracing::info!(version = snapshot.version, "the snapshot is fresh again");
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

    /// Refreshes for ever.
    pub async fn watch(&self) {
        loop {
            self.clock.sleep(LOOK_EVERY).await;
            self.refresh().await;
        }
    }

    async fn look(&self, before: &Current) -> store::Result<Option<Arc<Snapshot>>> {
        let version = self.store.data_version().await?;
        let snapshot = &before.snapshot;
        let now = self.clock.now();
        if !before.failing && version == snapshot.version && now.date_naive() == snapshot.today {
            return Ok(None);
        }
        Ok(Some(Arc::new(take(&self.store, now).await?)))
    }
}

async fn take(store: &Store, now: DateTime<Utc>) -> store::Result<Snapshot> {
    // The version is read first: what is published meanwhile is then seen at the next look.
    let version = store.data_version().await?;
    let today = now.date_naive();
    let counters = store.metrics(&Filter::default(), today).await?;
    let metrics = counters.shown(now);
    let reports = report_list(store.reports(&ReportsQuery::newest(RECENT)).await?);
    let metrics_answer = Representation::json(&metrics);
    let reports_answer = Representation::json(&reports);
    let frame = frame::good(&metrics_answer.body, &reports_answer.body);
    let reports = Arc::new(reports);
    Ok(Snapshot { version, today, metrics, reports, metrics_answer, reports_answer, frame })
}

/// The list as the API shows it.
pub fn report_list(reports: Vec<store::PublicReport>) -> ReportList {
    ReportList { reports: reports.into_iter().map(|listed| listed.report).collect() }
}
