//! Errors of the HTTP side: one type, one body (RFC 9457 `application/problem+json`), logged once,
//! at the [boundary](crate::http::boundary).

mod code;

use std::{borrow::Cow, sync::Arc, time::Duration};

use axum::response::{IntoResponse, Response};
use base::redaction::redacted;
use http::{HeaderValue, header};
use serde::Serialize;

pub use self::code::Code;

/// When a client may try again after an error that passes by itself.
const UNAVAILABLE_PAUSE: Duration = Duration::from_secs(5);
const STREAM_PAUSE: Duration = Duration::from_secs(30);

/// The result of a handler.
pub type Result<T, E = Problem> = std::result::Result<T, E>;

/// A path or query as problems quote it. Secrets go first: half a key would not be recognized as one.
pub(crate) fn quoted(text: &str) -> String {
    redacted(text).chars().take(100).collect()
}

/// What went wrong with a request. The constructors are the codes of the API.
#[derive(Clone, Debug)]
pub struct Problem {
    pub code: Code,
    pub detail: Cow<'static, str>,
    /// JSON pointer (RFC 6901) to the member of the request's body that is to blame.
    pub pointer: Option<String>,
    /// After which time another try makes sense.
    pub retry_after: Option<Duration>,
    /// What happened inside; logged, never sent.
    pub(crate) cause: Option<Cause>,
    /// Name of the quota that is used up; counted, never sent.
    pub(crate) quota: Option<&'static str>,
}

/// See [`Problem`].
pub(crate) type Cause = Arc<dyn std::error::Error + Send + Sync>;

/// The body. `type` is where the code is explained.
#[derive(Serialize)]
struct Body<'a> {
    r#type: String,
    title: &'a str,
    status: u16,
    detail: &'a str,
    code: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pointer: Option<Cow<'a, str>>,
    #[serde(rename = "requestId", skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
}

impl Problem {
    pub(crate) fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        let detail = detail.into();
        Self { code, detail, pointer: None, retry_after: None, cause: None, quota: None }
    }

    pub fn invalid_period(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidPeriod, detail)
    }

    pub fn invalid_limit(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidLimit, detail)
    }

    pub fn invalid_since(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidSince, detail)
    }

    pub fn invalid_parameter(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidParameter, detail)
    }

    pub fn invalid_json(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidJson, detail)
    }

    /// `pointer` names the member that is to blame.
    pub fn invalid_body(detail: impl Into<Cow<'static, str>>, pointer: String) -> Self {
        Self { pointer: Some(pointer), ..Self::new(Code::InvalidBody, detail) }
    }

    pub fn invalid_url(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidUrl, detail)
    }

    pub fn url_not_allowed(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::UrlNotAllowed, detail)
    }

    pub fn invalid_events(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidEvents, detail)
    }

    pub fn invalid_filter(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidFilter, detail)
    }

    pub fn unsupported_media_type(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::UnsupportedMediaType, detail)
    }

    pub fn payload_too_large(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::PayloadTooLarge, detail)
    }

    pub fn unauthenticated(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Unauthenticated, detail)
    }

    pub fn forbidden(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Forbidden, detail)
    }

    pub fn subscription_limit(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::SubscriptionLimit, detail)
    }

    pub fn idempotency_conflict(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::IdempotencyConflict, detail)
    }

    pub fn conflict(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Conflict, detail)
    }

    pub fn cursor_expired(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::CursorExpired, detail)
    }

    pub fn not_found(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::NotFound, detail)
    }

    pub fn method_not_allowed(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::MethodNotAllowed, detail)
    }

    /// The quota is used up; the next request is accepted after `wait`.
    pub fn rate_limited(detail: impl Into<Cow<'static, str>>, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..Self::new(Code::RateLimited, detail) }
    }

    pub fn too_many_streams(detail: impl Into<Cow<'static, str>>) -> Self {
        Self { retry_after: Some(STREAM_PAUSE), ..Self::new(Code::TooManyStreams, detail) }
    }

    /// The same, because of the quota of this name.
    pub fn of_quota(self, quota: &'static str) -> Self {
        Self { quota: Some(quota), ..self }
    }

    pub fn too_many_connections(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::TooManyConnections, detail)
    }

    pub fn unsupported_format(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::UnsupportedFormat, detail)
    }

    pub fn malformed_request(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::MalformedRequest, detail)
    }

    pub fn invalid_csv(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidCsv, detail)
    }

    pub fn request_timeout(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::RequestTimeout, detail)
    }

    pub fn head_too_large(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::HeadTooLarge, detail)
    }

    /// The service lives, but what the answer needs does not answer; a later try may succeed.
    pub fn unavailable(cause: Arc<dyn std::error::Error + Send + Sync>) -> Self {
        Self::unavailable_because(
            "The data cannot be read at the moment. Try again in a few seconds.",
            cause,
        )
    }

    /// The same of a change.
    fn unsaved(cause: Arc<store::Error>) -> Self {
        Self::unavailable_because(
            "Changes cannot be saved at the moment. Try again in a few seconds.",
            cause,
        )
    }

    fn unavailable_because(detail: &'static str, cause: Cause) -> Self {
        let retry_after = Some(UNAVAILABLE_PAUSE);
        Self { cause: Some(cause), retry_after, ..Self::new(Code::Unavailable, detail) }
    }

    /// More is asked for at once than the service works on; a later try may succeed.
    pub fn busy(detail: impl Into<Cow<'static, str>>) -> Self {
        Self { retry_after: Some(UNAVAILABLE_PAUSE), ..Self::new(Code::Unavailable, detail) }
    }

    /// Something that should not happen. The answer says nothing of it but an id, under which it is
    /// logged.
    pub fn internal(cause: Arc<dyn std::error::Error + Send + Sync>) -> Self {
        let detail = "The service failed. The error has been logged.";
        Self { cause: Some(cause), ..Self::new(Code::Internal, detail) }
    }

    /// The body, of a service below `base_path`; `request_id` is what the log calls the request.
    pub(crate) fn body(&self, base_path: &str, request_id: Option<&str>) -> Vec<u8> {
        let detail = redacted(&self.detail);
        let body = Body {
            r#type: format!("{base_path}/docs/errors#{}", self.code.as_str()),
            title: self.code.title(),
            status: self.code.status().as_u16(),
            detail: &detail,
            code: self.code.as_str(),
            pointer: self.pointer.as_deref().map(redacted),
            request_id,
        };
        // Strings and a number always serialise.
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

impl IntoResponse for Problem {
    /// Leaves the problem itself in the extensions, where the boundary finds it, logs it and completes
    /// the body.
    fn into_response(self) -> Response {
        let mut response = (self.code.status(), self.body("", None)).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json; charset=utf-8"),
        );
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(wait) = self.retry_after {
            // Whole seconds, and never too few of them.
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        if self.code == Code::Unauthenticated {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<store::Error> for Problem {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::UnknownImport(import) => {
                Self::invalid_parameter(format!("There is no import {import}."))
            }
            store::Error::ZeroByte => {
                Self::invalid_parameter("Text must not have a zero byte (U+0000).")
            }
            error => Arc::new(error).into(),
        }
    }
}

impl From<Arc<store::Error>> for Problem {
    fn from(error: Arc<store::Error>) -> Self {
        if error.is_of_writing() { Self::unsaved(error) } else { Self::unavailable(error) }
    }
}
