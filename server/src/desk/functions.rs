//! The server functions of [`desk::functions`], for the signed-in person.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Redirect, Response},
};
use desk::{
    backend::{Notice, SharedWork},
    functions::SIGNED_OUT,
};
use edge::{gate, single_use};
use http::{HeaderMap, StatusCode, header};
use leptos::prelude::provide_context;
use leptos_axum::handle_server_fns_with_context;

use super::{desk_session::DeskSession, pages::unreadable, problems};
use crate::{
    base_url::ReachedAt,
    operator::base_urls,
    problem::Result,
    realm::{Realm, csrf::fenced, notice},
    site::visitors::Visitor,
    state::AppState,
};

/// Handler of `POST /desk/do/…`.
pub(super) async fn call(State(app): State<AppState>, request: Request) -> Response {
    fenced(run(&app, request, true).await)
}

/// Handler of `POST /desk/do/sign-in`.
pub(super) async fn sign_in(State(app): State<AppState>, request: Request) -> Response {
    fenced(run(&app, request, false).await)
}

async fn run(app: &AppState, request: Request, must_be_signed_in: bool) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let base_url = ReachedAt::of(&base_urls(app), &parts).base_url;
    let session = DeskSession::of_form(app, &parts, base_url.clone()).await?;
    if must_be_signed_in && !session.is_taken() {
        return Ok(match is_form(&parts.headers) {
            true => Redirect::to(&base_url.link("/desk/sign-in")).into_response(),
            false => (StatusCode::UNAUTHORIZED, SIGNED_OUT).into_response(),
        });
    }
    if !must_be_signed_in && let Err(problem) = Visitor::of(&app.visitors, &parts).count_sign_in() {
        return match is_form(&parts.headers) {
            true => Ok(notice::lead(
                Realm::Desk,
                "/desk/sign-in",
                &Notice::UserError(problems::detail(&problem, session.lang)),
                &base_url,
            )),
            false => Err(problem),
        };
    }
    let body = gate::whole(body).await?;
    let lang = session.lang;
    let work: SharedWork = Arc::new(session);
    let context = move || {
        provide_context(work.clone());
        provide_context(lang);
    };
    let headers = parts.headers.clone();
    let request = Request::from_parts(parts, body.into());
    let response = handle_server_fns_with_context(context, request).await.into_response();
    // The list, which an open page reads every two seconds, has some ten kilobytes.
    single_use::gzipped(response, &headers).await.map_err(unreadable)
}

/// Whether a browser sends the form without a script, and displays the response.
pub(super) fn is_form(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}
