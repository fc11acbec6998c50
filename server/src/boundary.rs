//! The outermost layer: panics become problems, problems with a cause are logged, each once, with
//! the request they belong to.

use std::{
    any::Any,
    panic::AssertUnwindSafe,
    sync::{Arc, atomic::Ordering},
};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;

use crate::{
    error::{Code, Problem},
    state::App,
};

/// The layer.
pub async fn boundary(State(app): State<App>, request: Request, next: Next) -> Response {
    app.gauges.requests.fetch_add(1, Ordering::Relaxed);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let response = match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => response,
        Err(panic) => Problem::internal(Arc::new(Panicked(text_of(&*panic)))).into_response(),
    };
    let Some(problem) = response.extensions().get::<Problem>() else {
        return response;
    };
    let Some(cause) = &problem.cause else {
        return response;
    };
    let request_id = app.random.token();
    match problem.code {
        Code::Internal => tracing::error!(%method, path, request_id, %cause, "request failed"),
        _ => tracing::warn!(%method, path, request_id, %cause, "request not answered"),
    }
    problem.answer(Some(&request_id))
}

#[derive(Debug, thiserror::Error)]
#[error("a handler panicked: {0}")]
struct Panicked(String);

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it did not say why".to_owned())
}
