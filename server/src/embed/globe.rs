use app::{embed::EmbedOptions, model::ReportType};
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use http::HeaderMap;

use crate::{error::Result, pages::place_filter, state::App};

/// `GET /embed/globe/markers`: the cities that the globe shows. For our own widget alone, hence not
/// in the API: what it answers may change with the widget.
pub async fn markers(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let options = EmbedOptions::from_query(query.as_deref().unwrap_or_default());
    let types = ReportType::ALL.map(|kind| options.types.has(kind));
    Ok(app.answers.markers(place_filter(&options.place), types).await?.respond(&headers))
}
