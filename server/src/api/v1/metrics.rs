use axum::{extract::State, response::Response};
use http::HeaderMap;

use crate::{api::Parameters, error::Result, state::App, store::Filter};

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
