use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use http::{HeaderMap, Uri};
use url::form_urlencoded;

use crate::{site::pages::not_found, state::App};

/// `GET /docs/send/…`: where a form of the reference goes without JavaScript, and is passed on to
/// the API. A form sends the fields that were left empty, too, and to the API an empty date is a
/// wrong one.
pub async fn send(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().replacen("/docs/send/", "/api/v1/", 1);
    // Only what the description knows, so that nobody can have a link of ours lead elsewhere.
    if app.openapi.document["paths"][&path].get("get").is_none() {
        return not_found(&app, uri.path(), &headers).await;
    }
    let given = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes());
    let given = given.filter(|(_, value)| !value.is_empty());
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish();
    let mark = if query.is_empty() { "" } else { "?" };
    Redirect::to(&format!("{path}{mark}{query}")).into_response()
}
