//! The layer around every route: requests to the API pass the [admission](crate::api::admission),
//! panics become problems, problems with a cause are logged, each once, with the request they belong
//! to.

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
use http::{HeaderValue, Method, StatusCode, header};

use crate::{
    api::admission::{self, Admission},
    http::problem::{Cause, Code, Problem},
    state::App,
};

/// The headers of the API that scripts of other sites may read (CORS).
const EXPOSED: HeaderValue =
    HeaderValue::from_static("etag,retry-after,ratelimit,ratelimit-policy,deprecation,sunset");

/// The layer.
pub async fn boundary(State(app): State<App>, mut request: Request, next: Next) -> Response {
    app.gauges.requests.fetch_add(1, Ordering::Relaxed);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let belongs_to_api = admission::guards(&path);
    let Admission { refused, decision } = if belongs_to_api {
        admission::admit(&app, &mut request).await
    } else {
        Admission::default()
    };
    let response = match refused {
        Some(problem) => problem.into_response(),
        None => match AssertUnwindSafe(next.run(request)).catch_unwind().await {
            Ok(response) => response,
            Err(panic) => Problem::internal(Arc::new(Panicked(text_of(&*panic)))).into_response(),
        },
    };
    if response.status() == StatusCode::TOO_MANY_REQUESTS {
        app.gauges.limited.fetch_add(1, Ordering::Relaxed);
    }
    let mut response = completed(&app, &method, &path, response);
    if belongs_to_api {
        response.headers_mut().insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
    if let Some(decision) = decision {
        decision.write(response.headers_mut());
    }
    response
}

/// Logs a problem that has a cause. Writes into it what the handler did not know: the id that the
/// log names it by, and the path that the service is below.
fn completed(app: &App, method: &Method, path: &str, response: Response) -> Response {
    let Some(problem) = response.extensions().get::<Problem>().cloned() else {
        return response;
    };
    let request_id = problem.cause.as_ref().map(|cause| logged(app, method, path, &problem, cause));
    let base_path = app.settings.public_url.as_ref().map_or("", |url| url.path());
    if request_id.is_none() && base_path.is_empty() {
        return response;
    }
    let (mut parts, _) = response.into_parts();
    // The body before may have been compressed.
    for name in [header::CONTENT_LENGTH, header::CONTENT_ENCODING] {
        parts.headers.remove(name);
    }
    Response::from_parts(parts, problem.body(base_path, request_id.as_deref()).into())
}

fn logged(app: &App, method: &Method, path: &str, problem: &Problem, cause: &Cause) -> String {
    let request_id = app.random.token();
    match problem.code {
        Code::Internal => tracing::error!(%method, path, request_id, %cause, "request failed"),
        _ => tracing::warn!(%method, path, request_id, %cause, "request not answered"),
    }
    request_id
}

#[derive(Debug, thiserror::Error)]
#[error("a handler panicked: {0}")]
struct Panicked(String);

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it did not say why".to_owned())
}
