//! Metrics that are read from the database. They are read in the background and kept, so that a request for metrics
//! never waits for the database, especially while it is away.

use std::{sync::Arc, time::Duration};

use arc_swap::{ArcSwapOption, Guard};
use base::clock::Clock;
use store::{self, Backlog, Store};

/// Time between two readings.
pub const READ_EVERY: Duration = Duration::from_secs(10);

/// Keeps the last reading. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Readings {
    store: Store,
    clock: Clock,
    last: Arc<ArcSwapOption<Reading>>,
}

/// Values that were read at the same time.
#[derive(Debug)]
pub struct Reading {
    pub backlogs: Vec<Backlog>,
    pub pending_reports: u64,
    /// Clock time before the read.
    at: Duration,
}

impl Readings {
    pub fn new(store: Store, clock: Clock) -> Self {
        Self { store, clock, last: Arc::default() }
    }

    /// Returns the last successful reading; `None` if there was none yet.
    pub fn last(&self) -> Guard<Option<Arc<Reading>>> {
        self.last.load()
    }

    /// Time since a reading.
    pub fn age(&self, reading: &Reading) -> Duration {
        self.clock.elapsed().saturating_sub(reading.at)
    }

    /// Reads once. If that fails, the last reading stays.
    pub async fn refresh(&self) {
        match self.read().await {
            Ok(reading) => self.last.store(Some(Arc::new(reading))),
            Err(error) => {
                tracing::debug!(%error, "the numbers could not be read from the database")
            }
        }
    }

    /// Reads forever.
    pub async fn watch(&self) {
        loop {
            self.refresh().await;
            self.clock.sleep(READ_EVERY).await;
        }
    }

    async fn read(&self) -> store::Result<Reading> {
        let at = self.clock.elapsed();
        let backlogs = self.store.deliveries().backlogs().await?;
        Ok(Reading { backlogs, pending_reports: self.store.reports().pending().await?, at })
    }
}
