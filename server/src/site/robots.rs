use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, header};

use crate::{
    site::pages::{base_url, by_host},
    state::App,
};

/// `GET /robots.txt`: pages may be found; data and widgets are no pages.
pub async fn get(State(app): State<App>, headers: HeaderMap) -> Response {
    let base = base_url(&app, &headers);
    let text = format!(
        "User-agent: *\nDisallow: /api/\nDisallow: /docs/send/\nDisallow: /oembed\n\n\
         Sitemap: {base}/sitemap.xml\n"
    );
    let kept = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ];
    by_host(&app, (kept, text).into_response())
}
