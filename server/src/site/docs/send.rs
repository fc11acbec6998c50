use std::sync::Arc;

use axum::{
    extract::{Request, State},
    response::{IntoResponse, Redirect, Response},
};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use url::form_urlencoded;

use crate::{
    base_url::ReachedAt,
    openapi::Description,
    site::pages::{Pages, not_found},
};

/// `GET /docs/send/…`: target of the reference's forms without JavaScript. Redirects to the API without the empty
/// fields: a form sends these, too, and the API would refuse an empty date.
pub async fn send(
    State(openapi): State<Arc<Description>>,
    State(pages): State<Pages>,
    reached: ReachedAt,
    request: Request,
) -> Response {
    let (request, _) = request.into_parts();
    let path = percent_decode_str(request.uri.path()).decode_utf8_lossy();
    let path = path.replacen("/docs/send/", "/api/v1/", 1);
    // Only paths in the API document, so that nobody can make a link to this site lead elsewhere.
    if openapi.document["paths"][&path].get("get").is_none() {
        return not_found(&pages, &request).await;
    }
    let given = form_urlencoded::parse(request.uri.query().unwrap_or_default().as_bytes());
    // Fields for a part of the path are named after it.
    let (in_path, others): (Vec<_>, Vec<_>) =
        given.partition(|(name, _)| path.contains(&format!("{{{name}}}")));
    let path = in_path.iter().fold(path.clone(), |path, (name, value)| {
        let value = utf8_percent_encode(value, NON_ALPHANUMERIC).to_string();
        path.replace(&format!("{{{name}}}"), &value)
    });
    let others = others.into_iter().filter(|(_, value)| !value.is_empty());
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(others).finish();
    let mark = if query.is_empty() { "" } else { "?" };
    Redirect::to(&reached.base_url.link(format!("{path}{mark}{query}"))).into_response()
}
