use axum::{extract::State, response::Response};
use http::HeaderMap;
use serde_json::{Value, json};

use super::openapi::{Operation, parameter, reference};
use crate::{
    api::Parameters,
    http::problem::{Code, Result},
    state::App,
    store::Filter,
};

/// `GET /api/v1/metrics`: the counters.
pub async fn get(
    State(app): State<App>,
    parameters: Parameters,
    headers: HeaderMap,
) -> Result<Response> {
    let filter = Filter { period: parameters.period()?, place: parameters.place() };
    if filter == Filter::default() {
        return Ok(app.snapshots.current().snapshot.metrics_answer.respond(&headers));
    }
    Ok(app.answers.metrics(filter).await?.respond(&headers))
}

pub(super) fn described() -> Operation {
    Operation::read("/api/v1/metrics", "getMetrics", "The counters")
        .about(
            "They count reports, not people. The types are disjoint: a `both` report counts in \
             `both` only, and `total = spirit + water + both`. The `…Today` counters are of the \
             current UTC date under the same place, and are not narrowed by `from` and `to`.",
        )
        .parameters([parameter::period().to_vec(), parameter::places().to_vec()].concat())
        .answers("The counters", reference("Metrics"), Some(example()))
        .problems(&[Code::InvalidPeriod, Code::InvalidParameter])
}

pub(super) fn example() -> Value {
    json!({
        "spirit": 120,
        "water": 80,
        "both": 7,
        "total": 207,
        "spiritToday": 3,
        "waterToday": 1,
        "bothToday": 0,
        "totalToday": 4,
        "countries": 31,
        "cities": 96,
        "updatedAt": "2026-03-01T12:00:00.000Z",
    })
}
