use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use http::HeaderMap;

use crate::{
    api::embed_options,
    problem::Result,
    responses::{ResponseCache, trend},
    site::visitors::{Visitor, cost},
};

/// `GET /embed/trend/series`: the series of the trend with the options of the query. Only for this service's widget, so
/// not in the API, which has series by interval and counts each request.
pub async fn series(
    State(responses): State<ResponseCache>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let options = embed_options(&query.unwrap_or_default(), &[])?;
    let snapshot = responses.snapshot();
    let (filter, interval) = trend::selection(&options, snapshot.today);
    // Wider series are computed only after this one.
    if !responses.has_series(&snapshot, &filter, interval) {
        visitor.pay(cost::ANSWER)?;
    }
    match &*trend::series(&responses, &snapshot, &options).await? {
        Ok(series) => Ok(series.sent.respond(&headers)),
        Err(too_long) => Err(too_long.into()),
    }
}
