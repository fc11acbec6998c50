use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, header};
use serde::Serialize;

use crate::{api::Partner, error::Result, state::App, store::Subscription};

#[derive(Serialize)]
struct Subscriptions {
    subscriptions: Vec<Subscription>,
}

/// `GET /api/v1/webhooks`: the partner's subscriptions, newest first.
pub async fn get(State(app): State<App>, partner: Partner) -> Result<Response> {
    let subscriptions = app.store.subscriptions(partner.id).await?;
    let mut response = Json(Subscriptions { subscriptions }).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
