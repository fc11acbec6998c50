use app::embed::registry::Widget;
use axum::response::{IntoResponse, Redirect, Response};
use http::Uri;

use crate::state::App;

/// Leads from the path of a page with slashes at its end, such as `/docs/`, to the page. Nothing
/// where there is no such page: so a path like `//evil.example/` leads to no other host.
pub(crate) fn without_slash(app: &App, uri: &Uri) -> Option<Response> {
    let base_path = app.settings.public_url.as_ref().map_or("", |url| url.path());
    let path = uri.path();
    let page = match path.trim_end_matches('/') {
        // Below a path, that alone is the start page without its slash.
        shortened if !shortened.is_empty() && path == base_path => "/",
        shortened if shortened.len() < path.len() && is_page(app, shortened) => shortened,
        _ => return None,
    };
    let (mark, query) = uri.query().map_or(("", ""), |query| ("?", query));
    Some(Redirect::permanent(&format!("{base_path}{page}{mark}{query}")).into_response())
}

fn is_page(app: &App, path: &str) -> bool {
    match path.strip_prefix("/embed/") {
        Some(name) => Widget::named(name).is_some(),
        None => app.pages.routes().iter().any(|route| route.path() == path),
    }
}
