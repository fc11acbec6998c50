//! The operator's side: health for a supervisor, numbers for Prometheus. On an address of its own,
//! so that it is never public by accident.

pub mod health;
pub mod writing;

use std::{
    fmt::{Display, Write},
    sync::{Arc, atomic::Ordering},
};

use axum::{Router, extract::State, response::IntoResponse, routing::get};
use chrono::TimeDelta;
use http::header;

use crate::{
    answers::snapshot::Snapshots,
    clock::Clock,
    config::Side,
    http::boundary::{Boundary, Traffic},
    limit::{Limits, OpenStreams, Status},
    operator,
    state::App,
    store::{Backlog, ReplicaStatus, Store},
    webhooks::dispatcher::Tally,
};

/// Everything the operator's side answers.
pub fn router(app: App) -> Boundary {
    let mut routes = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready_or_why))
        .route("/health", get(health::well_or_why))
        .route("/metrics", get(metrics));
    if app.settings.operator_on == Side::Ops {
        routes = routes.merge(operator::routes(&app));
    }
    // Requests here are not those of the public, which are counted.
    let (traffic, random) = (Arc::default(), app.random.clone());
    Boundary::new(routes.with_state(app), traffic, random, None)
}

/// `GET /metrics`: Prometheus' text format.
async fn metrics(
    State(snapshots): State<Snapshots>,
    State(traffic): State<Arc<Traffic>>,
    State(deliveries): State<Arc<Tally>>,
    State(streams): State<OpenStreams>,
    State(limits): State<Limits>,
    State(store): State<Store>,
    State(clock): State<Clock>,
) -> impl IntoResponse {
    let current = snapshots.current();
    let snapshot = &current.snapshot;
    let requests = traffic.requests.load(Ordering::Relaxed);
    let limited = traffic.limited.load(Ordering::Relaxed);
    let accepted = deliveries.delivered.load(Ordering::Relaxed);
    let failed = deliveries.failed.load(Ordering::Relaxed);
    let backlogs = store.background().backlogs().await.ok();
    let pending = backlogs.iter().flatten().map(|backlog| backlog.events).sum::<i64>();
    let pending = if backlogs.is_some() { pending } else { -1 };
    let behind = (snapshot.changed_at - clock.now()).max(TimeDelta::zero());
    let numbers: [(&str, &str, &str, &dyn Display); 11] = [
        ("svc_http_requests_total", "counter", "Requests on the public side", &requests),
        ("svc_http_requests_limited_total", "counter", "Requests refused with 429", &limited),
        (
            "svc_webhook_attempts_accepted_total",
            "counter",
            "Webhook requests that a receiver accepted",
            &accepted,
        ),
        ("svc_webhook_attempts_failed_total", "counter", "Webhook requests that failed", &failed),
        (
            "svc_webhook_deliveries_pending",
            "gauge",
            "Events that wait, of all subscriptions together; -1 while the data cannot be read",
            &pending,
        ),
        ("svc_open_streams", "gauge", "Open event streams", &streams.count()),
        ("svc_reports", "gauge", "Approved reports", &snapshot.metrics.value.total),
        ("svc_data_version", "gauge", "Data version of the snapshot", &snapshot.version),
        (
            "svc_clock_behind_seconds",
            "gauge",
            "How far the clock is behind the last publication, which is when everything is published \
             until it has caught up",
            &behind.as_seconds_f64(),
        ),
        (
            "svc_snapshot_age_seconds",
            "gauge",
            "Time since the data was last known to be current",
            &snapshots.age().as_secs_f64(),
        ),
        (
            "svc_snapshot_failing",
            "gauge",
            "1 while the data cannot be read",
            &i32::from(current.failing),
        ),
    ];
    let mut text = String::new();
    write_numbers(&mut text, &numbers);
    write_backlogs(&mut text, &backlogs.unwrap_or_default());
    if let Some(status) = store.replica_status() {
        write_replica(&mut text, status);
    }
    if let Some(status) = limits.status() {
        write_sharing(&mut text, status);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}

fn write_numbers(text: &mut String, numbers: &[(&str, &str, &str, &dyn Display)]) {
    for (name, kind, help, value) in numbers {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "# HELP {name} {help}.\n# TYPE {name} {kind}\n{name} {value}");
    }
}

fn write_backlogs(text: &mut String, backlogs: &[Backlog]) {
    write_gauge(
        text,
        "svc_webhook_backlog_events",
        "Events that wait for a subscription, in the log or for another attempt",
        backlogs.iter().map(|backlog| (&*backlog.subscription, backlog.events as f64)),
    );
    write_gauge(
        text,
        "svc_webhook_oldest_undelivered_seconds",
        "Age of the oldest event that waits for a subscription; 0 if there is none",
        backlogs.iter().map(|backlog| (&*backlog.subscription, backlog.age.as_seconds_f64())),
    );
}

/// How the read replica is doing.
fn write_replica(text: &mut String, status: ReplicaStatus) {
    let numbers: [(&str, &str, &str, &dyn Display); 3] = [
        (
            "svc_read_replica_used",
            "gauge",
            "1 while the read replica answers what the public reads",
            &u8::from(status.is_used),
        ),
        (
            "svc_read_replica_behind_seconds",
            "gauge",
            "How long the read replica has lacked what the primary has, or has not answered",
            &status.behind.as_secs_f64(),
        ),
        (
            "svc_read_replica_reads_total",
            "counter",
            "Reads that the read replica has answered",
            &status.reads,
        ),
    ];
    write_numbers(text, &numbers);
}

/// How limits are shared.
fn write_sharing(text: &mut String, status: Status) {
    let numbers: [(&str, &str, &str, u64); 5] = [
        ("svc_redis_up", "gauge", "1 while limits are shared by Redis", status.up.into()),
        (
            "svc_redis_settling",
            "gauge",
            "1 after an outage of Redis, until all nodes have told it what they accepted meanwhile",
            status.settling.into(),
        ),
        (
            "svc_redis_outages_total",
            "counter",
            "How often Redis could not be used, since the start",
            status.outages,
        ),
        (
            "svc_limit_nodes",
            "gauge",
            "Nodes that share the limits, as last known",
            status.nodes.into(),
        ),
        (
            "svc_limit_local_decisions_total",
            "counter",
            "Decisions that this node took without Redis, by its share of the limits",
            status.alone,
        ),
    ];
    for (name, kind, help, value) in numbers {
        let _ = writeln!(text, "# HELP {name} {help}.\n# TYPE {name} {kind}\n{name} {value}");
    }
}

/// A gauge of each subscription.
fn write_gauge<'s>(
    text: &mut String,
    name: &str,
    help: &str,
    values: impl Iterator<Item = (&'s str, f64)>,
) {
    let _ = writeln!(text, "# HELP {name} {help}.\n# TYPE {name} gauge");
    for (subscription, value) in values {
        let _ = writeln!(text, "{name}{{subscription=\"{subscription}\"}} {value}");
    }
}
