use std::sync::OnceLock;

use app::pages::docs::search;
use axum::{
    extract::{Request, State},
    response::Response,
};
use edge::representation::Representation;

use crate::{config::ListenAddress, problem::Code, site::embeddable, state::AppState};

/// Indexes for the search in the documentation, made at their first request.
#[derive(Debug, Default)]
pub struct SearchIndexes {
    public: OnceLock<Representation>,
    operators: OnceLock<Representation>,
}

/// `GET /docs/search.json`: headings of all pages on the public address.
pub async fn search(State(app): State<AppState>, request: Request) -> Response {
    let index = app.search_indexes.public.get_or_init(|| {
        let mut pages = search::public(&app.openapi.document, &Code::ALL.map(Code::explained));
        if app.settings.operator_on == ListenAddress::Public {
            pages.extend(search::for_operators(&app.operators_openapi.document));
        }
        Representation::json(&pages)
    });
    embeddable(index.respond(request.headers()))
}

/// `GET /docs/search.json` on the operator's address.
pub async fn search_for_operators(State(app): State<AppState>, request: Request) -> Response {
    let index = app.search_indexes.operators.get_or_init(|| {
        let mut pages = search::for_operators(&app.operators_openapi.document);
        pages.extend(search::public_beside_guides(&Code::ALL.map(Code::explained)));
        Representation::json(&pages)
    });
    index.respond(request.headers())
}
