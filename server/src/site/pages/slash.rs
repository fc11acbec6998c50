use app::widgets::registry::Widget;
use axum::response::{IntoResponse, Redirect, Response};
use http::Uri;

use super::Pages;
use crate::realm::Realm;

/// Redirects from the path of a page with trailing slashes, such as `/docs/`, to the page. `None` if there is no such
/// page, so a path like `//evil.example/` never redirects to another host.
pub(crate) fn without_slash(pages: &Pages, uri: &Uri) -> Option<Response> {
    let base_path = pages.base_urls.path();
    let path = uri.path();
    let page = match path.trim_end_matches('/') {
        // With a base path, the base path alone is the start page without its slash.
        shortened if !shortened.is_empty() && path == base_path => "/",
        shortened if shortened.len() < path.len() && is_page(pages, shortened) => shortened,
        _ => return None,
    };
    let (mark, query) = uri.query().map_or(("", ""), |query| ("?", query));
    Some(Redirect::permanent(&format!("{base_path}{page}{mark}{query}")).into_response())
}

fn is_page(pages: &Pages, path: &str) -> bool {
    match path.strip_prefix("/embed/") {
        Some(name) => Widget::named(name).is_some(),
        // The portal, which Leptos does not route.
        None => {
            path == Realm::Partners.path()
                || pages.routes().iter().any(|route| route.path() == path)
        }
    }
}
