use axum::{
    extract::{Request, State},
    response::Response,
};
use desk::portal::{self, Frame};
use http::{StatusCode, request::Parts};

use super::{
    fields::Fields,
    visit::{PartnersVisit, Visit},
};
use crate::{
    problem::Result,
    realm::{Realm, csrf::fenced},
    state::AppState,
};

/// Handler of the first page.
pub(super) async fn overview(State(app): State<AppState>, request: Request) -> Response {
    fenced(overview_page(&app, request).await)
}

async fn overview_page(app: &AppState, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let partner = match Visit::of(app, &parts).await?.of_partner() {
        Ok(partner) => partner,
        Err(visit) => return Ok(visit.to_sign_in(page_of(&parts))),
    };
    let asked = Fields::asked(&parts);
    let overview = partner.overview(&asked, &parts.headers).await?;
    let view = move |frame| portal::overview(frame, overview);
    partner.page(&parts, view).await
}

/// Handler of the page of a subscription.
pub(super) async fn subscription(State(app): State<AppState>, request: Request) -> Response {
    fenced(subscription_page(&app, request).await)
}

async fn subscription_page(app: &AppState, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let partner = match Visit::of(app, &parts).await?.of_partner() {
        Ok(partner) => partner,
        Err(visit) => return Ok(visit.to_sign_in(page_of(&parts))),
    };
    let asked = Fields::asked(&parts);
    let Some(page) = partner.subscription(asked.text("id"), &asked).await? else {
        return nothing_for(&partner, &parts).await;
    };
    let view = move |frame| portal::subscription(frame, page);
    partner.page(&parts, view).await
}

/// Handler of the sign-in page.
pub(super) async fn sign_in(State(app): State<AppState>, request: Request) -> Response {
    fenced(sign_in_page(&app, request).await)
}

async fn sign_in_page(app: &AppState, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let visit = Visit::of(app, &parts).await?;
    let asked = Fields::asked(&parts);
    let back = asked.text("back").to_owned();
    visit.page(&parts, Frame::default(), move |frame| portal::sign_in(frame, back)).await
}

/// Handler of unknown paths below `/partners`, with the status 404.
pub(super) async fn nothing(State(app): State<AppState>, request: Request) -> Response {
    fenced(nothing_page(&app, request).await)
}

async fn nothing_page(app: &AppState, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let partner = match Visit::of(app, &parts).await?.of_partner() {
        Ok(partner) => partner,
        Err(visit) => return Ok(visit.to_sign_in(Realm::Partners.path())),
    };
    nothing_for(&partner, &parts).await
}

async fn nothing_for(partner: &PartnersVisit, parts: &Parts) -> Result<Response> {
    let mut response = partner.page(parts, portal::nothing_here).await?;
    *response.status_mut() = StatusCode::NOT_FOUND;
    Ok(response)
}

/// Path and query of a request.
fn page_of(parts: &Parts) -> &str {
    let page = parts.uri.path_and_query();
    page.map_or(Realm::Partners.path(), |page| page.as_str())
}
