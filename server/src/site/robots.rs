use axum::response::{IntoResponse, Response};
use http::header;

use crate::base_url::ReachedAt;

/// `GET /robots.txt`: search engines may index pages, but not data and widgets.
pub async fn get(reached: ReachedAt) -> Response {
    let (base, path) = (&reached.base_url, reached.base_url.path());
    let text = format!(
        "User-agent: *\nDisallow: {path}/api/\nDisallow: {path}/docs/send/\n\
         Disallow: {path}/oembed\n\nSitemap: {base}/sitemap.xml\n"
    );
    let kept = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ];
    reached.vary((kept, text).into_response())
}
