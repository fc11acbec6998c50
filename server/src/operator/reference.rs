//! `GET /docs/operator`: the operators' API for reading and trying out, where that API is. A program that asks for JSON
//! gets the document itself.

use std::sync::Arc;

use app::{pages::docs, request::PageRequest, shell::provide_page_context};
use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, header};
use leptos_axum::handle_response_inner;

use super::{base_urls, v1::openapi};
use crate::{
    desk::fenced,
    http::{
        base_url::ReachedAt,
        problem::{Problem, Result},
    },
    openapi::PAGE_OF_OPERATORS,
    site::pages::{SnapshotSource, in_one_piece},
    state::App,
};

/// See the [module](self).
pub(super) async fn get(State(app): State<App>, request: Request) -> Result<Response> {
    let mut response = match wants_json(request.headers()) {
        true => openapi::get(State(app), request).await.into_response(),
        false => page(app, request).await?,
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("json") && !accept.contains("html"))
}

async fn page(app: App, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let base_url = ReachedAt::of(&base_urls(&app), &parts).base_url;
    let Some(page) = PageRequest::new(PAGE_OF_OPERATORS, "", None, base_url) else {
        return Err(Problem::not_found("There is no such page."));
    };
    let source = Arc::new(SnapshotSource::new(app.pages.sources().clone()));
    let assets = app.site.assets.clone();
    let context = move || provide_page_context(page.clone(), source.clone(), assets.clone());
    let description = app.operators_openapi.clone();
    let view = move || docs::operators(&description.document);
    let own = Request::builder().uri(PAGE_OF_OPERATORS).body(Body::empty());
    let own = own.map_err(|error| Problem::internal(Arc::new(error)))?;
    Ok(fenced(handle_response_inner(context, view, own, in_one_piece).await))
}
