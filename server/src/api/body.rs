//! Bodies of requests: bounded in size and time, JSON, and of known members.

mod members;

use std::time::Duration;

use axum::{
    body::{Body, HttpBody},
    extract::Request,
};
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::{Map, Value};

pub(crate) use self::members::Member;
use crate::http::problem::{Problem, Result};

/// The most bytes of a body, as a rule.
const MAX_BYTES: usize = 16 << 10;
/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// The JSON object in a request's body, which has no members but those that are `known`.
pub(crate) async fn json_object(request: Request, known: &[Member]) -> Result<Map<String, Value>> {
    json_object_up_to(MAX_BYTES, request, known).await
}

/// The JSON object in a request's body; without a body, one that is empty.
pub(crate) async fn json_object_if_any(
    request: Request,
    known: &[Member],
) -> Result<Map<String, Value>> {
    match request.body().is_end_stream() {
        true => Ok(Map::new()),
        false => json_object(request, known).await,
    }
}

/// The same of at most `max` bytes. What is too large is refused before it is read.
pub(crate) async fn json_object_up_to(
    max: usize,
    request: Request,
    known: &[Member],
) -> Result<Map<String, Value>> {
    let headers = request.headers();
    if !is_json(headers) {
        return Err(Problem::unsupported_media_type(
            "The body must be JSON: send it with Content-Type: application/json.",
        ));
    }
    if announced_length(headers).is_some_and(|length| length > max as u64) {
        return Err(too_large(max));
    }
    let body = read(max, request.into_body()).await?;
    match serde_json::from_slice(&body) {
        Ok(Value::Object(members)) => {
            members::check(&members, known)?;
            Ok(members)
        }
        Ok(_) => Err(Problem::invalid_json("The body must be a JSON object: { … }.")),
        Err(error) => Err(Problem::invalid_json(format!("The body is not JSON: {error}."))),
    }
}

async fn read(max: usize, body: Body) -> Result<bytes::Bytes> {
    let whole = Limited::new(body, max).collect();
    match tokio::time::timeout(PATIENCE, whole).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(max)),
        Ok(Err(_)) => Err(Problem::invalid_json("The body ended before it was complete.")),
        Err(_) => Err(Problem::invalid_json(format!(
            "The body did not arrive within {} seconds.",
            PATIENCE.as_secs()
        ))),
    }
}

fn too_large(max: usize) -> Problem {
    Problem::payload_too_large(format!("The body is larger than {max} bytes."))
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.unwrap_or_default().split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case("application/json")
}

fn announced_length(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}
