//! The operator's side: health for a supervisor, numbers for Prometheus. On an address of its own,
//! so that it is never public by accident.

pub mod health;
mod metrics;
pub mod writing;

use std::sync::Arc;

use axum::{Router, routing::get};

use crate::{http::traffic::Traffic, state::App};

/// Everything the operator's side answers; `traffic` is that of the public side.
pub fn router(app: App, traffic: Arc<Traffic>) -> Router {
    let measured = app.clone();
    Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready_or_why))
        .route("/health", get(health::well_or_why))
        .route("/metrics", get(move || metrics::get(measured.clone(), traffic.clone())))
        .with_state(app)
}
