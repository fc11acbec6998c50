//! Responses of a node that waits for its database.

use std::{io, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use axum::routing::get;
use base::{clock::Clock, random::Random};
use edge::{
    boundary::Boundary,
    draining::Draining,
    listener::{self, Until},
    routes::Routes,
};
use spans::Spans;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::Listeners;
use crate::{base_url::PublicUrl, config, gates, ops, problem::Problem};

/// Maximum duration of responses in flight after the wait is over.
const GRACE: Duration = Duration::from_secs(1);

/// Listens until it is [ended](Waiting::end) or dropped.
#[derive(Debug)]
pub(super) struct Waiting {
    /// Reason why the database cannot be used.
    reason: Arc<ArcSwap<String>>,
    stopping: CancellationToken,
    serving: JoinSet<()>,
}

impl Waiting {
    pub(super) fn start(
        listeners: &Listeners,
        settings: &config::Serve,
        clock: &Clock,
        random: &Random,
        reason: String,
    ) -> io::Result<Self> {
        let Listeners { public, operators, tls } = listeners.duplicate()?;
        let reason = Arc::new(ArcSwap::from_pointee(reason));
        let (stopping, mut serving) = (CancellationToken::new(), JoinSet::new());
        let timing = (Duration::ZERO, Duration::ZERO);
        let draining = Draining::new(clock.clone(), random, timing, stopping.clone());
        let until = Until { draining, stopping: stopping.clone(), grace: GRACE };
        let below = settings.public_url.as_ref().map(PublicUrl::base_path);
        let around = |routes| {
            let spans = Spans::default();
            Boundary::new(routes, clock.clone(), random, spans, below.clone(), gates::QUOTAS)
        };
        let responses = around(public_routes());
        serving.spawn(listener::serve(public, tls, responses, None, clock.clone(), until.clone()));
        if let Some(operators) = operators {
            let responses = around(ops::waiting::routes(reason.clone()).otherwise(otherwise));
            let responses = responses.private(ops::own_names(settings));
            serving.spawn(listener::serve(operators, None, responses, None, clock.clone(), until));
        }
        Ok(Self { reason, stopping, serving })
    }

    /// Sets the reason in later responses on the operator's side.
    pub(super) fn because(&self, reason: String) {
        self.reason.store(Arc::new(reason));
    }

    /// Finishes the requests in flight, and closes all connections.
    pub(super) async fn end(mut self) {
        self.stopping.cancel();
        while self.serving.join_next().await.is_some() {}
    }
}

fn public_routes() -> Routes {
    let routes = Routes::default().route("/healthz", gates::FREE, get(ops::health::alive)).route(
        "/readyz",
        gates::FREE,
        get(async || ops::health::answer(Err("not ready".to_owned()))),
    );
    routes.otherwise(otherwise)
}

fn otherwise(routes: axum::Router) -> axum::Router {
    routes.fallback(async || {
        Problem::busy(
            "The service is starting and waits for its database. Try again in a few seconds.",
        )
    })
}
