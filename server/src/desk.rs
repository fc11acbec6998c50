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
mod told;
mod upload;

pub(crate) use self::{fence::fenced, session::known_sessions};

use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};
use desk::{Desk, NEW_KEY};
use edge::routes::Routes;
use leptos_axum::{AxumRouteListing, LeptosRoutes, generate_route_list};

use crate::{config::Side, gates, site::assets, state::AppState};

/// Maximum size of a form, in bytes: some thousand ids.
const MAX_FORM_BYTES: usize = 1 << 20;

/// All of it.
pub(crate) fn routes(app: &AppState) -> Routes<AppState> {
    let pages = generate_route_list(Desk);
    let router = Router::new().leptos_routes_with_handler(pages.clone(), pages::render);
    let routes = Routes::of(gates::SESSION, router, pages.iter().map(AxumRouteListing::path))
        .route("/desk/do/sign-in", gates::SIGN_IN, post(functions::sign_in))
        .route("/desk/do/{function}", gates::SESSION.up_to(MAX_FORM_BYTES), post(functions::call))
        // A file may be of any size.
        .route(
            "/desk/upload",
            gates::SESSION.streamed(),
            post(upload::upload).layer(DefaultBodyLimit::disable()),
        )
        .route(NEW_KEY, gates::SESSION.with_body(), post(issuing::issue))
        .route("/desk/refused.csv", gates::SESSION, get(refused::download))
        .route("/desk/{*unknown}", gates::SESSION, get(pages::nothing));
    match app.settings.operator_on {
        Side::Public => routes,
        // What the pages load, and that of the reference of the API, is not there otherwise.
        Side::Ops => routes
            .route("/assets/{*file}", gates::FREE, get(assets::asset))
            .route("/favicon.svg", gates::FREE, get(assets::fixed_file))
            .route("/logo.svg", gates::FREE, get(assets::fixed_file))
            .route("/logo.png", gates::FREE, get(assets::fixed_file))
            .route("/copy.js", gates::FREE, get(assets::fixed_file))
            .route("/docs.js", gates::FREE, get(assets::fixed_file)),
    }
}

/// See `fuzz.rs`: the token of a session among cookies.
#[cfg(test)]
pub(crate) fn fuzz_token(headers: &http::HeaderMap) -> Option<String> {
    let base_url = app::base_url::BaseUrl::default();
    let mut tokens = session::Token::all_of(headers, &base_url);
    tokens.next().map(|token| token.as_str().to_owned())
}
