//! The table of contents: one line a route.

use axum::{
    Router,
    extract::{OriginalUri, Request, State},
    middleware,
    routing::get,
};
use http::{HeaderName, Method, header};
use std::time::Duration;
use tower_http::{
    CompressionLevel,
    compression::CompressionLayer,
    cors::{Any, CorsLayer},
};

use crate::{api::v1, boundary, embed, error::Problem, pages, site, state::App};

/// Everything the public side answers.
pub fn router(app: App) -> Router {
    let api = Router::new()
        .route("/metrics", get(v1::metrics::get))
        .route("/geo-facets", get(v1::geo_facets::get))
        .route("/reports", get(v1::reports::get))
        .route("/stream", get(v1::stream::get))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(not_found);
    Router::new()
        .route("/", get(pages::home))
        .route("/embed/metrics", get(embed::metrics))
        .route("/assets/{*file}", get(site::asset))
        .nest("/api/v1", api)
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(site::fixed_file)
        .layer(compression())
        .layer(cors())
        .layer(middleware::from_fn_with_state(app.clone(), boundary::boundary))
        .with_state(app)
}

/// What is served is public and carries no cookies: any page may read it. That goes for widgets and
/// assets too, since a sandboxed frame has an origin of its own.
fn cors() -> CorsLayer {
    const EXPOSED: [HeaderName; 6] = [
        header::ETAG,
        header::RETRY_AFTER,
        HeaderName::from_static("ratelimit"),
        HeaderName::from_static("ratelimit-policy"),
        HeaderName::from_static("deprecation"),
        HeaderName::from_static("sunset"),
    ];
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::OPTIONS])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_NONE_MATCH,
            header::CACHE_CONTROL,
            HeaderName::from_static("last-event-id"),
        ])
        .expose_headers(EXPOSED)
        .max_age(Duration::from_secs(86_400))
        .vary([])
}

/// For what is made on the fly; files of the site are compressed when it is built.
fn compression() -> CompressionLayer {
    CompressionLayer::new().br(true).gzip(true).quality(CompressionLevel::Precise(4))
}

/// The answer to a path that leads nowhere.
pub(crate) async fn not_found(OriginalUri(uri): OriginalUri) -> Problem {
    Problem::not_found(format!("There is nothing at {}.", shown(uri.path())))
}

async fn method_not_allowed(
    State(_): State<App>,
    OriginalUri(uri): OriginalUri,
    request: Request,
) -> Problem {
    let path = shown(uri.path());
    Problem::method_not_allowed(format!(
        "{} is not possible at {path}; the Allow header says what is.",
        request.method()
    ))
}

fn shown(path: &str) -> String {
    path.chars().take(100).collect()
}
