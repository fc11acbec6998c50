use app::request::PageRequest;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::{base_url, by_host, document};
use crate::{
    http::{
        accept::prefers_html,
        problem::{Problem, Result},
    },
    state::App,
};

/// The response to a path that leads nowhere: a page for people, a problem for programs. The `Accept`
/// header says who is which.
pub(crate) async fn not_found(app: &App, path: &str, headers: &HeaderMap) -> Response {
    let mut response = if prefers_html(headers) {
        page(app, path, headers).await.unwrap_or_else(Problem::into_response)
    } else {
        nothing_at(path).into_response()
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    response
}

/// The same for programs alone.
pub(crate) fn nothing_at(path: &str) -> Problem {
    Problem::not_found(format!("There is nothing at {}.", shown(path)))
}

async fn page(app: &App, path: &str, headers: &HeaderMap) -> Result<Response> {
    let request = PageRequest::not_found(path, base_url(app, headers));
    let answer = app.pages.page(app, request.clone()).await?;
    // Without the request's headers: the page may be known, that it is nothing is news.
    let mut response = document(app, &request, answer.respond(&HeaderMap::new()));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response.headers_mut().remove(header::ETAG);
    // As a problem has it: what is not there yet may be there soon.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(by_host(app, response))
}

/// A path or query as problems quote it.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(100).collect()
}
