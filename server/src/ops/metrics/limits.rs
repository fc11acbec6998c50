use std::fmt;

use limits::Limits;

use super::families::Families;

/// Writes the metrics of the limiter and, if limits are shared, of the sharing.
pub(super) fn write(families: &mut Families<'_>, limits: &Limits) -> fmt::Result {
    families.gauge(
        "svc_limit_clients",
        "Clients whose recent requests this process remembers",
        limits.clients(),
    )?;
    let shared = limits.status();
    families.gauges(
        "svc_redis_up",
        "1 while limits are shared by Redis",
        shared.map(|status| ([], u32::from(status.up))),
    )?;
    families.counters(
        "svc_redis_outages",
        "Number of failed uses of Redis since the start",
        shared.map(|status| ([], status.outages)),
    )?;
    families.gauges(
        "svc_limit_nodes",
        "Nodes that share the limits, when last counted",
        shared.map(|status| ([], status.nodes)),
    )?;
    families.counters(
        "svc_limit_local_decisions",
        "Decisions that this node made without Redis, by its share of the limits",
        shared.map(|status| ([], status.alone)),
    )
}
