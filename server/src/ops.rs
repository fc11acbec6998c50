//! The operator's side: health for a supervisor, numbers for Prometheus. On an address of its own,
//! so that it is never public by accident.

pub mod health;
mod metrics;
pub mod readings;
pub mod waiting;
pub mod writing;

use std::sync::{Arc, OnceLock};

use axum::routing::get;

use crate::{
    config::Side,
    desk,
    http::{boundary::Boundary, routes::Routes, tls::Tls, traffic::Traffic},
    operator,
    state::App,
};

/// Everything the operator's side answers; `traffic` and `tls` are those of the public side.
pub fn router(app: App, traffic: Arc<Traffic>, tls: Option<Tls>) -> Boundary {
    let own = Arc::new(OnceLock::new());
    let sides = metrics::Sides { public: traffic, operator: own.clone() };
    let numbers = metrics::Sources { app: app.clone(), sides, tls };
    let mut routes = Routes::default()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready_or_why))
        .route("/health", get(health::well_or_why))
        .route("/metrics", get(async move || metrics::get(numbers)));
    if app.settings.operator_on == Side::Ops {
        routes = routes.merge(operator::routes(&app)).merge(desk::routes(&app));
    }
    let (clock, random, spans) = (app.clock.clone(), app.random.clone(), app.spans.clone());
    let boundary = Boundary::new(routes.with_state(app), clock, &random, spans, None);
    // The route for the numbers has to be there before what counts all routes is.
    let _ = own.set(boundary.traffic());
    boundary
}
