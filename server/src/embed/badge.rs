use app::embed::EmbedOptions;
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use http::HeaderMap;

use crate::{error::Result, state::App};

/// `GET /embed/metrics.svg`: the counters as a picture, for where no iframe is allowed.
pub async fn badge(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let options = EmbedOptions::from_query(query.as_deref().unwrap_or_default());
    Ok(app.pages.metrics_badge(&app, options).await?.respond(&headers))
}
