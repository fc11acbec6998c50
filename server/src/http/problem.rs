//! Errors of the HTTP side: one type, one body (RFC 9457 `application/problem+json`), logged once,
//! at the [boundary](crate::http::boundary).

use std::{borrow::Cow, sync::Arc, time::Duration};

use app::source::ProblemCode;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::store;

/// When a client may try again after an error that passes by itself.
const UNAVAILABLE_PAUSE: Duration = Duration::from_secs(5);
const STREAM_PAUSE: Duration = Duration::from_secs(30);

/// The result of a handler.
pub type Result<T, E = Problem> = std::result::Result<T, E>;

/// What went wrong with a request. The constructors are the codes of the API.
#[derive(Clone, Debug)]
pub struct Problem {
    pub code: Code,
    pub detail: Cow<'static, str>,
    /// After which time another try makes sense.
    pub retry_after: Option<Duration>,
    /// What happened inside; logged, never sent.
    pub(crate) cause: Option<Cause>,
}

/// See [`Problem`].
pub(crate) type Cause = Arc<dyn std::error::Error + Send + Sync>;

/// The stable name of a kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    InvalidPeriod,
    InvalidLimit,
    InvalidSince,
    InvalidParameter,
    InvalidJson,
    InvalidUrl,
    UrlNotAllowed,
    InvalidEvents,
    UnsupportedMediaType,
    PayloadTooLarge,
    Unauthenticated,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    SubscriptionLimit,
    RateLimited,
    TooManyStreams,
    UnsupportedFormat,
    Unavailable,
    Internal,
}

