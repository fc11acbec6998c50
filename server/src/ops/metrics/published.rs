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
        "Pending reports",
        reading.map(|reading| ([], reading.pending_reports)),
    )?;
    families.gauge("svc_data_version", "Data version of the snapshot", snapshot.last.version)?;
    families.gauge(
        "svc_clock_behind_seconds",
        "Time by which the clock is behind the last publication; until it has caught up, reports are published at that \
            instant",
        behind.as_seconds_f64(),
    )?;
    families.gauge(
        "svc_snapshot_age_seconds",
        "Time since the data was last confirmed to be current",
        app.snapshots.age().as_secs_f64(),
    )?;
    write_failing(families, current.failing)
}

pub(super) fn write_failing(families: &mut Families<'_>, is_failing: bool) -> fmt::Result {
    families.gauge("svc_snapshot_failing", "1 while the data cannot be read", u32::from(is_failing))
}
