//! Pages and widgets: every route of [`app::App`]. Leptos renders each once for each data version
//! and set of options; this module adds the security headers.

mod cache;
mod not_found;
mod source;

pub use self::cache::Pages;
pub(crate) use self::{
    not_found::{not_found, nothing_at, shown},
    source::SnapshotSource,
};
use app::request::{PageKind, PageRequest};
use axum::{extract::State, response::Response};
use http::{HeaderMap, HeaderValue, Uri, header};

use crate::{config, http::problem::Result, state::App};

/// What documents may load, and who may frame them.
#[derive(Clone, Debug)]
pub struct Policies {
    widget: HeaderValue,
    page: HeaderValue,
}

impl Policies {
    pub fn new(settings: &config::Serve) -> Self {
        let policy = |rest: &str| {
            let policy = format!(
                "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                 img-src 'self' data:; connect-src 'self'; base-uri 'none'; {rest}"
            );
            // The settings were checked when they were parsed.
            HeaderValue::from_str(&policy)
                .unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"))
        };
        let ancestors = &settings.frame_ancestors;
        Self {
            widget: policy(&format!("form-action 'none'; frame-ancestors {ancestors}")),
            page: policy("form-action 'self'; frame-src 'self'; frame-ancestors 'self'"),
        }
    }
}

/// The handler of all pages and widgets.
pub async fn render(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Result<Response> {
    let accept_language =
        headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let query = uri.query().unwrap_or_default();
    let base_url = base_url(&app, &headers);
    let Some(request) = PageRequest::new(uri.path(), query, accept_language, base_url) else {
        return Ok(not_found(&app, uri.path(), &headers).await);
    };
    let answer = app.pages.page(&app, request.clone()).await?;
    let mut response = by_host(&app, document(&app, &request, answer.respond(&headers)));
    if request.kind == PageKind::Widget {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(request.lang.tag()));
        if request.embed.options.lang.is_none() {
            headers.append(header::VARY, HeaderValue::from_static("accept-language"));
        }
    }
    Ok(response)
}

/// Adds the headers that follow from what kind of page a document is.
fn document(app: &App, request: &PageRequest, response: Response) -> Response {
    let policies = &app.pages.policies;
    if !request.kind.is_framed() {
        return fenced(response, policies.page.clone());
    }
    let mut response = fenced(response, policies.widget.clone());
    // A page that isolates itself may only show frames that do so too. Ours load nothing from
    // elsewhere anyway.
    let isolated = HeaderValue::from_static("require-corp");
    response.headers_mut().insert("cross-origin-embedder-policy", isolated);
    response
}

/// Adds the security headers that every document has.
pub(crate) fn fenced(mut response: Response, policy: HeaderValue) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    response
}

/// The URL at which the reader reached this service: the setting, else the Host header if it is a
/// plain host name.
pub(crate) fn base_url(app: &App, headers: &HeaderMap) -> String {
    if let Some(url) = &app.settings.public_url {
        return url.clone();
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).filter(|host| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-.:[]_".contains(c);
        !host.is_empty() && host.len() <= 255 && host.chars().all(plain)
    });
    format!("http://{}", host.unwrap_or("localhost"))
}

/// Tells caches that the response contains [`base_url`], if that depends on the request.
pub(crate) fn by_host(app: &App, mut response: Response) -> Response {
    if app.settings.public_url.is_none() {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("host"));
    }
    response
}
