//! `Idempotency-Key`: a repeated request has no second effect.

use domain::idempotency::{IdempotentRequest, MAX_KEY};
use http::{HeaderMap, HeaderName};
use serde_json::{Map, Value};

use crate::problem::{Problem, Result};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Identifies the request by its key, if it has one.
pub(super) fn request(
    headers: &HeaderMap,
    body: &Map<String, Value>,
) -> Result<Option<IdempotentRequest>> {
    let mut keys = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(key) = keys.next() else { return Ok(None) };
    if keys.next().is_some() {
        return Err(Problem::invalid_parameter("Idempotency-Key is given more than once."));
    }
    let request = key.to_str().ok().and_then(|key| IdempotentRequest::new(key, body));
    request.map(Some).ok_or_else(|| {
        Problem::invalid_parameter(format!(
            "Idempotency-Key must have 1 to {MAX_KEY} visible ASCII characters and no spaces: give a UUID, \
             for example."
        ))
    })
}
