//! The desk, `/desk`: pages for people who decide on reports. It is served next to the operator API, and does the same
//! things with the same store. The pages are in the crate [`desk`]; a
//! [`DeskSession`](desk_session::DeskSession) is the implementation that
//! they call.

mod admin;
mod api_keys;
mod audit;
mod beside;
mod correcting;
mod csv_file;
mod deciding;
mod desk_session;
mod duplicates;
mod functions;
mod lists;
mod overview;
mod pages;
mod preview;
pub(crate) mod problems;
mod refused;
mod reports_csv;
mod spellings;
mod upload;
mod views;
pub(crate) mod words;

pub(crate) use self::overview::reason as reason_in;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    routing::{get, post},
};
use desk::{AUDIT_CSV, Desk, LANGUAGE, NEW_KEY, REPORTS_CSV};
use edge::routes::Routes;
use leptos_axum::{AxumRouteListing, LeptosRoutes, generate_route_list};

use crate::{
    config::ListenAddress,
    gates,
    realm::{Realm, language},
    site::{assets, docs, embed},
    state::AppState,
};

/// Maximum size of a form, in bytes: enough for some thousand ids.
const MAX_FORM_BYTES: usize = 1 << 20;

/// All routes of the desk.
pub(crate) fn routes(app: &AppState) -> Routes<AppState> {
    let pages = generate_route_list(Desk);
    let router = Router::new().leptos_routes_with_handler(pages.clone(), pages::render);
    let routes = Routes::of(gates::SESSION, router, pages.iter().map(AxumRouteListing::path))
        .route("/desk/do/sign-in", gates::SIGN_IN, post(functions::sign_in))
        .route("/desk/do/{function}", gates::SESSION.up_to(MAX_FORM_BYTES), post(functions::call))
        // No size limit: a file may be of any size.
        .route(
            "/desk/upload",
            gates::SESSION.streamed(),
            post(upload::upload).layer(DefaultBodyLimit::disable()),
        )
        .route(
            LANGUAGE,
            gates::SESSION.with_body(),
            post(|app, request| language::choose(Realm::Desk, app, request)),
        )
        .route(NEW_KEY, gates::SESSION.with_body(), post(api_keys::issue))
        .route(REPORTS_CSV, gates::SESSION, get(reports_csv::download))
        .route(AUDIT_CSV, gates::SESSION, get(audit::download))
        .route("/desk/refused.csv", gates::SESSION, get(refused::download))
        .route("/desk/{*unknown}", gates::SESSION, get(pages::nothing));
    match app.settings.operator_on {
        ListenAddress::Public => routes,
        // The operator's address has no other assets: these are for the desk and the API reference.
        ListenAddress::Ops => routes
            .route("/", gates::FREE, get(pages::lead_to_desk))
            .route("/assets/{*file}", gates::FREE, get(assets::asset))
            .route("/favicon.svg", gates::FREE, get(assets::fixed_file))
            .route("/logo.svg", gates::FREE, get(assets::fixed_file))
            .route("/logo.png", gates::FREE, get(assets::fixed_file))
            .route("/embed/colours/{file}", gates::FREE, get(embed::colours))
            .route("/copy.js", gates::FREE, get(assets::fixed_file))
            .route("/docs.js", gates::FREE, get(assets::fixed_file))
            .route("/search.js", gates::FREE, get(assets::fixed_file))
            .route("/docs/search.json", gates::FREE, get(docs::search_for_operators)),
    }
}
