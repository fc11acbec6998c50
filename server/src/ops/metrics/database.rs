use std::{fmt, time::Duration};

use store::Store;

use super::families::Families;

/// Writes the number of connections, and whether the database is writable and undamaged. `age` is the age of the values
/// that were read from it.
pub(super) fn write(
    families: &mut Families<'_>,
    store: &Store,
    age: Option<Duration>,
) -> fmt::Result {
    families.gauges(
        "svc_database_reading_age_seconds",
        "Time since the numbers from the database were read",
        age.map(|age| ([], age.as_secs_f64())),
    )?;
    families.gauge(
        "svc_database_unwritable",
        "1 while the database cannot be written to",
        u32::from(store.unwritable().is_some()),
    )?;
    families.counter(
        "svc_database_failed_writes",
        "Changes and probes that failed because the database cannot be written to",
        store.failed_writes(),
    )?;
    families.gauge(
        "svc_database_damaged",
        "1 once this process has found the database damaged",
        u32::from(store.damage().is_some()),
    )?;
    let pools = store.pools();
    families.gauges(
        "svc_database_connections",
        "Open connections to the database, by purpose",
        pools.iter().flat_map(|of| {
            let used = of.open.saturating_sub(of.idle);
            [("used", used), ("idle", of.idle)]
                .map(|(state, count)| ([("pool", of.pool), ("state", state)], count))
        }),
    )?;
    families.gauges(
        "svc_database_connections_max",
        "Maximum number of open connections to the database",
        pools.iter().map(|of| ([("pool", of.pool)], of.most)),
    )
}
