//! `--demo`: a database that looks alive.

use std::time::Duration;

use chrono::{DateTime, Utc};
use domain::report::NewReport;
use store::{self, Mode, Store};

use crate::{
    demo::{live_row, rows},
    state::AppState,
};

const HISTORY: u64 = 25_000;
/// Nobody's first choice for `svc demo csv`, whose rows would have the same ids.
const SEED: u64 = 20_160_101;
const BATCH: usize = 5_000;
const PAUSE: std::ops::Range<Duration> = Duration::from_secs(2)..Duration::from_secs(6);

/// Fills the database with ten years of history up to `now`; returns how many reports.
pub(super) async fn fill(store: &Store, now: DateTime<Utc>) -> store::Result<u64> {
    let mut rows = rows(HISTORY, SEED, now);
    loop {
        let batch: Vec<NewReport> = rows.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            return Ok(HISTORY);
        }
        store.reports().import(&batch, Mode::Backfill).await?;
    }
}

/// Publishes a report every few seconds, for ever.
pub(super) async fn publish_now_and_then(app: AppState) {
    let seed = app.random.number();
    for number in 0.. {
        app.clock.sleep(app.random.duration(PAUSE)).await;
        let now = app.clock.now();
        let row = live_row(seed, number, now);
        if let Err(error) = app.store.reports().import(&[row], Mode::Approve).await {
            tracing::warn!(%error, "a demo report could not be published");
        }
    }
}
