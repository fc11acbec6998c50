use std::sync::Arc;

use app::{base_url::BaseUrl, request::PageRequest, shell::provide_page_context};
use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse, Redirect, Response},
};
use desk::{
    DeskQuery,
    backend::{Notice, SharedWork},
    shell,
};
use edge::single_use;
use http::StatusCode;
use leptos::prelude::provide_context;
use leptos_axum::handle_response_inner;

use super::desk_session::DeskSession;
use crate::{
    base_url::ReachedAt,
    operator::base_urls,
    problem::{Problem, Result},
    realm::{Realm, csrf::fenced, notice},
    site::pages::{SnapshotPageData, in_one_piece},
    state::AppState,
};

const SIGN_IN: &str = "/desk/sign-in";

/// Handler of all pages of the desk. Redirects to the sign-in page if nobody is signed in.
pub(super) async fn render(State(app): State<AppState>, request: Request) -> Response {
    fenced(page(&app, request).await)
}

/// Handler of the root of an address that has no home page.
pub(super) async fn lead_to_desk(State(app): State<AppState>, request: Request) -> Redirect {
    let (parts, _) = request.into_parts();
    Redirect::to(&ReachedAt::of(&base_urls(&app), &parts).base_url.link("/desk"))
}

/// Handler of unknown paths below `/desk`, with the status 404.
pub(super) async fn nothing(State(app): State<AppState>, request: Request) -> Response {
    let mut response = fenced(page(&app, request).await);
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}

async fn page(app: &AppState, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let base_url = ReachedAt::of(&base_urls(app), &parts).base_url;
    let session = DeskSession::of(app, &parts, base_url.clone()).await?;
    let (path, query) = (parts.uri.path(), parts.uri.query().unwrap_or_default());
    if !session.is_taken() && path != SIGN_IN {
        let wanted = parts.uri.path_and_query().map_or("/desk", |wanted| wanted.as_str());
        let back: String = url::form_urlencoded::byte_serialize(wanted.as_bytes()).collect();
        let way = base_url.link(format!("{SIGN_IN}?back={back}"));
        return Ok(Redirect::to(&way).into_response());
    }
    let notice = notice::of(Realm::Desk, &parts.headers, &base_url);
    let (is_told, is_secret) = (notice.is_some(), matches!(notice, Some(Notice::Issued(_))));
    let asked = DeskQuery { notice, ..DeskQuery::of(query) };
    let mut response = rendered(app, session, path, asked, base_url.clone()).await?;
    // The size of a compressed page could reveal a secret in it.
    if !is_secret {
        response = single_use::gzipped(response, &parts.headers).await.map_err(unreadable)?;
    }
    if is_told {
        notice::set(&mut response, &notice::forgotten(Realm::Desk, &base_url));
    }
    Ok(response)
}

/// Problem for a body of this service that cannot be read.
pub(super) fn unreadable(error: axum::Error) -> Problem {
    Problem::internal(Arc::new(error))
}

/// Renders a page for the person of `session`.
async fn rendered(
    app: &AppState,
    session: DeskSession,
    path: &str,
    asked: DeskQuery,
    base_url: BaseUrl,
) -> Result<Response> {
    let Some(page) = PageRequest::new(path, "", None, base_url) else {
        return Err(Problem::not_found("There is no such page."));
    };
    let source = Arc::new(SnapshotPageData::new(app.pages.sources().clone()));
    let page = PageRequest { lang: session.lang, ..page };
    let lang = session.lang;
    let work: SharedWork = Arc::new(session);
    let assets = app.site.assets.clone();
    let context = move || {
        provide_page_context(page.clone(), source.clone(), assets.clone());
        provide_context(work.clone());
        provide_context(lang);
        provide_context(asked.clone());
    };
    // The router needs the path only.
    let own = Request::builder().uri(path).body(Body::empty());
    let own = own.map_err(|error| Problem::internal(Arc::new(error)))?;
    Ok(handle_response_inner(context, shell, own, in_one_piece).await)
}
