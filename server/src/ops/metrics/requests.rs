use std::fmt;

use super::families::Families;
use crate::{http::traffic::Traffic, state::App};

/// Requests on the public side, and streams.
pub(super) fn write(families: &mut Families<'_>, app: &App, traffic: &Traffic) -> fmt::Result {
    families.counter("svc_http_requests", "Requests on the public side", traffic.requests())?;
    families.counter(
        "svc_http_requests_limited",
        "Requests refused with 429",
        traffic.limited(),
    )?;
    families.histograms(
        "svc_http_request_duration_seconds",
        "Time until a response began, by the route of the request and the class of the status",
        traffic
            .durations()
            .map(|(route, status, durations)| ([("route", route), ("status", status)], durations)),
    )?;
    families.gauge("svc_open_streams", "Open event streams", app.streams.count())?;
    families.histograms(
        "svc_stream_tick_lateness_seconds",
        "How much later than planned the ticks of streams were",
        [([], app.live.lateness())],
    )
}
