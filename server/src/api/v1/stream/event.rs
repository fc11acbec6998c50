//! Events of the stream, for the API document. `responses/frame.rs` writes the actual bytes.

use model::{Metrics, Report, ReportList};
use schemars::JsonSchema;

/// An event of the stream: its name, and the JSON of its `data` line.
#[derive(Debug, JsonSchema)]
#[schemars(tag = "event", content = "data", rename_all = "lowercase")]
pub enum StreamEvent {
    #[schemars(title = "MetricsEvent")]
    Metrics(Metrics),
    #[schemars(title = "ReportsEvent")]
    Reports(ReportList),
    #[schemars(title = "ViewEvent")]
    View(View),
    #[schemars(title = "TickEvent")]
    Tick(Tick),
    #[schemars(title = "ErrorEvent")]
    Error(TickError),
    #[schemars(untagged)]
    Other(OtherEvent),
}

/// Present data of a view.
#[derive(Debug, JsonSchema)]
pub struct View {
    /// Value of the `view` parameter.
    pub view: String,
    pub metrics: Metrics,
    /// Reports, newest publication first.
    pub reports: Vec<ViewReport>,
}

/// A report of a view.
#[derive(Debug, JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct ViewReport {
    #[schemars(flatten)]
    pub report: Report,
    /// Day of the event, if the view has `dates=event`.
    #[schemars(skip_serializing_if = "Option::is_none", extend("format" = "date"))]
    pub event_date: Option<String>,
}

/// End of a tick. Empty so far.
#[derive(Debug, JsonSchema)]
pub struct Tick {}

/// A tick without data.
#[derive(Debug, JsonSchema)]
pub struct TickError {
    /// Reason why this tick has no data.
    pub message: String,
}

/// An event that a later release adds: ignore it.
#[derive(Debug, JsonSchema)]
pub struct OtherEvent {
    pub event: String,
    pub data: serde_json::Map<String, serde_json::Value>,
}
