use std::fmt;

use super::families::Families;
use crate::store::Store;

/// Connections to the database, and how a replica of it does.
pub(super) fn write(families: &mut Families<'_>, store: &Store) -> fmt::Result {
    let pools = store.pools();
    families.gauges(
        "svc_database_connections",
        "Open connections to the database, by what they are for",
        pools.iter().flat_map(|of| {
            let used = of.open.saturating_sub(of.idle);
            [("used", used), ("idle", of.idle)]
                .map(|(state, count)| ([("pool", of.pool), ("state", state)], count))
        }),
    )?;
    families.gauges(
        "svc_database_connections_max",
        "How many connections to the database may be open",
        pools.iter().map(|of| ([("pool", of.pool)], of.most)),
    )?;
    let replica = store.replica_status();
    families.gauges(
        "svc_read_replica_used",
        "1 while the read replica answers what the public reads",
        replica.map(|replica| ([], u32::from(replica.is_used))),
    )?;
    families.gauges(
        "svc_read_replica_behind_seconds",
        "How long the read replica has lacked what the primary has, or has not answered",
        replica.map(|replica| ([], replica.behind.as_secs_f64())),
    )?;
    families.counters(
        "svc_read_replica_reads",
        "Reads that the read replica has answered",
        replica.map(|replica| ([], replica.reads)),
    )
}
