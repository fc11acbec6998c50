//! Errors of the HTTP side: one type, one body (RFC 9457 `application/problem+json`), logged once,
//! at the [boundary](crate::boundary).

use std::{borrow::Cow, sync::Arc};

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::store;

/// The result of a handler.
pub type Result<T, E = Problem> = std::result::Result<T, E>;

/// What went wrong with a request. The constructors are the codes of the API.
#[derive(Clone, Debug)]
pub struct Problem {
    pub code: Code,
    pub detail: Cow<'static, str>,
    /// What happened inside; logged, never sent.
    pub(crate) cause: Option<Arc<dyn std::error::Error + Send + Sync>>,
}

/// The stable name of a kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    InvalidPeriod,
    InvalidLimit,
    InvalidSince,
    InvalidParameter,
    NotFound,
    MethodNotAllowed,
    Unavailable,
    Internal,
}

impl Code {
    /// All codes, in the order of the documentation.
    pub const ALL: [Code; 8] = [
        Code::InvalidPeriod,
        Code::InvalidLimit,
        Code::InvalidSince,
        Code::InvalidParameter,
        Code::NotFound,
        Code::MethodNotAllowed,
        Code::Unavailable,
        Code::Internal,
    ];

    /// The `code` member.
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::InvalidPeriod => "INVALID_PERIOD",
            Code::InvalidLimit => "INVALID_LIMIT",
            Code::InvalidSince => "INVALID_SINCE",
            Code::InvalidParameter => "INVALID_PARAMETER",
            Code::NotFound => "NOT_FOUND",
            Code::MethodNotAllowed => "METHOD_NOT_ALLOWED",
            Code::Unavailable => "UNAVAILABLE",
            Code::Internal => "INTERNAL",
        }
    }

    /// The `title` member: the same for every problem of the code.
    pub const fn title(self) -> &'static str {
        match self {
            Code::InvalidPeriod => "The period is missing or invalid",
            Code::InvalidLimit => "The limit is invalid",
            Code::InvalidSince => "The instant is invalid",
            Code::InvalidParameter => "A parameter is invalid",
            Code::NotFound => "There is nothing here",
            Code::MethodNotAllowed => "The method is not allowed here",
            Code::Unavailable => "The service cannot answer at the moment",
            Code::Internal => "Something went wrong inside",
        }
    }

    /// When it is answered, for the documentation.
    pub const fn when(self) -> &'static str {
        match self {
            Code::InvalidPeriod => {
                "`from` or `to` is missing where required, is no date, or `from` is after `to`"
            }
            Code::InvalidLimit => "`limit` is not a whole number from 1 to 100",
            Code::InvalidSince => "`since` is not an ISO 8601 date and time",
            Code::InvalidParameter => {
                "a parameter is given twice, is over-long, not UTF-8, or has control characters"
            }
            Code::NotFound => "there is nothing at this path",
            Code::MethodNotAllowed => "the path has other methods; `Allow` names them",
            Code::Unavailable => {
                "the data cannot be read at the moment; `Retry-After` says when to try again"
            }
            Code::Internal => {
                "something went wrong inside; `requestId` is what the log names it by"
            }
        }
    }

    /// The `status` member and the status of the answer.
    pub const fn status(self) -> StatusCode {
        match self {
            Code::InvalidPeriod
            | Code::InvalidLimit
            | Code::InvalidSince
            | Code::InvalidParameter => StatusCode::BAD_REQUEST,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// The body. `type` is where the code is explained.
#[derive(Serialize)]
struct Body<'a> {
    r#type: String,
    title: &'a str,
    status: u16,
    detail: &'a str,
    code: &'a str,
    #[serde(rename = "requestId", skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
}

impl Problem {
    fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { code, detail: detail.into(), cause: None }
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

    pub fn not_found(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::NotFound, detail)
    }

    pub fn method_not_allowed(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::MethodNotAllowed, detail)
    }

    /// The service lives, but what the answer needs does not answer; a later try may succeed.
    pub fn unavailable(cause: Arc<dyn std::error::Error + Send + Sync>) -> Self {
        let detail = "The data cannot be read at the moment. Try again in a few seconds.";
        Self { cause: Some(cause), ..Self::new(Code::Unavailable, detail) }
    }

    /// Something that should not happen. The answer says nothing of it but an id, under which it is
    /// logged.
    pub fn internal(cause: Arc<dyn std::error::Error + Send + Sync>) -> Self {
        let detail = "The request failed for a reason inside the service. It has been logged.";
        Self { cause: Some(cause), ..Self::new(Code::Internal, detail) }
    }

    /// The answer; `request_id` is what the log names it by.
    pub(crate) fn answer(&self, request_id: Option<&str>) -> Response {
        let status = self.code.status();
        let body = Body {
            r#type: format!("/docs/errors#{}", self.code.as_str()),
            title: self.code.title(),
            status: status.as_u16(),
            detail: &self.detail,
            code: self.code.as_str(),
            request_id,
        };
        // Strings and a number always serialise.
        let body = serde_json::to_vec(&body).unwrap_or_default();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json; charset=utf-8"),
        );
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.code == Code::Unavailable {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
        }
        response
    }
}

impl IntoResponse for Problem {
    /// Leaves the problem itself in the extensions, where the boundary finds and logs it.
    fn into_response(self) -> Response {
        let mut response = self.answer(None);
        response.extensions_mut().insert(self);
        response
    }
}

impl From<store::Error> for Problem {
    fn from(error: store::Error) -> Self {
        Self::unavailable(Arc::new(error))
    }
}

impl From<Arc<store::Error>> for Problem {
    fn from(error: Arc<store::Error>) -> Self {
        Self::unavailable(error)
    }
}
