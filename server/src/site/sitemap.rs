use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::header;

use crate::{base_url::ReachedAt, site::pages::Pages};

/// `GET /sitemap.xml`: the pages for people. Widgets are parts of other pages, and search engines need no files.
pub async fn get(State(pages): State<Pages>, reached: ReachedAt) -> Response {
    let base = reached.base_url.as_str().replace('&', "&amp;");
    let paths = pages.routes().iter().map(|route| route.path());
    let paths = paths.filter(|path| !path.starts_with("/embed/"));
    let urls: String =
        paths.map(|path| format!("  <url><loc>{base}{path}</loc></url>\n")).collect();
    let xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{urls}</urlset>\n"
    );
    let kept = [
        (header::CONTENT_TYPE, "application/xml; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ];
    reached.vary((kept, xml).into_response())
}
