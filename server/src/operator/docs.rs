//! `GET /docs/…`: the pages for operators, on the address of their API. `/docs/operator` is the reference of that
//! API, and
//! its OpenAPI document for requests that accept JSON.

use std::sync::Arc;

use app::{
    pages::docs::{self, GUIDES, PublicPage},
    request::PageRequest,
};
use axum::{
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use base::cache::{Cache, Limits};
use edge::{accept::prefers_json, representation::Representation};
use http::{HeaderValue, header};

use super::{base_urls, v1::openapi};
use crate::{
    base_url::{PublicUrl, ReachedAt},
    config::ListenAddress,
    problem::{Problem, Result},
    realm::csrf::fenced,
    site::{
        pages::{SnapshotPageData, rendered},
        visitors::{Visitor, cost},
    },
    state::AppState,
};

/// Maximum size of the cache, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// Paths of all pages but the reference. An address of the operators' own has the public pages, too: theirs link to
/// them.
pub(super) fn paths(app: &AppState) -> Vec<&'static str> {
    let guides = GUIDES.iter().map(|guide| guide.path);
    match app.settings.operator_on {
        ListenAddress::Public => guides.collect(),
        ListenAddress::Ops => {
            let public = PublicPage::ALL.into_iter().filter(|page| !page.is_part());
            guides.chain(public.map(PublicPage::path)).collect()
        }
    }
}

/// The reference.
pub(super) async fn reference(State(app): State<AppState>, request: Request) -> Result<Response> {
    let mut response = match prefers_json(request.headers()) {
        true => openapi::get(State(app), request).await.into_response(),
        false => page(State(app), request).await?,
    };
    response.headers_mut().append(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// Any page.
pub(super) async fn page(State(app): State<AppState>, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let base_url = ReachedAt::of(&base_urls(&app), &parts).base_url;
    let Some(asked) = PageRequest::new(parts.uri.path(), "", None, base_url) else {
        return Err(Problem::not_found("There is no such page."));
    };
    let pages = &app.operators_pages;
    if let Some(page) = pages.get(&asked).await {
        return Ok(fenced(page.respond(&parts.headers)));
    }
    Visitor::of(&app.visitors, &parts).pay(cost::PAGE)?;
    let source = Arc::new(SnapshotPageData::new(app.pages.sources().clone()));
    let (state, assets) = (app.clone(), app.site.assets.clone());
    let view = move || {
        let public_url = state.settings.public_url.as_ref().map(PublicUrl::as_str);
        docs::operators(&state.operators_openapi.document, public_url)
    };
    let page = pages.get_or_try(asked.clone(), rendered(asked, source, assets, view)).await?;
    Ok(fenced(page.respond(&parts.headers)))
}

/// The pages by the URLs at which they were requested.
pub(crate) fn pages() -> Cache<PageRequest, Representation> {
    let limits = Limits { weight: MAX_BYTES, ..Limits::default() };
    Cache::new(limits, |asked: &PageRequest, page: &Representation| {
        page.weight(asked.path.len() + asked.base_url.as_str().len())
    })
}
