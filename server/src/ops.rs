//! The operator's side: health for a supervisor, metrics for Prometheus. It has an address of its own, so it is never
//! public by accident.

pub mod health;
mod metrics;
pub mod readings;
pub mod waiting;
pub mod writing;

use std::sync::{Arc, OnceLock};

use axum::routing::get;
use edge::{boundary::Boundary, own_names::OwnNames, routes::Routes, tls::Tls, traffic::Traffic};

use crate::{
    base_url::PublicUrl,
    config::{self, ListenAddress},
    desk, gates, operator,
    state::AppState,
};

/// Host names that the operator's side accepts.
pub fn own_names(settings: &config::Serve) -> OwnNames {
    let system = rustix::system::uname();
    let machine = system.nodename().to_string_lossy();
    let public = settings.public_url.as_ref().and_then(PublicUrl::host);
    OwnNames::new(&machine, public.as_deref())
}

/// All routes of the operator's side; `traffic` and `tls` are those of the public side.
pub fn router(app: AppState, traffic: Arc<Traffic>, tls: Option<Tls>) -> Boundary {
    let own = Arc::new(OnceLock::new());
    let sides = metrics::Sides { public: traffic, operator: own.clone() };
    let numbers = metrics::Sources { app: app.clone(), sides, tls };
    let mut routes = Routes::default()
        .route("/healthz", gates::FREE, get(health::alive))
        .route("/readyz", gates::FREE, get(health::ready_or_why))
        .route("/health", gates::FREE, get(health::well_or_why))
        .route("/metrics", gates::FREE, get(async move || metrics::get(numbers)));
    if app.settings.operator_on == ListenAddress::Ops {
        routes = routes.merge(operator::routes(&app)).merge(desk::routes(&app));
    }
    let (clock, random, spans) = (app.clock.clone(), app.random.clone(), app.spans.clone());
    let names = own_names(&app.settings);
    let boundary =
        Boundary::new(routes.with_state(app), clock, &random, spans, None, gates::QUOTAS);
    let boundary = boundary.private(names);
    // The metrics route must exist before the boundary counts the routes.
    let _ = own.set(boundary.traffic());
    boundary
}
