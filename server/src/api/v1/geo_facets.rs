use axum::{
    extract::{Request, State},
    response::Response,
};
use serde_json::json;

use crate::{
    api::{Caller, Parameters},
    openapi::{
        Operation, Parameter,
        parameter::{FROM, LANG, TO, TYPES},
    },
    problem::{Code, Result},
    responses::{FacetsQuery, GeoFacets, ResponseCache},
    site::visitors::{Visitor, cost},
};

const PARAMETERS: &[Parameter] = &[
    FROM.required("First event date, inclusive."),
    TO.required("Last event date, inclusive, not before `from`."),
    TYPES,
    LANG,
];

/// Cost of places with names in a language, as a multiple of the cost without: each city is searched in the gazetteer.
const NAMING: f64 = 10.0;

/// `GET /api/v1/geo-facets`: the distinct places with approved reports in a period.
pub async fn get(
    State(responses): State<ResponseCache>,
    caller: Caller,
    visitor: Visitor,
    request: Request,
) -> Result<Response> {
    let parameters = Parameters::of(request.uri().query(), PARAMETERS)?;
    let (from, to) = parameters.required_period()?;
    let query = FacetsQuery { from, to, types: parameters.types()?, lang: parameters.lang()? };
    if let Some(known) = responses.known_geo_facets(query).await {
        return Ok(known.respond(request.headers()));
    }
    let pays = caller.key.is_none();
    if pays {
        visitor.pay(cost::ANSWER)?;
    }
    let place = visitor.place().await?;
    let places = responses.geo_facets(query, &place).await?;
    if pays {
        let naming = if query.lang.is_some() { NAMING } else { 1.0 };
        visitor.owe(naming * cost::MEGABYTE * places.plain_bytes() as f64 / 1e6);
    }
    Ok(places.respond(request.headers()))
}

pub(super) fn described() -> Operation {
    let example = json!({
        "period": { "from": "2024-01-01", "to": "2026-12-31" },
        "locations": [{
            "country": "Brazil", "region": "São Paulo", "city": "Campinas", "countryCode": "BR",
            "id": "pl_1f0c5e2a9b3d4c68",
        }],
    });
    Operation::read("/api/v1/geo-facets", "getGeoFacets", "Places with reports in a period")
        .about(
            "The distinct places with approved reports from `from` to `to`, both ends inclusive, \
             ordered by country, region and city. Countries have their English names, or those in `lang`; regions and \
             cities are in the spelling first published, or in `lang`. Places with the same names in `lang` are one.",
        )
        .parameters(PARAMETERS)
        .responses::<GeoFacets>("The places", example)
        .problems(&[Code::InvalidPeriod, Code::InvalidParameter])
}
