//! The table of contents: one line per route, grouped by the checks before them. Pages and widgets are the routes of
//! [app::App].

use app::{base_url::BaseUrl, request::PageRequest};
use axum::{
    Router,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::{MethodRouter, any, get, post},
};
use edge::{boundary::Boundary, routes::Routes};
use leptos_axum::{AxumRouteListing, LeptosRoutes};

use crate::{
    api::{admission::Admission, v1},
    base_url::PublicUrl,
    config::ListenAddress,
    desk,
    gates::{self, FREE, REQUEST, UNCACHED},
    operator,
    ops::health,
    partners,
    problem::{Problem, quoted},
    site::{assets, docs, embed, feeds, oembed, pages, robots, sitemap, social},
    state::AppState,
};

/// All routes of the public side.
pub fn router(app: AppState) -> Boundary {
    let mut routes = site(&app).merge(api(&app)).merge(partners::routes());
    if app.settings.operator_on == ListenAddress::Public {
        routes = routes.merge(operator::routes(&app)).merge(desk::routes(&app));
    }
    let routes = routes.with_state(app.clone());
    let (clock, spans) = (app.clock.clone(), app.spans.clone());
    let below = app.settings.public_url.as_ref().map(PublicUrl::base_path);
    Boundary::new(routes, clock, &app.random, spans, below, gates::QUOTAS)
}

/// Open to everyone, without a limit as long as the response is cached.
fn site(app: &AppState) -> Routes<AppState> {
    pages(app)
        .route("/docs/search.json", FREE, get(docs::search))
        .route("/docs/send/{*operation}", FREE, get(docs::send))
        .route("/embed/globe/markers", UNCACHED, get(embed::globe_markers))
        .route("/embed/trend/series", UNCACHED, get(embed::trend_series))
        .route("/embed/live", UNCACHED, get(embed::live))
        .route("/embed/report", UNCACHED.with_body(), get(pages::render).post(pages::sent_form))
        .route("/embed/report/places", UNCACHED, get(embed::report_places))
        .route("/embed/accent/{file}", FREE, get(embed::accent))
        .route("/embed/colours/{file}", FREE, get(embed::colours))
        .merge(embed::pictures()) // /embed/{widget}.svg and .png
        .route(feeds::ATOM, UNCACHED, get(feeds::atom))
        .route(feeds::JSON, UNCACHED, get(feeds::json))
        .route("/oembed", UNCACHED, get(oembed::get))
        .route("/social.png", UNCACHED, get(social::get))
        .route("/sitemap.xml", FREE, get(sitemap::get))
        .route("/robots.txt", FREE, get(robots::get))
        .route("/healthz", FREE, get(health::alive))
        .route("/readyz", FREE, get(health::ready))
        .route("/assets/{*file}", FREE, get(assets::asset))
        .otherwise(|routes| {
            routes.method_not_allowed_fallback(method_not_allowed).fallback(assets::fixed_file)
        })
}

fn pages(app: &AppState) -> Routes<AppState> {
    let routes = app.pages.routes();
    let router = Router::new().leptos_routes_with_handler(routes.to_vec(), pages::render);
    Routes::of(UNCACHED, router, routes.iter().map(AxumRouteListing::path))
}

/// Behind admission: a key, if the request has one, must be valid, and every request counts against a quota.
fn api(app: &AppState) -> Routes<AppState> {
    let requests = &app.admission;
    let (streams, partners) = (requests.of_streams(), requests.of_partners());
    // Keys of a sandbox are refused everywhere else.
    let (open, sandbox) = (requests.with_sandbox(), partners.with_sandbox());
    Routes::default()
        .route("/api/v1/metrics", REQUEST, get(requests.to(v1::metrics::get)))
        .route("/api/v1/metrics/series", REQUEST, get(requests.to(v1::metrics::series::get)))
        .route("/api/v1/metrics/by", REQUEST, get(partners.to(v1::metrics::by::get)))
        .route("/api/v1/geo-facets", REQUEST, get(partners.to(v1::geo_facets::get)))
        .route(
            "/api/v1/reports",
            REQUEST.with_body(),
            get(requests.to(v1::reports::get)).post(partners.to(v1::reports::post)),
        )
        .route("/api/v1/reports.csv", REQUEST, get(partners.to(v1::reports::download::csv)))
        .route("/api/v1/reports.geojson", REQUEST, get(partners.to(v1::reports::download::geojson)))
        .route("/api/v1/reports.ndjson", REQUEST, get(partners.to(v1::reports::download::ndjson)))
        .route("/api/v1/reports/{id}", REQUEST, get(requests.to(v1::reports::one::get)))
        .route("/api/v1/challenge", REQUEST, get(requests.to(v1::challenge::get)))
        .route("/api/v1/stream", REQUEST, get(streams.to(v1::stream::get)))
        .route(
            "/api/v1/me",
            REQUEST.with_body(),
            get(sandbox.to(v1::me::get)).patch(sandbox.to(v1::me::patch)),
        )
        .route("/api/v1/openapi.json", REQUEST, get(open.to(v1::openapi::get)))
        .route("/api/v1/openapi-3.0.json", REQUEST, get(open.to(v1::openapi::get_3_0)))
        .route("/api/v1/events", REQUEST, get(partners.to(v1::events::get)))
        .route("/api/v1/webhooks", REQUEST.with_body(), webhooks(&sandbox))
        .route(
            "/api/v1/webhooks/replay",
            REQUEST.with_body(),
            post(partners.to(v1::webhooks::replay)),
        )
        .route("/api/v1/webhooks/rotate", REQUEST, post(sandbox.to(v1::webhooks::rotate)))
        .route("/api/v1/webhooks/subscription", REQUEST, get(sandbox.to(v1::webhooks::get_one)))
        .route("/api/v1/webhooks/test", REQUEST.with_body(), post(sandbox.to(v1::webhooks::test)))
        .route(
            "/api/v1/webhooks/deliveries",
            REQUEST,
            get(sandbox.to(v1::webhooks::get_deliveries)),
        )
        .route("/api", REQUEST, any(open.to(not_in_the_api)))
        .route("/api/{*unknown}", REQUEST, any(open.to(not_in_the_api)))
        .route("/api/", REQUEST, any(open.to(not_in_the_api)))
        .otherwise(|routes| routes.method_not_allowed_fallback(open.to(method_not_allowed)))
}

/// For partners only: these handlers take a `Partner`, so they require a partner's key.
fn webhooks(requests: &Admission) -> MethodRouter<AppState> {
    get(requests.to(v1::webhooks::get))
        .post(requests.to(v1::webhooks::post))
        .patch(requests.to(v1::webhooks::patch))
        .delete(requests.to(v1::webhooks::delete))
}

async fn not_in_the_api(request: Request) -> Problem {
    pages::nothing_at(request.uri().path())
}

async fn method_not_allowed(State(pages): State<pages::Pages>, request: Request) -> Response {
    let (request, _) = request.into_parts();
    let (method, path) = (&request.method, request.uri.path());
    // The route of the widgets also matches unknown names.
    let is_known = PageRequest::new(path, "", None, BaseUrl::default()).is_some();
    if !is_known && !embed::is_picture(path) {
        return pages::not_found(&pages, &request).await;
    }
    let path = quoted(path);
    Problem::method_not_allowed(format!(
        "{method} is not allowed at {path}; the Allow header lists the allowed methods."
    ))
    .into_response()
}
