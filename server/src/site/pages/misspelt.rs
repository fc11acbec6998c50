use std::sync::Arc;

use app::{pages::misspelt::misspelt_option, request::PageRequest};
use axum::response::{IntoResponse, Response};
use edge::accept::prefers_html;
use http::{HeaderValue, StatusCode, header, request::Parts};

use super::{Pages, SnapshotPageData, complete, form::unstored, rendered};
use crate::{
    api::NearMiss,
    base_url::ReachedAt,
    problem::{Problem, Result},
    site::visitors::{Visitor, cost},
};

/// Response for a widget with a misspelt option: a page that fits the widget's frame for people, a problem for
/// programs. The `Accept` header decides. The page is not cached, because the number of wrong names is unlimited.
pub(super) async fn respond(
    pages: &Pages,
    page: &PageRequest,
    request: &Parts,
    miss: NearMiss,
) -> Result<Response> {
    let mut response = match prefers_html(&request.headers) {
        true => document(pages, page, request, miss).await?,
        false => Problem::from(miss).into_response(),
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

async fn document(
    pages: &Pages,
    page: &PageRequest,
    request: &Parts,
    NearMiss { given, meant }: NearMiss,
) -> Result<Response> {
    Visitor::of(&pages.visitors, request).pay(cost::PAGE)?;
    let source = Arc::new(SnapshotPageData::new(pages.sources().clone()));
    let view = move || misspelt_option(given, meant);
    let html = rendered(page.clone(), source, pages.assets.clone(), view).await?;
    let reached = ReachedAt::of(&pages.base_urls, request);
    let response = unstored(&html, &request.headers);
    let mut response = complete(pages, page, &reached, response);
    *response.status_mut() = StatusCode::BAD_REQUEST;
    Ok(response)
}
