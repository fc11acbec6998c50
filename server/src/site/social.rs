use axum::{extract::State, response::Response};
use http::HeaderMap;

use crate::{
    http::problem::Result,
    site::{
        embed::PICTURE_POLICY,
        pages::fenced,
        pictures::{Format, Subject},
    },
    state::App,
};

/// `GET /social.png`: what other sites show of a link to this one, with the counters of now.
pub async fn get(State(app): State<App>, headers: HeaderMap) -> Result<Response> {
    let picture = app.pictures.get(&app, Subject::Social, Format::Png).await?;
    Ok(fenced(picture.answer.respond(&headers), PICTURE_POLICY))
}
