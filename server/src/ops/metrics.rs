//! `GET /metrics`: metrics for Prometheus, in the text format of OpenMetrics. They are kept where they arise, and read
//! for each request. Those from the database are of the [last reading](super::readings), so a request never waits.

mod certificate;
mod database;
mod families;
mod limits;
mod published;
mod requests;
mod webhooks;

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use axum::response::IntoResponse;
use edge::{tls::Tls, traffic::Traffic};
use http::header;
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, text},
    registry::Registry,
};

use self::families::Families;
use crate::state::AppState;

const FORMAT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Sources of the metrics, all of them in memory.
#[derive(Clone, Debug)]
pub(super) struct Sources {
    pub app: AppState,
    pub sides: Sides,
    /// If the public side has its own TLS.
    pub tls: Option<Tls>,
}

/// Requests on both sides.
#[derive(Clone, Debug)]
pub(super) struct Sides {
    pub public: Arc<Traffic>,
    /// Set before the first request.
    pub operator: Arc<OnceLock<Arc<Traffic>>>,
}

impl Sides {
    /// Counters of each side, with the side's name.
    fn named(&self) -> impl Iterator<Item = (&'static str, &Traffic)> {
        let operator = self.operator.get().map(|traffic| ("operator", &**traffic));
        std::iter::once(("public", &*self.public)).chain(operator)
    }
}

/// `GET /metrics`.
pub(super) fn get(sources: Sources) -> impl IntoResponse {
    exposed(sources)
}

/// Metrics of a node that waits for its database: its version, and that it cannot read.
pub(super) fn of_waiting() -> impl IntoResponse {
    exposed(Nothing)
}

fn exposed(numbers: impl Collector) -> impl IntoResponse {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(numbers));
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = text::encode(&mut text, &registry);
    ([(header::CONTENT_TYPE, FORMAT)], text)
}

/// Metrics of a node that has read nothing yet.
#[derive(Debug)]
struct Nothing;

impl Collector for Nothing {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut families = Families::of(encoder);
        write_build(&mut families)?;
        published::write_failing(&mut families, true)
    }
}

fn write_build(families: &mut Families<'_>) -> fmt::Result {
    families.gauges(
        "svc_build_info",
        "The running version",
        [([("version", env!("CARGO_PKG_VERSION"))], 1_u32)],
    )
}

impl Collector for Sources {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Self { app, sides, tls } = self;
        let reading = app.readings.last();
        let mut families = Families::of(encoder);
        write_build(&mut families)?;
        requests::write(&mut families, app, sides)?;
        published::write(&mut families, app, reading.as_deref())?;
        webhooks::write(&mut families, &app.deliveries, reading.as_deref())?;
        let age = reading.as_deref().map(|reading| app.readings.age(reading));
        database::write(&mut families, &app.store, age)?;
        certificate::write(&mut families, tls.as_ref())?;
        limits::write(&mut families, &app.limits)
    }
}
