//! Problems of this service: a [problem of the HTTP side](edge::problem) for each code of the API.

mod code;

use std::{borrow::Cow, sync::Arc, time::Duration};

use axum::response::{IntoResponse, Response};
pub(crate) use base::redaction::quoted;
use edge::{gate::BodyError, problem::Cause};

pub use self::code::Code;

/// Time after which a client may try again, when an error is temporary.
const UNAVAILABLE_PAUSE: Duration = Duration::from_secs(5);
const STREAM_PAUSE: Duration = Duration::from_secs(30);

/// The result of a handler.
pub type Result<T, E = Problem> = std::result::Result<T, E>;

/// Fault of a request. The constructors are the codes of the API.
#[derive(Clone, Debug)]
pub struct Problem(pub edge::problem::Problem);

impl Problem {
    pub(crate) fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self(edge::problem::Problem::new(code.kind(), detail))
    }

    /// The `detail` member.
    pub fn detail(&self) -> &str {
        &self.0.detail
    }

    /// This problem with a JSON pointer to the member of the body that is to blame.
    pub(crate) fn at(mut self, pointer: String) -> Self {
        self.0.pointer = Some(pointer);
        self
    }

    fn after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    pub fn invalid_period(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidPeriod, detail)
    }

    pub fn invalid_parameter(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidParameter, detail)
    }

    pub fn invalid_json(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidJson, detail)
    }

    /// `pointer` names the member that is to blame.
    pub fn invalid_body(detail: impl Into<Cow<'static, str>>, pointer: String) -> Self {
        Self::new(Code::InvalidBody, detail).at(pointer)
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
        Self::new(Code::RateLimited, detail).after(wait)
    }

    pub fn too_many_streams(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::TooManyStreams, detail).after(STREAM_PAUSE)
    }

    /// This problem, because of the quota of this name.
    pub fn of_quota(mut self, quota: &'static str) -> Self {
        self.0.quota = Some(quota);
        self
    }

    pub fn unsupported_format(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::UnsupportedFormat, detail)
    }

    pub fn invalid_csv(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidCsv, detail)
    }

    /// The service runs, but the database does not respond; a later try may succeed.
    pub fn unavailable(cause: Cause) -> Self {
        Self::unavailable_because(
            "The data cannot be read at the moment. Try again in a few seconds.",
            cause,
        )
    }

    /// [`unavailable`](Self::unavailable) for a change.
    fn unsaved(cause: Arc<store::Error>) -> Self {
        Self::unavailable_because(
            "Changes cannot be saved at the moment. Try again in a few seconds.",
            cause,
        )
    }

    fn unavailable_because(detail: &'static str, cause: Cause) -> Self {
        let mut problem = Self::new(Code::Unavailable, detail).after(UNAVAILABLE_PAUSE);
        problem.0.cause = Some(cause);
        problem
    }

    /// More requests at once than the service handles; a later try may succeed.
    pub fn busy(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Unavailable, detail).after(UNAVAILABLE_PAUSE)
    }

    /// See [`edge::problem::Problem::internal`].
    pub fn internal(cause: Cause) -> Self {
        Self(edge::problem::Problem::internal(cause))
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

impl From<&BodyError> for Problem {
    fn from(error: &BodyError) -> Self {
        let detail = error.to_string();
        match error {
            BodyError::TooLarge(_) => Self::payload_too_large(detail),
            BodyError::TooSlow | BodyError::Stalled => Self::new(Code::RequestTimeout, detail),
            BodyError::Incomplete(_) => Self::invalid_json(detail),
        }
    }
}

impl From<BodyError> for Problem {
    fn from(error: BodyError) -> Self {
        Self::from(&error)
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
