use std::fmt;

use chrono::TimeDelta;

use super::families::Families;
use crate::{ops::readings::Reading, state::AppState};

/// Writes metrics of the public data, and the number of pending reports.
pub(super) fn write(
    families: &mut Families<'_>,
    app: &AppState,
    reading: Option<&Reading>,
) -> fmt::Result {
    let current = app.snapshots.current();
    let snapshot = &current.snapshot;
    let behind = (snapshot.last.at - app.clock.now()).max(TimeDelta::zero());
    families.gauge("svc_reports", "Approved reports", snapshot.metrics.value.total)?;
    families.gauges(
        "svc_reports_pending",
        "Reports that wait for a decision, of which no more than 100,001 are counted",
        reading.map(|reading| ([], reading.pending_reports)),
    )?;
    families.gauge("svc_data_version", "Data version of the snapshot", snapshot.last.version)?;
    families.gauge(
        "svc_clock_behind_seconds",
        "How far the clock is behind the last publication, which is when everything is published \
         until it has caught up",
        behind.as_seconds_f64(),
    )?;
    families.gauge(
        "svc_snapshot_age_seconds",
        "Time since the data was last known to be current",
        app.snapshots.age().as_secs_f64(),
    )?;
    write_failing(families, current.failing)
}

pub(super) fn write_failing(families: &mut Families<'_>, is_failing: bool) -> fmt::Result {
    families.gauge("svc_snapshot_failing", "1 while the data cannot be read", u32::from(is_failing))
}
