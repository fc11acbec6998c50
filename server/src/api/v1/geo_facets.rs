use axum::{extract::State, response::Response};
use http::HeaderMap;
use serde_json::json;

use super::openapi::{Operation, parameter, reference};
use crate::{
    api::Parameters,
    http::problem::{Code, Result},
    state::App,
};

/// `GET /api/v1/geo-facets`: the distinct places with approved reports in a period.
pub async fn get(
    State(app): State<App>,
    parameters: Parameters,
    headers: HeaderMap,
) -> Result<Response> {
    let (from, to) = parameters.required_period()?;
    Ok(app.answers.geo_facets(from, to).await?.respond(&headers))
}

pub(super) fn described() -> Operation {
    let example = json!({
        "period": { "from": "2024-01-01", "to": "2026-12-31" },
        "locations": [{ "country": "Brazil", "region": "São Paulo", "city": "Campinas" }],
    });
    Operation::read("/api/v1/geo-facets", "getGeoFacets", "The places of a period")
        .about(
            "The distinct places with approved reports from `from` to `to`, both ends inclusive, \
             in the order of country, region, city, each in the spelling first published.",
        )
        .parameters(parameter::required_period())
        .answers("The places", reference("GeoFacets"), Some(example))
        .problems(&[Code::InvalidPeriod, Code::InvalidParameter])
}
