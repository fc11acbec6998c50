use std::fmt;

use super::{Sides, families::Families};
use crate::state::AppState;

/// Writes requests on both sides, and streams.
pub(super) fn write(families: &mut Families<'_>, app: &AppState, sides: &Sides) -> fmt::Result {
    families.counters(
        "svc_http_requests",
        "Requests, by listening address",
        sides.named().map(|(side, traffic)| ([("side", side)], traffic.requests())),
    )?;
    families.counters(
        "svc_http_requests_limited",
        "Requests refused with 429, by the tier whose limit was reached",
        sides.named().flat_map(|(side, traffic)| {
            traffic.limited().map(move |(tier, count)| ([("side", side), ("tier", tier)], count))
        }),
    )?;
    let keys = app.keys.requests();
    families.counters(
        "svc_key_requests",
        "Requests with each valid key",
        keys.iter().map(|(key, tier, count)| ([("key", &**key), ("tier", tier.as_str())], *count)),
    )?;
    let durations = sides.named().flat_map(|(side, traffic)| {
        traffic.durations().map(move |(route, status, durations)| {
            ([("side", side), ("route", route), ("status", status)], durations)
        })
    });
    families.histograms(
        "svc_http_request_duration_seconds",
        "Time until a response began, by address, the route of the request and the class of the status",
        durations,
    )?;
    families.gauge("svc_open_streams", "Open event streams", app.streams.count())?;
    families.histograms(
        "svc_stream_tick_lateness_seconds",
        "Delay of the ticks of streams",
        [([], app.live.lateness.counted())],
    )
}
