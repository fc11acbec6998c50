//! `GET /docs/operator`: the interactive reference of the operator API, on the same address. Programs that accept JSON
//! get the document instead.

use std::sync::Arc;

use app::{base_url::BaseUrl, pages::docs, request::PageRequest};
use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use base::cache::{Cache, Limits};
use edge::{accept::prefers_json, representation::Representation};
use http::{HeaderValue, header};

use super::{base_urls, v1::openapi};
use crate::{
    base_url::ReachedAt,
    desk::fenced,
    openapi::PAGE_OF_OPERATORS,
    problem::{Problem, Result},
    site::{
        pages::{SnapshotSource, rendered},
        visitors::{Visitor, cost},
    },
    state::AppState,
};

/// Maximum size of the cache, in bytes.
const MAX_BYTES: u64 = 2 << 20;

/// Handles the route: see the [module](self).
pub(super) async fn get(State(app): State<AppState>, request: Request) -> Result<Response> {
    let mut response = match prefers_json(request.headers()) {
        true => openapi::get(State(app), request).await.into_response(),
        false => page(app, request).await?,
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

async fn page(app: AppState, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let base_url = ReachedAt::of(&base_urls(&app), &parts).base_url;
    let pages = &app.operators_pages;
    if let Some(page) = pages.get(&base_url).await {
        return Ok(fenced(page.respond(&parts.headers)));
    }
    Visitor::of(&app.visitors, &parts).pay(cost::PAGE)?;
    let Some(page) = PageRequest::new(PAGE_OF_OPERATORS, "", None, base_url.clone()) else {
        return Err(Problem::not_found("There is no such page."));
    };
    let source = Arc::new(SnapshotSource::new(app.pages.sources().clone()));
    let description = app.operators_openapi.clone();
    let view = move || docs::operators(&description.document);
    let page =
        pages.get_or_try(base_url, rendered(page, source, app.site.assets.clone(), view)).await?;
    Ok(fenced(page.respond(&parts.headers)))
}

/// Makes a cache of the page by base URL.
pub(crate) fn pages() -> Cache<BaseUrl, Representation> {
    let limits = Limits { weight: MAX_BYTES, ..Limits::default() };
    Cache::new(limits, |url: &BaseUrl, page: &Representation| page.weight(url.as_str().len()))
}
