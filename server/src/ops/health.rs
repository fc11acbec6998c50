//! Health: whether the process lives, whether requests should be sent to it, and whether anything is
//! wrong with it.
//!
//! | Path | is 503 | for |
//! |---|---|---|
//! | `/healthz` | never | supervisors that restart what does not answer. A database that is down is no reason: a restart would not help, and all nodes would be restarted at once |
//! | `/readyz` | while draining, and while the data cannot be read or is out of date | load balancers. That it cannot be written is no reason: no node can, and reading goes on |
//! | `/health` | while the data cannot be read or written, or is out of date | people who are to do something about it |
//!
//! Load balancers usually reach nothing but the public address, so the first two are there as well.
//! Anybody can ask there, so the answers say nothing of the inside.

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{StatusCode, header};

use super::writing::Writing;
use crate::{
    answers::snapshot::{MAX_AGE, Snapshots},
    http::draining::Draining,
};

const DRAINING: &str = "the node is draining: it is about to stop";

/// `GET /healthz`: 200 while the process works.
pub async fn alive() -> Response {
    answer(Ok(()))
}

/// `GET /readyz` on the public side: 200 if requests should be sent to this node, else 503.
pub async fn ready(
    State(draining): State<Draining>,
    State(snapshots): State<Snapshots>,
) -> Response {
    answer(readable(&draining, &snapshots).map_err(|_| "not ready".to_owned()))
}

/// `GET /readyz` on the operator's side: the same with the reason.
pub async fn ready_or_why(
    State(draining): State<Draining>,
    State(snapshots): State<Snapshots>,
) -> Response {
    answer(readable(&draining, &snapshots))
}

/// `GET /health` on the operator's side: 200 while the data can be read and written and is up to date,
/// else 503 with the reason.
pub async fn well_or_why(
    State(snapshots): State<Snapshots>,
    State(writing): State<Writing>,
) -> Response {
    answer(current(&snapshots).and_then(|()| match writing.problem() {
        Some(problem) => Err(format!("the data can be read, but not written: {problem}")),
        None => Ok(()),
    }))
}

/// Why no requests should be sent to this node, if there is a reason.
fn readable(draining: &Draining, snapshots: &Snapshots) -> Result<(), String> {
    if draining.has_begun() {
        return Err(DRAINING.to_owned());
    }
    current(snapshots)
}

/// Why what the service answers may be out of date, if it may.
fn current(snapshots: &Snapshots) -> Result<(), String> {
    let age = snapshots.age();
    if snapshots.current().failing {
        Err("the data cannot be read".to_owned())
    } else if age > MAX_AGE {
        Err(format!("the data was last known to be current {} seconds ago", age.as_secs()))
    } else {
        Ok(())
    }
}

/// Everything that is wrong with the node, in sentences.
pub(crate) fn problems(
    draining: &Draining,
    snapshots: &Snapshots,
    writing: &Writing,
) -> Vec<String> {
    let unwritable =
        writing.problem().map(|problem| format!("the data cannot be written: {problem}"));
    [draining.has_begun().then(|| DRAINING.to_owned()), current(snapshots).err(), unwritable]
        .into_iter()
        .flatten()
        .collect()
}

fn answer(state: Result<(), String>) -> Response {
    let (status, mut text) = match state {
        Ok(()) => (StatusCode::OK, "ok".to_owned()),
        Err(problem) => (StatusCode::SERVICE_UNAVAILABLE, problem),
    };
    text.push('\n');
    (status, [(header::CACHE_CONTROL, "no-store")], text).into_response()
}
