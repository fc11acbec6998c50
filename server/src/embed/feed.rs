use app::{embed::EmbedOptions, model::ReportType};
use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use http::HeaderMap;

use crate::{
    error::Result,
    pages::place_filter,
    snapshot::RECENT,
    state::App,
    store::{Filter, Period, ReportsQuery},
};

/// `GET /embed/feed/reports`: the newest reports of some types, which neither the API nor the stream
/// has. With `lang`, places have their names in that language. For our own widget alone: the body may
/// change with the widget.
pub async fn reports(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let options = EmbedOptions::from_query(query.as_deref().unwrap_or_default());
    let query = ReportsQuery {
        filter: Filter { period: Period::default(), place: place_filter(&options.place) },
        types: ReportType::ALL.map(|kind| options.types.has(kind)),
        since: None,
        limit: RECENT,
    };
    let answer = match options.lang {
        Some(lang) => app.answers.reports_in(query, lang).await?,
        None => app.answers.reports(query).await?,
    };
    Ok(answer.respond(&headers))
}
