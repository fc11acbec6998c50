use axum::{extract::State, response::Response};
use http::HeaderMap;

use crate::{
    api::Parameters,
    error::Result,
    snapshot::RECENT,
    state::App,
    store::{ALL_TYPES, Filter, ReportsQuery},
};

/// `GET /api/v1/reports`: the newest approved reports.
pub async fn get(
    State(app): State<App>,
    parameters: Parameters,
    headers: HeaderMap,
) -> Result<Response> {
    let query = ReportsQuery {
        types: ALL_TYPES,
        limit: parameters.limit(RECENT)?,
        since: parameters.since()?,
        filter: Filter { period: parameters.period()?, place: parameters.place() },
    };
    if query == ReportsQuery::newest(RECENT) {
        return Ok(app.snapshots.current().snapshot.reports_answer.respond(&headers));
    }
    Ok(app.answers.reports(query).await?.respond(&headers))
}
