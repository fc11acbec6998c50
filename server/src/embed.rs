//! The widgets' documents, under `/embed/`.

mod badge;

use app::embed::{
    EmbedOptions,
    catalogue::{Embed, WIDGETS},
};
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use http::HeaderMap;

pub use self::badge::badge;
use crate::{
    pages::{base_url, by_host},
    state::App,
};

/// `GET /embed/metrics`
pub async fn metrics(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let options = EmbedOptions::from_query(query.as_deref().unwrap_or_default());
    let embed = Embed { widget: &WIDGETS[0], options };
    let page = app.pages.metrics_widget(&app, embed, base_url(&app, &headers)).await;
    by_host(&app, page.respond(&headers))
}
