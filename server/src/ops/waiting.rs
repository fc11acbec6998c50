//! The operator's side of a node that waits for its database.

use std::sync::Arc;

use arc_swap::ArcSwap;
use axum::{response::IntoResponse, routing::get};
use edge::routes::Routes;

use super::{health, metrics};

use crate::gates;

/// Routes that respond with the reason for the wait.
pub fn routes(reason: Arc<ArcSwap<String>>) -> Routes {
    let why = move || {
        let text = format!("the node waits for its database: {}", reason.load());
        async { health::answer(Err(text)) }
    };
    Routes::default()
        .route("/healthz", gates::FREE, get(health::alive))
        .route("/readyz", gates::FREE, get(why.clone()))
        .route("/health", gates::FREE, get(why))
        .route("/metrics", gates::FREE, get(async || metrics::of_waiting().into_response()))
}
