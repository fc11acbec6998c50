use std::sync::Arc;

use app::request::PageRequest;
use axum::response::{IntoResponse, Response};
use edge::accept::prefers_html;
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts};

use super::{Pages, document};
use crate::{
    base_url::ReachedAt,
    problem::{Problem, Result, quoted},
    site::visitors::Visitor,
};

/// Response for an unknown path: a page for people, a problem for programs. The `Accept` header decides.
pub(crate) async fn not_found(pages: &Pages, request: &Parts) -> Response {
    let mut response = if prefers_html(&request.headers) {
        page(pages, request).await.unwrap_or_else(Problem::into_response)
    } else {
        nothing_at(request.uri.path()).into_response()
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    response
}

/// Problem of an unknown path.
pub(crate) fn nothing_at(path: &str) -> Problem {
    Problem::not_found(format!("There is nothing at {}.", quoted(path)))
}

async fn page(pages: &Pages, request: &Parts) -> Result<Response> {
    let visitor = Visitor::of(&pages.visitors, request);
    let reached = ReachedAt::of(&pages.base_urls, request);
    let request = PageRequest::not_found(request.uri.path(), reached.base_url.clone());
    let request = Arc::new(request);
    let answer = pages.page(&request, &visitor).await?;
    // Without the request's headers: a 304 would hide the status 404.
    let mut response = document(pages, &request, answer.respond(&HeaderMap::new()));
    *response.status_mut() = StatusCode::NOT_FOUND;
    response.headers_mut().remove(header::ETAG);
    // Like problems: the path may exist soon.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(reached.vary(response))
}
