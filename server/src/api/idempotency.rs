//! `Idempotency-Key`: a repeated request has no second effect, and the response of the first. Every admitted POST of
//! partners and operators passes through here, so handlers need nothing for it. [`store::Claim`] explains what is
//! guaranteed.
//!
//! The handler runs in a task of its own, so that it ends and its response is stored even if the client disconnects:
//! that client is the one that repeats the request.

use std::{future::poll_fn, sync::Arc, time::Duration};

use axum::{
    body::Bytes,
    extract::Request,
    response::{IntoResponse, Response},
};
use domain::{
    idempotency::{IdempotentRequest, MAX_KEY},
    tier::Tier,
};
use edge::{
    boundary::poll_unwinding,
    gate::{self, BodyError},
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use store::{Claimed, Store, StoredResponse};

use super::unstored;
use crate::{
    keys::CallerKey,
    problem::{Problem, Result},
};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// Maximum size of a body whose request has a key: it is compared as a whole before it is handled.
const MAX_BODY: usize = 1 << 20;
/// Pause after which a request that is being handled should be repeated.
const RUNNING_PAUSE: Duration = Duration::from_secs(2);

/// Marks a response with a secret, which is stored encrypted.
#[derive(Clone, Copy, Debug)]
struct Confidential;

/// Marks a response that contains a secret: no cache may keep it, and it is stored encrypted.
pub(crate) fn confidential(response: impl IntoResponse) -> Response {
    let mut response = unstored(response);
    response.extensions_mut().insert(Confidential);
    response
}

/// Whether a request has a key.
pub(super) fn has_key(headers: &HeaderMap) -> bool {
    headers.contains_key(IDEMPOTENCY_KEY)
}

/// Handles a request with a key, unless it was handled before.
pub(super) async fn once<F>(
    store: Store,
    caller: CallerKey,
    request: Request,
    handle: impl FnOnce(Request) -> F,
) -> Response
where
    F: Future<Output = Response> + Unpin + Send + 'static,
{
    let (parts, body) = request.into_parts();
    let claimed = async {
        let key = key(&parts.headers)?;
        let body = gate::up_to(body, MAX_BODY).await.map_err(unread)?;
        let target = parts.uri.path_and_query().map_or("/", |target| target.as_str());
        let request = IdempotentRequest::new(key, parts.method.as_str(), target, &body);
        let request = request.ok_or_else(malformed)?;
        let claimed = store.idempotent_requests().claim(&owner(caller), &request).await?;
        Ok((claimed, body))
    };
    let (claim, body): (_, Bytes) = match claimed.await {
        Ok((Claimed::Now(claim), body)) => (claim, body),
        Ok((earlier, _)) => return repeated(earlier),
        Err(problem) => return Problem::into_response(problem),
    };
    let mut request = Request::from_parts(parts, body.into());
    request.extensions_mut().insert(claim.clone());
    let mut handling = handle(request);
    let handled = tokio::spawn(async move {
        let response = poll_fn(|context| poll_unwinding(&mut handling, context)).await;
        finished(&store, &claim, response).await
    });
    handled.await.unwrap_or_else(|error| Problem::internal(Arc::new(error)).into_response())
}

/// Reads the key of a request.
fn key(headers: &HeaderMap) -> Result<&str> {
    let mut keys = headers.get_all(IDEMPOTENCY_KEY).iter();
    let key = keys.next().ok_or_else(malformed)?;
    if keys.next().is_some() {
        return Err(Problem::invalid_parameter("Idempotency-Key is given more than once."));
    }
    key.to_str().map_err(|_| malformed())
}

fn malformed() -> Problem {
    Problem::invalid_parameter(format!(
        "Idempotency-Key must have 1 to {MAX_KEY} visible ASCII characters and no spaces: give a UUID, \
         for example."
    ))
}

fn unread(error: BodyError) -> Problem {
    match error {
        BodyError::TooLarge(MAX_BODY) => Problem::payload_too_large(
            "With an Idempotency-Key, a body has at most 1 MiB. Send larger imports without one: existing reports are \
             skipped, so they can be repeated anyway.",
        ),
        error => error.into(),
    }
}

/// Owner of the keys of a caller: a partner with all its keys, or one operator's key, because the next one of the same
/// person may have another scope.
fn owner(caller: CallerKey) -> String {
    match caller.tier {
        Tier::Operator => format!("key {}", caller.id),
        _ => format!("partner {}", caller.partner_id),
    }
}

/// Stores the response to a request.
async fn finished(store: &Store, claim: &store::Claim, response: Response) -> Response {
    let (parts, body) = response.into_parts();
    let body = match axum::body::to_bytes(body, usize::MAX).await {
        Ok(body) => body,
        Err(error) => return Problem::internal(Arc::new(error)).into_response(),
    };
    let stored = StoredResponse {
        status: parts.status.as_u16(),
        body: String::from_utf8_lossy(&body).into_owned(),
        is_secret: parts.extensions.get::<Confidential>().is_some(),
    };
    if let Err(error) = store.idempotent_requests().finish(claim, &stored).await {
        tracing::warn!(%error, "the response to a request with an Idempotency-Key could not be stored");
    }
    Response::from_parts(parts, body.into())
}

/// Response to a request with the key of an earlier one.
fn repeated(earlier: Claimed) -> Response {
    let problem = match earlier {
        Claimed::Before(stored) => return replayed(stored),
        Claimed::Other => Problem::idempotency_conflict(
            "This Idempotency-Key was used for another request less than 24 hours ago: use a new key for each request.",
        ),
        Claimed::Running => Problem::idempotency_conflict(
            "The request with this Idempotency-Key is being handled: repeat it for its response.",
        )
        .after(RUNNING_PAUSE),
        Claimed::Lost | Claimed::Now(_) => Problem::idempotency_conflict(
            "The request with this Idempotency-Key had an effect, but its response was not kept: read the state, and use \
             a new key for a new request.",
        ),
    };
    problem.into_response()
}

fn replayed(StoredResponse { status, body, .. }: StoredResponse) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let media_type = match status.is_success() {
        true => "application/json",
        false => "application/problem+json; charset=utf-8",
    };
    let mut response = unstored((status, body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    response
}