impl Code {
    /// All codes, in the order of the documentation.
    pub const ALL: [Code; 20] = [
        Code::InvalidPeriod,
        Code::InvalidLimit,
        Code::InvalidSince,
        Code::InvalidParameter,
        Code::InvalidJson,
        Code::InvalidUrl,
        Code::UrlNotAllowed,
        Code::InvalidEvents,
        Code::UnsupportedMediaType,
        Code::PayloadTooLarge,
        Code::Unauthenticated,
        Code::Forbidden,
        Code::NotFound,
        Code::MethodNotAllowed,
        Code::SubscriptionLimit,
        Code::RateLimited,
        Code::TooManyStreams,
        Code::UnsupportedFormat,
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
            Code::InvalidJson => "INVALID_JSON",
            Code::InvalidUrl => "INVALID_URL",
            Code::UrlNotAllowed => "URL_NOT_ALLOWED",
            Code::InvalidEvents => "INVALID_EVENTS",
            Code::UnsupportedMediaType => "UNSUPPORTED_MEDIA_TYPE",
            Code::PayloadTooLarge => "PAYLOAD_TOO_LARGE",
            Code::Unauthenticated => "UNAUTHENTICATED",
            Code::Forbidden => "FORBIDDEN",
            Code::SubscriptionLimit => "SUBSCRIPTION_LIMIT",
            Code::RateLimited => "RATE_LIMITED",
            Code::TooManyStreams => "TOO_MANY_STREAMS",
            Code::NotFound => "NOT_FOUND",
            Code::MethodNotAllowed => "METHOD_NOT_ALLOWED",
            Code::UnsupportedFormat => "UNSUPPORTED_FORMAT",
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
            Code::InvalidJson => "The body is not valid JSON",
            Code::InvalidUrl => "The URL is invalid",
            Code::UrlNotAllowed => "Webhooks may not go to this URL",
            Code::InvalidEvents => "The list of events is invalid",
            Code::UnsupportedMediaType => "The body has the wrong media type",
            Code::PayloadTooLarge => "The body is too large",
            Code::Unauthenticated => "The key is missing or not valid",
            Code::Forbidden => "The key does not allow this",
            Code::SubscriptionLimit => "There are too many subscriptions",
            Code::RateLimited => "Too many requests",
            Code::TooManyStreams => "Too many open streams",
            Code::NotFound => "There is nothing here",
            Code::MethodNotAllowed => "The method is not allowed here",
            Code::UnsupportedFormat => "The format is not supported",
            Code::Unavailable => "The service cannot answer at the moment",
            Code::Internal => "Something went wrong inside",
        }
    }

    /// For the documentation.
    pub(crate) const fn explained(self) -> ProblemCode {
        ProblemCode { code: self.as_str(), status: self.status().as_u16(), when: self.when() }
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
                "a parameter is missing, given twice, over-long, not UTF-8, or has control characters"
            }
            Code::InvalidJson => {
                "the body of a request is not a JSON object, or did not arrive whole"
            }
            Code::InvalidUrl => "`url` is missing or is no URL that a webhook can go to",
            Code::UrlNotAllowed => {
                "`url` is well-formed, but its scheme or an address behind its host is not allowed; `detail` says which and why"
            }
            Code::InvalidEvents => {
                "`events` is missing, empty, or names an event that there is not"
            }
            Code::UnsupportedMediaType => {
                "a body is sent as something else than `application/json`"
            }
            Code::PayloadTooLarge => "a body has more than 16 KiB",
            Code::Unauthenticated => {
                "a key is needed and not given, or the one given is malformed, unknown, revoked or expired; on public endpoints too"
            }
            Code::Forbidden => "the key is valid but not of a tier that may do this",
            Code::SubscriptionLimit => "the partner has 25 subscriptions already",
            Code::RateLimited => {
                "the quota of the minute is used up; `Retry-After` says when the next request is accepted"
            }
            Code::TooManyStreams => {
                "the address has 20 streams open already, or as many as the operator allows"
            }
            Code::NotFound => "there is nothing at this path, or no subscription of this id",
            Code::MethodNotAllowed => "the path has other methods; `Allow` names them",
            Code::UnsupportedFormat => "oEmbed is asked for a `format` other than `json`",
            Code::Unavailable => {
                "the data cannot be read or written at the moment; `Retry-After` says when to try again"
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
            | Code::InvalidParameter
            | Code::InvalidJson
            | Code::InvalidUrl
            | Code::UrlNotAllowed
            | Code::InvalidEvents => StatusCode::BAD_REQUEST,
            Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::Unauthenticated => StatusCode::UNAUTHORIZED,
            Code::Forbidden => StatusCode::FORBIDDEN,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Code::SubscriptionLimit => StatusCode::CONFLICT,
            Code::RateLimited | Code::TooManyStreams => StatusCode::TOO_MANY_REQUESTS,
            // The status that oEmbed demands.
            Code::UnsupportedFormat => StatusCode::NOT_IMPLEMENTED,
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
        Self { code, detail: detail.into(), retry_after: None, cause: None }
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

    pub fn invalid_url(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidUrl, detail)
    }

    pub fn url_not_allowed(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::UrlNotAllowed, detail)
    }

    pub fn invalid_events(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidEvents, detail)
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

    pub fn unsupported_format(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::UnsupportedFormat, detail)
    }

    /// The service lives, but what the answer needs does not answer; a later try may succeed.
    pub fn unavailable(cause: Arc<dyn std::error::Error + Send + Sync>) -> Self {
        let detail = "The data cannot be read at the moment. Try again in a few seconds.";
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
        let detail = "The request failed for a reason inside the service. It has been logged.";
        Self { cause: Some(cause), ..Self::new(Code::Internal, detail) }
    }

    /// The body, of a service below `base_path`; `request_id` is what the log names the problem by.
    pub(crate) fn body(&self, base_path: &str, request_id: Option<&str>) -> Vec<u8> {
        let body = Body {
            r#type: format!("{base_path}/docs/errors#{}", self.code.as_str()),
            title: self.code.title(),
            status: self.code.status().as_u16(),
            detail: &self.detail,
            code: self.code.as_str(),
            request_id,
        };
        // Strings and a number always serialise.
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

impl IntoResponse for Problem {
    /// Leaves the problem itself in the extensions, where the boundary finds it, logs it and
    /// completes the body.
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
        Self::unavailable(Arc::new(error))
    }
}

impl From<Arc<store::Error>> for Problem {
    fn from(error: Arc<store::Error>) -> Self {
        Self::unavailable(error)
    }
}
