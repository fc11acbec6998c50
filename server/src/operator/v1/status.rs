use axum::{Json, extract::State, response::Response};
use base::time::Timestamp;
use domain::scope::Scope;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use store::Backlog;

use super::tags::SERVICE;
use crate::{
    api::unstored, openapi::Operation, operator::access::Reader, ops::health::problems,
    problem::Result, state::AppState,
};

/// The state of the node that responds, and its view of the whole service.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Status {
    /// Version of the program.
    version: &'static str,
    /// Database engine.
    #[schemars(extend("enum" = ["sqlite", "postgres"]))]
    database: &'static str,
    /// Problems, in sentences; empty if there are none.
    problems: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    redis: Option<Redis>,
    data: Data,
    reports: Reports,
    webhooks: Webhooks,
    /// Open streams of this node.
    open_streams: u64,
}

/// The Redis server that nodes share their limits through.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
struct Redis {
    /// Whether the server can be reached.
    is_up: bool,
    /// Nodes that share the limits, at the last count.
    nodes: u32,
}

/// Data on this node.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
struct Data {
    /// Version of the data, which grows with every change.
    version: i64,
    /// Time of the last change of the reports.
    changed_at: Timestamp,
    /// Time in milliseconds since the data was last confirmed to be current.
    age_ms: u128,
}

/// Number of reports.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Reports {
    /// Published reports.
    approved: u64,
    /// Number of reports that wait for a decision.
    pending: u64,
}

/// Numbers of subscriptions and pending events.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
struct Webhooks {
    /// Active subscriptions.
    active: usize,
    /// Disabled subscriptions.
    disabled: usize,
    /// Pending events of all subscriptions together.
    pending: i64,
    /// Age of the oldest pending event in seconds.
    oldest_seconds: i64,
}

/// `GET /operator/v1/status`.
pub async fn get(State(app): State<AppState>, Reader(store): Reader) -> Result<Response> {
    let (backlogs, pending) =
        tokio::join!(store.deliveries().backlogs(), store.reports().pending());
    let current = app.snapshots.current();
    let snapshot = &current.snapshot;
    Ok(unstored(Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        database: store.engine_name(),
        problems: problems(&app.draining, &app.snapshots, &app.store)
            .iter()
            .map(ToString::to_string)
            .collect(),
        redis: app.limits.status().map(|status| Redis { is_up: status.up, nodes: status.nodes }),
        data: Data {
            version: snapshot.last.version,
            changed_at: Timestamp(snapshot.last.at),
            age_ms: app.snapshots.age().as_millis(),
        },
        reports: Reports { approved: snapshot.metrics.value.total, pending: pending? },
        webhooks: webhooks(&backlogs?),
        open_streams: app.streams.count(),
    })))
}

fn webhooks(backlogs: &[Backlog]) -> Webhooks {
    let disabled = backlogs.iter().filter(|one| one.is_disabled).count();
    let oldest = backlogs.iter().map(|one| one.age).max().unwrap_or_default();
    Webhooks {
        active: backlogs.len() - disabled,
        disabled,
        pending: backlogs.iter().map(|one| one.events).sum(),
        oldest_seconds: oldest.num_seconds(),
    }
}

pub(super) fn described() -> Operation {
    let example = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "database": "sqlite",
        "problems": [],
        "data": { "version": 4_711, "changedAt": "2026-03-01T12:00:00.000Z", "ageMs": 120 },
        "reports": { "approved": 48_211, "pending": 12_400 },
        "webhooks": { "active": 7, "disabled": 1, "pending": 0, "oldestSeconds": 0 },
        "openStreams": 42,
    });
    let path = "/operator/v1/status";
    Operation::operators(Scope::Read, "get", path, "getStatus", "The status of the service")
        .about("The state of the node that responds, and its view of the whole service.")
        .tag(SERVICE)
        .responses::<Status>("The status", example)
}
