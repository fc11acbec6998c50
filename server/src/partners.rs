//! The portal, `/partners`: pages on which partners help themselves, on the public address. They sign in with the key
//! that their programs use, and do the same things as the API with the same store. The pages are in [`desk::portal`]; a
//! [`Visit`](visit::Visit) loads their data.
//!
//! Requests do not count against the quota of the key, because partners need the pages most when it is used up. They
//! count as uncached pages against their address.

mod actions;
mod address;
mod deliveries;
mod fields;
mod log;
mod overview;
mod pages;
mod problems;
mod sign_in;
mod subscriptions;
mod unwanted;
mod usage;
mod visit;
mod words;

use axum::routing::{get, post};
use desk::portal::LANGUAGE;
use edge::routes::Routes;

use crate::{
    gates::{SESSION, SIGN_IN},
    realm::{Realm, language},
    state::AppState,
};

/// All routes of the portal.
pub(crate) fn routes() -> Routes<AppState> {
    Routes::default()
        .route("/partners", SESSION, get(pages::overview))
        .route("/partners/sign-in", SESSION, get(pages::sign_in))
        .route("/partners/subscription", SESSION, get(pages::subscription))
        .route("/partners/mails", SESSION, get(unwanted::page))
        .route("/partners/do/end-mails", SESSION.with_body(), post(unwanted::end))
        .route("/partners/do/{action}", SESSION.with_body(), post(actions::call))
        .route("/partners/do/sign-in", SIGN_IN, post(sign_in::begin))
        .route("/partners/do/sign-out", SESSION, post(sign_in::end))
        .route(
            LANGUAGE,
            SESSION.with_body(),
            post(|app, request| language::choose(Realm::Partners, app, request)),
        )
        .route("/partners/{*unknown}", SESSION, get(pages::nothing))
}
