//! Bodies of requests: JSON, of known members.

mod members;

use axum::{body::HttpBody, extract::Request};
use edge::gate;
use http::{HeaderMap, header};
use serde_json::{Map, Value};

use crate::problem::{Problem, Result};

pub(crate) use self::members::Member;

/// The JSON object in a request's body, which has no members but those that are `known`. How large and how slow the body
/// may be is the [gate](edge::gate)'s business.
///
/// # Errors
/// The body is no JSON object, has a member that is not known, or is not within the bounds of the route.
pub(crate) async fn json_object(request: Request, known: &[Member]) -> Result<Map<String, Value>> {
    if !is_json(request.headers()) {
        return Err(Problem::unsupported_media_type(
            "The body must be JSON: send it with Content-Type: application/json.",
        ));
    }
    let body = gate::whole(request.into_body()).await?;
    match serde_json::from_slice(&body) {
        Ok(Value::Object(members)) => {
            members::check(&members, known)?;
            Ok(members)
        }
        Ok(_) => Err(Problem::invalid_json("The body must be a JSON object: { … }.")),
        Err(error) => Err(Problem::invalid_json(format!("The body is not JSON: {error}."))),
    }
}

/// The same; without a body, an object that is empty.
pub(crate) async fn json_object_if_any(
    request: Request,
    known: &[Member],
) -> Result<Map<String, Value>> {
    match request.body().is_end_stream() {
        true => Ok(Map::new()),
        false => json_object(request, known).await,
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.unwrap_or_default().split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}
