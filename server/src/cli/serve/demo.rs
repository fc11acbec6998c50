//! `--demo`: a database with a past, and live activity.

use chrono::{DateTime, Days, TimeDelta, Utc};
use domain::report::NewReport;
use store::{self, Mode, Store};

use crate::{
    demo::{PAST_DAYS, day, past_day, rows},
    state::AppState,
};

/// Number of reports in the ten years before the site became busy.
const HISTORY: u64 = 10_000;
/// An unlikely seed for `svc demo csv`, whose rows would have the same ids.
const SEED: u64 = 20_160_101;
const BATCH: usize = 5_000;
/// Reports published later than this after their time are history, for example after the computer was asleep.
const LATE: TimeDelta = TimeDelta::minutes(1);

/// Fills the database with ten years of history, and with the reports of yesterday and of today up to `now`. The other
/// busy days are a hundred thousand reports, and [`publish`] adds them later, so that the service starts quickly.
pub(super) async fn fill(store: &Store, now: DateTime<Utc>) -> store::Result<()> {
    let history: Vec<NewReport> = rows(HISTORY, SEED, now - Days::new(PAST_DAYS)).collect();
    for batch in history.chunks(BATCH) {
        store.reports().import(batch, Mode::Backfill).await?;
    }
    for days_ago in [1, 0] {
        add_day(store, days_ago, now).await?;
    }
    Ok(())
}

/// Publishes reports as they happen, forever. Also adds those of the past that are missing because the service was
/// stopped, if the database was made by [`fill`].
pub(super) async fn publish(app: AppState) {
    let now = app.clock.now();
    let past = async {
        if let Err(error) = add_past(&app.store, now).await {
            tracing::warn!(%error, "the demo has no complete past");
        }
    };
    tokio::join!(past, publish_after(&app, now));
}

async fn add_past(store: &Store, now: DateTime<Utc>) -> store::Result<()> {
    if store.reports().find(&format!("demo-{SEED}-{HISTORY}-1")).await?.is_some() {
        for days_ago in 0..PAST_DAYS {
            add_day(store, days_ago, now).await?;
        }
    }
    Ok(())
}

/// Adds the reports of a day that are missing. If the last one is there, none is missing: they are added in one
/// transaction.
async fn add_day(store: &Store, days_ago: u64, now: DateTime<Utc>) -> store::Result<()> {
    let reports: Vec<NewReport> = past_day(SEED, days_ago, now).collect();
    let Some(last) = reports.last() else { return Ok(()) };
    if store.reports().find(&last.id).await?.is_none() {
        store.reports().import(&reports, Mode::Backfill).await?;
    }
    Ok(())
}

async fn publish_after(app: &AppState, start: DateTime<Utc>) {
    let reports = start.date_naive().iter_days().flat_map(|date| day(SEED, date));
    for report in reports.skip_while(|report| report.created_at <= start) {
        let left = report.created_at - app.clock.now();
        app.clock.sleep(left.to_std().unwrap_or_default()).await;
        let is_late = app.clock.now() - report.created_at > LATE;
        let mode = if is_late { Mode::Backfill } else { Mode::Approve };
        if let Err(error) = app.store.reports().import(&[report], mode).await {
            tracing::warn!(%error, "a demo report could not be published");
        }
    }
}

#[cfg(test)]
mod tests {
    use store::{Filter, Missing, open_url};

    use super::*;

    async fn total(store: &Store, now: DateTime<Utc>) -> u64 {
        let counters = store.counters().metrics(&Filter::default(), now.date_naive()).await;
        counters.unwrap().value.by_type.iter().sum()
    }

    #[tokio::test]
    async fn the_past_is_added_only_to_a_database_that_was_filled() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("svc.db").display());
        let store = open_url(&url, Missing::Create).await.unwrap();
        let now: DateTime<Utc> = "2026-11-20T06:00:00Z".parse().unwrap();
        let own: Vec<NewReport> = rows(3, 1, now).collect();
        store.reports().import(&own, Mode::Backfill).await.unwrap();
        add_past(&store, now).await.unwrap();
        assert_eq!(total(&store, now).await, 3);
    }
}
