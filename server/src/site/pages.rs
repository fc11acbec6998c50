//! Pages and widgets: every route of [`app::App`]. Leptos renders each once for each data version and set of options;
//! this module adds the security headers.

mod cache;
mod form;
mod misspelt;
mod not_found;
mod page_data;
mod slash;

pub use self::{cache::Pages, page_data::Sources};
pub(crate) use self::{
    cache::{in_one_piece, rendered},
    form::sent as sent_form,
    not_found::{not_found, nothing_at},
    page_data::SnapshotPageData,
    slash::without_slash,
};

use std::sync::Arc;

use app::request::{PageKind, PageRequest};
use axum::{
    extract::{Request, State},
    response::Response,
};
use http::{HeaderName, HeaderValue, header};

use crate::{
    api::check_options,
    base_url::ReachedAt,
    config,
    problem::Result,
    site::{embeddable, visitors::Visitor},
};

const EMBEDDER_POLICY: HeaderName = HeaderName::from_static("cross-origin-embedder-policy");

/// Content security policies: the sources that documents may load, and the sites that may frame them.
#[derive(Clone, Debug)]
pub struct Policies {
    widget: HeaderValue,
    form: HeaderValue,
    page: HeaderValue,
}

impl Policies {
    pub fn new(settings: &config::Serve) -> Self {
        let policy = |rest: &str| {
            let policy = format!(
                "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                 img-src 'self' data:; connect-src 'self'; base-uri 'none'; {rest}"
            );
            // The settings were validated when they were parsed.
            HeaderValue::from_str(&policy)
                .unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"))
        };
        let ancestors = &settings.frame_ancestors;
        Self {
            widget: policy(&format!("form-action 'none'; frame-ancestors {ancestors}")),
            form: policy(&format!("form-action 'self'; frame-ancestors {ancestors}")),
            page: policy("form-action 'self'; frame-src 'self'; frame-ancestors 'self'"),
        }
    }
}

/// Handles requests for all pages and widgets.
pub async fn render(State(pages): State<Pages>, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let (uri, headers) = (&parts.uri, &parts.headers);
    let accept_language =
        headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let query = uri.query().unwrap_or_default();
    let reached = ReachedAt::of(&pages.base_urls, &parts);
    let base_url = reached.base_url.clone();
    let visitor = Visitor::of(&pages.visitors, &parts);
    let Some(request) = PageRequest::new(uri.path(), query, accept_language, base_url) else {
        return Ok(not_found(&pages, &parts).await);
    };
    if request.kind == PageKind::Widget
        && let Err(miss) = check_options(query, &[])
    {
        return misspelt::respond(&pages, &request, &parts, miss).await;
    }
    let request = Arc::new(request);
    let answer = match form::blank(&pages, &request).await? {
        Some(form) => {
            let document = pages.form(PageRequest::clone(&request), &visitor, form).await?;
            form::unstored(&document, headers)
        }
        None => pages.page(&request, &visitor).await?.respond(headers),
    };
    Ok(complete(&pages, &request, &reached, answer))
}

/// Adds the headers that depend on the request.
fn complete(
    pages: &Pages,
    request: &PageRequest,
    reached: &ReachedAt,
    response: Response,
) -> Response {
    let mut response = reached.vary(document(pages, request, response));
    if request.kind.has_data() {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(request.lang.tag()));
        if !request.is_lang_chosen {
            headers.append(header::VARY, HeaderValue::from_static("accept-language"));
        }
    }
    response
}

/// Adds the headers for the kind of the document.
fn document(pages: &Pages, request: &PageRequest, response: Response) -> Response {
    let policies = &pages.policies;
    if !request.kind.is_framed() {
        return fenced(response, policies.page.clone());
    }
    let policy = match form::is_for(request) {
        true => &policies.form,
        false => &policies.widget,
    };
    let mut response = fenced(response, policy.clone());
    // An isolated page may only show frames that are isolated, too. Documents of this service load nothing from other
    // sites anyway.
    let isolated = HeaderValue::from_static("require-corp");
    response.headers_mut().insert(EMBEDDER_POLICY, isolated);
    response
}

/// Adds the security headers of all documents.
pub(crate) fn fenced(mut response: Response, policy: HeaderValue) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    embeddable(response)
}
