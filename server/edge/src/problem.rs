//! Errors in the form that clients get (RFC 9457, `application/problem+json`). One type, one body, logged once at the
//! [boundary](crate::boundary).

use std::{borrow::Cow, error::Error, sync::Arc, time::Duration};

use axum::response::{IntoResponse, Response};
use base::redaction::redacted;
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

/// Name and status of a kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemKind {
    /// Value of the `code` member: a stable name in upper case.
    pub code: &'static str,
    pub status: StatusCode,
    /// Value of the `title` member, the same for all problems of this kind.
    pub title: &'static str,
}

pub const MALFORMED_REQUEST: &ProblemKind = &ProblemKind {
    code: "MALFORMED_REQUEST",
    status: StatusCode::BAD_REQUEST,
    title: "The request is not valid HTTP",
};
pub const FORBIDDEN: &ProblemKind = &ProblemKind {
    code: "FORBIDDEN",
    status: StatusCode::FORBIDDEN,
    title: "The key does not allow this",
};
pub const REQUEST_TIMEOUT: &ProblemKind = &ProblemKind {
    code: "REQUEST_TIMEOUT",
    status: StatusCode::REQUEST_TIMEOUT,
    title: "The request timed out",
};
pub const HEAD_TOO_LARGE: &ProblemKind = &ProblemKind {
    code: "HEAD_TOO_LARGE",
    status: StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
    title: "The head of the request is too large",
};
pub const INTERNAL: &ProblemKind = &ProblemKind {
    code: "INTERNAL",
    status: StatusCode::INTERNAL_SERVER_ERROR,
    title: "Internal error",
};

/// Error behind a problem.
pub type Cause = Arc<dyn Error + Send + Sync>;

/// Error response to a request.
#[derive(Clone, Debug)]
pub struct Problem {
    pub kind: &'static ProblemKind,
    pub detail: Cow<'static, str>,
    /// Faults of the request's body.
    pub faults: Vec<Fault>,
    /// Value of `Retry-After`.
    pub retry_after: Option<Duration>,
    /// Logged, never sent.
    pub cause: Option<Cause>,
    /// Name of the quota that is used up; counted, never sent.
    pub quota: Option<&'static str>,
}

/// Fault of a value in the request's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line of the body on which the faulty object begins, from 1, if the body has several.
    pub line: Option<u64>,
    /// JSON pointer (RFC 6901) to the value, if the fault is not one of the whole object.
    pub pointer: Option<String>,
    pub detail: String,
}

/// JSON body. `type` is the URL at which the service documents the code.
#[derive(Serialize)]
struct Body<'a> {
    r#type: String,
    title: &'a str,
    status: u16,
    detail: &'a str,
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<ErrorBody<'a>>,
    #[serde(rename = "requestId", skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
}

/// Fault in a JSON body.
#[derive(Serialize)]
struct ErrorBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<Cow<'a, str>>,
    detail: Cow<'a, str>,
}

impl Problem {
    pub fn new(kind: &'static ProblemKind, detail: impl Into<Cow<'static, str>>) -> Self {
        let detail = detail.into();
        Self { kind, detail, faults: Vec::new(), retry_after: None, cause: None, quota: None }
    }

    /// Problem for an unexpected error. The response contains only an id, under which the error is logged.
    pub fn internal(cause: Cause) -> Self {
        let detail = "The service failed. The error has been logged.";
        Self { cause: Some(cause), ..Self::new(INTERNAL, detail) }
    }

    /// JSON body for a service below `base_path`. `request_id` identifies the request in the log.
    pub(crate) fn body(&self, base_path: &str, request_id: Option<&str>) -> Vec<u8> {
        let detail = redacted(&self.detail);
        let ProblemKind { code, status, title } = *self.kind;
        let errors = self.faults.iter().map(|Fault { line, pointer, detail }| ErrorBody {
            line: *line,
            pointer: pointer.as_deref().map(redacted),
            detail: redacted(detail),
        });
        let errors: Vec<_> = errors.collect();
        let body = Body {
            r#type: format!("{base_path}/docs/errors#{code}"),
            title,
            status: status.as_u16(),
            detail: &detail,
            code,
            pointer: errors.first().and_then(|first| first.pointer.clone()),
            errors,
            request_id,
        };
        // Strings and a number can always be serialised.
        serde_json::to_vec(&body).unwrap_or_else(|error| panic!("{code}: {error}"))
    }
}

impl IntoResponse for Problem {
    /// Keeps the problem in the extensions, where the boundary finds it, logs it and completes the body.
    fn into_response(self) -> Response {
        let mut response = (self.kind.status, self.body("", None)).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json; charset=utf-8"),
        );
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(wait) = self.retry_after {
            // Seconds, rounded up.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        if self.kind.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}
