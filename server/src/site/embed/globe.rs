use axum::{
    extract::{RawQuery, State},
    response::Response,
};
use http::HeaderMap;
use url::form_urlencoded;

use crate::{
    api::embed_options,
    problem::Result,
    responses::{ResponseCache, view::View},
    site::visitors::{Visitor, cost},
};

/// Maximum length of a version; ours are shorter.
const MAX_VERSION: usize = 64;

/// `GET /embed/globe/markers`: the cities on the globe, or the changes since a version. With `lang`, places have their
/// names in that language. `docs/api.md` describes the body, which only gains members and elements.
pub async fn markers(
    State(responses): State<ResponseCache>,
    visitor: Visitor,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response> {
    let query = query.unwrap_or_default();
    let options = embed_options(&query, &["since"])?;
    let View { filter, types, lang, .. } = View::of(&options, options.lang);
    let since = form_urlencoded::parse(query.as_bytes())
        .find_map(|(name, value)| (name == "since").then(|| value.into_owned()))
        .filter(|version| version.len() <= MAX_VERSION);
    let selection = (filter, types, lang);
    if !responses.has_markers(&selection) {
        visitor.pay(cost::ANSWER)?;
    }
    let markers = responses.markers(selection, since).await?;
    Ok(markers.respond(&headers))
}
