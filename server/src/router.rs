//! The table of contents: one line a route. Pages and widgets are the routes of [app::App].

use app::{base_url::BaseUrl, request::PageRequest};
use axum::{
    Router,
    extract::{Request, State},
    handler::Handler,
    middleware,
    response::{IntoResponse, Response},
    routing::{MethodRouter, get},
};
use http::{HeaderName, Method, header};
use leptos_axum::LeptosRoutes;
use std::time::Duration;
use tower::{ServiceBuilder, ServiceExt};
use tower_http::{
    CompressionLevel,
    compression::CompressionLayer,
    cors::{Any, CorsLayer},
};

use crate::{
    api::v1,
    http::{boundary, problem::Problem},
    site::{assets, docs, embed, oembed, pages, robots, sitemap, social},
    state::App,
};

/// Everything the public side answers.
pub fn router(app: App) -> Router {
    // One layer of two, not two layers: each costs every route a box.
    // CORS is the outer one: a page must be able to read a refusal, and asking whether it may ask
    // counts against no quota.
    let layers = ServiceBuilder::new()
        .layer(cors())
        .layer(middleware::from_fn_with_state(app.clone(), boundary::boundary));
    // For what is made on the fly and worth it: the counters are too short, a stream must not wait,
    // and files of the site were compressed when it was built.
    let compressed = |route: MethodRouter<App>| route.layer(compression());
    let routes = app.pages.routes().to_vec();
    let public_url = app.settings.public_url.clone().filter(|url| !url.path().is_empty());
    let routes = Router::new()
        .leptos_routes_with_handler(routes, pages::render.layer(compression()))
        .route("/docs/send/{*operation}", get(docs::send))
        .route("/embed/globe/markers", compressed(get(embed::globe_markers)))
        .route("/embed/live", compressed(get(embed::live)))
        .route("/embed/accent/{file}", get(embed::accent))
        .merge(embed::pictures(compressed)) // /embed/{widget}.svg and .png
        .route("/oembed", get(oembed::get))
        .route("/social.png", get(social::get))
        .route("/sitemap.xml", get(sitemap::get))
        .route("/robots.txt", get(robots::get))
        .route("/assets/{*file}", get(assets::asset))
        .route("/api/v1/metrics", get(v1::metrics::get))
        .route("/api/v1/geo-facets", compressed(get(v1::geo_facets::get)))
        .route("/api/v1/reports", compressed(get(v1::reports::get)))
        .route("/api/v1/stream", get(v1::stream::get))
        .route("/api/v1/openapi.json", compressed(get(v1::openapi::get)))
        .route(
            "/api/v1/webhooks",
            get(v1::webhooks::get).post(v1::webhooks::post).delete(v1::webhooks::delete),
        )
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(assets::fixed_file)
        .layer(layers)
        .with_state(app);
    let Some(public_url) = public_url else { return routes };
    // Around the routes, because a layer of theirs comes too late to lead to another one.
    Router::new().fallback_service(routes.map_request(move |mut request: Request| {
        public_url.strip(request.uri_mut());
        request
    }))
}

/// What is served is public and carries no cookies: any page may read it. That goes for widgets and
/// assets too, since a sandboxed frame has an origin of its own.
fn cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::HEAD, Method::OPTIONS, Method::POST, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_NONE_MATCH,
            header::CACHE_CONTROL,
            HeaderName::from_static("last-event-id"),
        ])
        .max_age(Duration::from_secs(86_400))
        .vary([])
}

fn compression() -> CompressionLayer {
    CompressionLayer::new().br(true).gzip(true).quality(CompressionLevel::Precise(4))
}

async fn method_not_allowed(State(app): State<App>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    let (method, path) = (&request.method, request.uri.path());
    // The route of the widgets also matches the names of unknown ones.
    let is_known = PageRequest::new(path, "", None, BaseUrl::default()).is_some();
    if !is_known && !embed::is_picture(path) {
        return pages::not_found(&app, &request).await;
    }
    let path = pages::shown(path);
    Problem::method_not_allowed(format!(
        "{method} is not possible at {path}; the Allow header says what is."
    ))
    .into_response()
}
