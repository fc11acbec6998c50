//! The documentation. Its pages are `app`'s; here they get their addresses.

mod send;

use app::pages::docs::Page;
use axum::{extract::State, response::Response};
use http::{HeaderMap, Uri};

pub use self::send::send;
use crate::{
    error::Result,
    pages::{base_url, by_host},
    router::not_found,
    state::App,
};

/// `GET /docs` and the pages below it.
pub async fn page(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response> {
    let Some(page) = Page::at(uri.path()) else {
        return Err(not_found(uri).await);
    };
    let page = app.pages.docs(&app, page, base_url(&app, &headers)).await;
    Ok(by_host(&app, page.respond(&headers)))
}
