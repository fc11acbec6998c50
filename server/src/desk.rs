//! The desk, `/desk`: pages for people who decide on reports. It is where the operators' API is, and does the same
//! things with the same store. The crate [`desk`] has the pages; a [`Seat`](seat::Seat) is what they do their work with.

mod administering;
mod fence;
mod functions;
mod issuing;
mod overview;
mod pages;
mod refused;
mod seat;
mod session;
mod upload;

pub(crate) use self::fence::fenced;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};
use desk::{Desk, NEW_KEY};
use leptos_axum::{AxumRouteListing, LeptosRoutes, generate_route_list};

use crate::{config::Side, http::routes::Routes, site::assets, state::App};

/// All of it.
pub(crate) fn routes(app: &App) -> Routes<App> {
    let pages = generate_route_list(Desk);
    let router = Router::new().leptos_routes_with_handler(pages.clone(), pages::render);
    // Whoever tries keys has the limits of everybody.
    let requests = &app.admission;
    let routes = Routes::of(router, pages.iter().map(AxumRouteListing::path))
        .route("/desk/do/sign-in", post(requests.to(functions::sign_in)))
        .route("/desk/do/{function}", post(functions::call))
        // A file may be of any size.
        .route("/desk/upload", post(upload::upload).layer(DefaultBodyLimit::disable()))
        .route(NEW_KEY, post(issuing::issue))
        .route("/desk/refused.csv", get(refused::download))
        .route("/desk/{*unknown}", get(pages::nothing));
    match app.settings.operator_on {
        Side::Public => routes,
        // What the pages load, and that of the reference of the API, is not there otherwise.
        Side::Ops => routes
            .route("/assets/{*file}", get(assets::asset))
            .route("/favicon.svg", get(assets::fixed_file))
            .route("/logo.svg", get(assets::fixed_file))
            .route("/logo.png", get(assets::fixed_file))
            .route("/copy.js", get(assets::fixed_file))
            .route("/docs.js", get(assets::fixed_file)),
    }
}

/// See [`crate::fuzz`]: the token of a session among cookies.
#[cfg(test)]
pub(crate) fn fuzz_token(headers: &http::HeaderMap) -> Option<String> {
    session::Token::of(headers).map(|token| token.as_str().to_owned())
}
