use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Redirect, Response},
};
use url::form_urlencoded;

use crate::{
    base_url::ReachedAt,
    openapi::Description,
    site::pages::{Pages, not_found},
};

/// `GET /docs/send/…`: where a form of the reference goes without JavaScript, and is passed on to
/// the API. A form sends the fields that were left empty, too, and to the API an empty date is a
/// wrong one.
pub async fn send(
    State(openapi): State<Arc<Description>>,
    State(pages): State<Pages>,
    reached: ReachedAt,
    request: Request,
) -> Response {
    let (request, _) = request.into_parts();
    let path = request.uri.path().replacen("/docs/send/", "/api/v1/", 1);
    // Only what the description knows, so that nobody can have a link of ours lead elsewhere.
    if openapi.document["paths"][&path].get("get").is_none() {
        return not_found(&pages, &request).await;
    }
    let given = form_urlencoded::parse(request.uri.query().unwrap_or_default().as_bytes());
    let given = given.filter(|(_, value)| !value.is_empty());
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish();
    let mark = if query.is_empty() { "" } else { "?" };
    Redirect::to(&reached.base_url.link(format!("{path}{mark}{query}"))).into_response()
}
