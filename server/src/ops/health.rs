//! Health: whether the process is alive, whether requests should be sent to it, and whether it has a problem.
//!
//! | Path | is 503 | for |
//! |---|---|---|
//! | `/healthz` | never | supervisors that restart unresponsive processes. Not if the database is down: a restart
//! would not help, and all nodes would restart at once |
//! | `/readyz` | while draining, and before the first read of the data | load balancers. Not if the database is down:
//! it is down for all nodes, and each keeps serving the data in memory |
//! | `/health` | while the data cannot be read or written, is out of date, or is known to be damaged | people who can
//! fix it |
//!
//! Load balancers usually reach only the public address, so the first two are available there as well. Anybody can
//! request them there, so the responses reveal no internals.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use edge::draining::Draining;
use http::{StatusCode, header};
use store::Store;

use crate::responses::snapshot::{MAX_AGE, Snapshots};

/// Problem of the node. Its text is a sentence without a full stop.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NodeProblem {
    #[error("the node is draining: it is about to stop")]
    Draining,
    #[error("{0}")]
    Damaged(Arc<String>),
    #[error("the data cannot be read")]
    Unreadable,
    /// Time since the data was last confirmed to be current.
    #[error("the data was last confirmed to be current {} seconds ago", .0.as_secs())]
    Outdated(Duration),
    #[error("the data cannot be written: {0}")]
    Unwritable(Arc<String>),
}

/// `GET /healthz`: 200 while the process works.
pub async fn alive() -> Response {
    answer(Ok(()))
}

/// `GET /readyz` on the public side: 200 if requests should be sent to this node, else 503.
pub async fn ready(State(draining): State<Draining>) -> Response {
    answer(in_service(&draining).map_err(|_| "not ready".to_owned()))
}

/// `GET /readyz` on the operator's side: with the reason for a 503.
pub async fn ready_or_why(State(draining): State<Draining>) -> Response {
    answer(in_service(&draining).map_err(|problem| problem.to_string()))
}

/// `GET /health` on the operator's side: 200 while the data can be read and written and is up to date, else 503 with
/// the reason.
pub async fn well_or_why(
    State(snapshots): State<Snapshots>,
    State(store): State<Store>,
) -> Response {
    answer(well(&snapshots, &store))
}

fn well(snapshots: &Snapshots, store: &Store) -> Result<(), String> {
    if let Some(damage) = store.damage() {
        return Err(damage.to_string());
    }
    current(snapshots).map_err(|problem| problem.to_string())?;
    match store.unwritable() {
        Some(problem) => Err(format!("the data can be read, but not written: {problem}")),
        None => Ok(()),
    }
}

/// Returns the reason why this node should get no requests, if there is one. A service reads its data before it
/// listens.
fn in_service(draining: &Draining) -> Result<(), NodeProblem> {
    if draining.has_begun() { Err(NodeProblem::Draining) } else { Ok(()) }
}

/// Returns the reason why the data in responses may be out of date, if it may be.
fn current(snapshots: &Snapshots) -> Result<(), NodeProblem> {
    let age = snapshots.age();
    if snapshots.current().failing {
        Err(NodeProblem::Unreadable)
    } else if age > MAX_AGE {
        Err(NodeProblem::Outdated(age))
    } else {
        Ok(())
    }
}

/// All problems of the node.
pub(crate) fn problems(
    draining: &Draining,
    snapshots: &Snapshots,
    store: &Store,
) -> Vec<NodeProblem> {
    let damage = store.damage().map(NodeProblem::Damaged);
    let unwritable = store.unwritable().map(NodeProblem::Unwritable);
    let problems = [in_service(draining).err(), damage, current(snapshots).err(), unwritable];
    problems.into_iter().flatten().collect()
}

pub(crate) fn answer(state: Result<(), String>) -> Response {
    let (status, mut text) = match state {
        Ok(()) => (StatusCode::OK, "ok".to_owned()),
        Err(problem) => (StatusCode::SERVICE_UNAVAILABLE, problem),
    };
    text.push('\n');
    (status, [(header::CACHE_CONTROL, "no-store")], text).into_response()
}
