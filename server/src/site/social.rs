use axum::{extract::State, response::Response};
use http::HeaderMap;

use crate::{
    problem::Result,
    site::{
        embed::PICTURE_POLICY,
        pages::fenced,
        pictures::{Format, Pictures, Subject},
        visitors::Visitor,
    },
};

/// `GET /social.png`: the preview of links to this site on other sites, with the current counters.
pub async fn get(
    State(pictures): State<Pictures>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response> {
    let picture = pictures.get(Subject::Social, Format::Png, &visitor).await?;
    Ok(fenced(picture.answer.respond(&headers), PICTURE_POLICY))
}
