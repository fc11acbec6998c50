use app::embed::EmbedOptions;
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use http::{HeaderMap, HeaderValue};

use crate::{error::Result, pages::fenced, state::App};

/// A picture runs no scripts and loads nothing; its styles are inline.
const POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");

/// `GET /embed/metrics.svg`: the counters as a picture, for places that allow no iframes.
pub async fn badge(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let options = EmbedOptions::from_query(query.as_deref().unwrap_or_default());
    let answer = app.pages.badge(&app, options).await?;
    Ok(fenced(answer.respond(&headers), POLICY))
}
