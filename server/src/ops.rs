//! The operator's side: health for a supervisor, numbers for Prometheus. On an address of its own,
//! so that it is never public by accident.

use std::{fmt::Write, sync::atomic::Ordering};

use axum::{Router, extract::State, response::IntoResponse, routing::get};
use http::{StatusCode, header};

use crate::state::App;

/// Everything the operator's side answers.
pub fn router(app: App) -> Router {
    Router::new().route("/health", get(health)).route("/metrics", get(metrics)).with_state(app)
}

/// `GET /health`: 200 while the data can be read, else 503.
async fn health(State(app): State<App>) -> impl IntoResponse {
    if app.snapshots.current().failing {
        (StatusCode::SERVICE_UNAVAILABLE, "the data cannot be read\n")
    } else {
        (StatusCode::OK, "ok\n")
    }
}

/// `GET /metrics`: Prometheus' text format.
async fn metrics(State(app): State<App>) -> impl IntoResponse {
    let current = app.snapshots.current();
    let snapshot = &current.snapshot;
    let numbers: [(&str, &str, &str, i64); 9] = [
        (
            "svc_http_requests_total",
            "counter",
            "Requests on the public side",
            count(app.traffic.requests.load(Ordering::Relaxed)),
        ),
        (
            "svc_http_requests_limited_total",
            "counter",
            "Requests refused with 429",
            count(app.traffic.limited.load(Ordering::Relaxed)),
        ),
        (
            "svc_webhook_attempts_accepted_total",
            "counter",
            "Webhook requests that a receiver accepted",
            count(app.deliveries.delivered.load(Ordering::Relaxed)),
        ),
        (
            "svc_webhook_attempts_failed_total",
            "counter",
            "Webhook requests that failed",
            count(app.deliveries.failed.load(Ordering::Relaxed)),
        ),
        (
            "svc_webhook_deliveries_pending",
            "gauge",
            "Deliveries that wait; -1 while the data cannot be read",
            app.store.pending_deliveries().await.unwrap_or(-1),
        ),
        ("svc_open_streams", "gauge", "Open event streams", count(app.streams.count())),
        ("svc_reports", "gauge", "Approved reports", count(snapshot.metrics.total)),
        ("svc_data_version", "gauge", "Data version of the snapshot", snapshot.version),
        (
            "svc_snapshot_failing",
            "gauge",
            "1 while the data cannot be read",
            i64::from(current.failing),
        ),
    ];
    let mut text = String::new();
    for (name, kind, help, value) in numbers {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "# HELP {name} {help}.\n# TYPE {name} {kind}\n{name} {value}");
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}

fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
