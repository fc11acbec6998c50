use axum::{extract::State, response::Response};
use http::HeaderMap;

use crate::{api::Parameters, error::Result, state::App};

/// `GET /api/v1/geo-facets`: the distinct places with approved reports in a period.
pub async fn get(
    State(app): State<App>,
    parameters: Parameters,
    headers: HeaderMap,
) -> Result<Response> {
    let (from, to) = parameters.required_period()?;
    Ok(app.answers.geo_facets(from, to).await?.respond(&headers))
}
