//! Problems of this service: a [problem of the HTTP side](edge::problem) for each code of the API.

mod code;

use std::{borrow::Cow, sync::Arc, time::Duration};

use axum::response::{IntoResponse, Response};
pub(crate) use base::redaction::quoted;
use edge::{
    gate::BodyError,
    problem::{Cause, Fault},
};

pub use self::code::Code;

/// `Retry-After` of a temporary error.
const UNAVAILABLE_PAUSE: Duration = Duration::from_secs(5);
const STREAM_PAUSE: Duration = Duration::from_secs(30);

/// The result of a handler.
pub type Result<T, E = Problem> = std::result::Result<T, E>;

/// A problem of a request. The constructors are the codes of the API.
#[derive(Clone, Debug)]
pub struct Problem(pub edge::problem::Problem);

/// Defines constructors of problems that have only a detail.
macro_rules! constructors {
    ($($name:ident: $code:ident,)*) => {
        impl Problem {$(
            pub fn $name(detail: impl Into<Cow<'static, str>>) -> Self {
                Self::new(Code::$code, detail)
            }
        )*}
    };
}

constructors! {
    invalid_period: InvalidPeriod,
    invalid_parameter: InvalidParameter,
    invalid_json: InvalidJson,
    invalid_url: InvalidUrl,
    url_not_allowed: UrlNotAllowed,
    invalid_events: InvalidEvents,
    invalid_filter: InvalidFilter,
    unsupported_media_type: UnsupportedMediaType,
    payload_too_large: PayloadTooLarge,
    unauthenticated: Unauthenticated,
    forbidden: Forbidden,
    subscription_limit: SubscriptionLimit,
    idempotency_conflict: IdempotencyConflict,
    conflict: Conflict,
    cursor_expired: CursorExpired,
    not_found: NotFound,
    method_not_allowed: MethodNotAllowed,
    unsupported_format: UnsupportedFormat,
    invalid_csv: InvalidCsv,
    invalid_body: InvalidBody,
}

impl Problem {
    pub(crate) fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self(edge::problem::Problem::new(code.kind(), detail))
    }

    /// The `detail` member.
    pub fn detail(&self) -> &str {
        &self.0.detail
    }

    /// Adds a JSON pointer to the wrong member of the body.
    pub(crate) fn at(self, pointer: String) -> Self {
        let detail = self.0.detail.to_string();
        self.with_faults(vec![Fault { line: None, pointer: Some(pointer), detail }])
    }

    /// Adds the faults of the body.
    pub(crate) fn with_faults(mut self, faults: Vec<Fault>) -> Self {
        self.0.faults = faults;
        self
    }

    /// Adds the time to wait before the next attempt.
    pub(crate) fn after(mut self, wait: Duration) -> Self {
        self.0.retry_after = Some(wait);
        self
    }

    /// The quota is used up; the next request is accepted after `wait`.
    pub fn rate_limited(detail: impl Into<Cow<'static, str>>, wait: Duration) -> Self {
        Self::new(Code::RateLimited, detail).after(wait)
    }

    pub fn too_many_streams(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::TooManyStreams, detail).after(STREAM_PAUSE)
    }

    /// Adds the name of the quota that refused the request.
    pub fn of_quota(mut self, quota: &'static str) -> Self {
        self.0.quota = Some(quota);
        self
    }

    /// The database does not respond; a retry may succeed.
    pub fn unavailable(cause: Cause) -> Self {
        Self::unavailable_because(
            "The data cannot be read at the moment. Try again in a few seconds.",
            cause,
        )
    }

    fn unavailable_because(detail: &'static str, cause: Cause) -> Self {
        let mut problem = Self::new(Code::Unavailable, detail).after(UNAVAILABLE_PAUSE);
        problem.0.cause = Some(cause);
        problem
    }

    /// More concurrent requests than the service handles; a retry may succeed.
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
            store::Error::ClaimLost => Self::idempotency_conflict(
                "The request took too long, and was repeated with the same Idempotency-Key: this one did nothing.",
            ),
            store::Error::Outdated => Self::new(
                Code::PreconditionFailed,
                "The state is no longer the one in If-Match, and nothing was changed. Read it again, and repeat the \
                    change if it still makes sense.",
            ),
            store::Error::ZeroByte => {
                Self::invalid_parameter("Text must not have a zero byte (U+0000).")
            }
            error => Arc::new(error).into(),
        }
    }
}

impl From<Arc<store::Error>> for Problem {
    fn from(error: Arc<store::Error>) -> Self {
        if !error.is_of_writing() {
            return Self::unavailable(error);
        }
        let detail = "Changes cannot be saved at the moment. Try again in a few seconds.";
        Self::unavailable_because(detail, error)
    }
}
