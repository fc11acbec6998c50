//! The widgets' documents, under `/embed/`.

use app::embed::EmbedOptions;
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use http::HeaderMap;

use crate::state::App;

/// `GET /embed/metrics`
pub async fn metrics(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let options = EmbedOptions::from_query(query.as_deref().unwrap_or_default());
    app.pages.metrics_widget(&app, options).await.respond(&headers)
}
