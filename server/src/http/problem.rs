//! Errors of the HTTP side: one type, one body (RFC 9457 `application/problem+json`), logged once,
//! at the [boundary](crate::http::boundary).

use std::{borrow::Cow, sync::Arc, time::Duration};

use app::source::ProblemCode;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use super::feed::date;
use crate::store;

/// When a client may try again after an error that passes by itself.
const UNAVAILABLE_PAUSE: Duration = Duration::from_secs(5);
const STREAM_PAUSE: Duration = Duration::from_secs(30);

const CONTENT_TYPE: HeaderValue =
    HeaderValue::from_static("application/problem+json; charset=utf-8");

/// The result of a handler.
pub type Result<T, E = Problem> = std::result::Result<T, E>;

/// A path or query as problems quote it.
pub(crate) fn quoted(text: &str) -> String {
    text.chars().take(100).collect()
}

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
    TooManyConnections,
    UnsupportedFormat,
    MalformedRequest,
    RequestTimeout,
    HeadTooLarge,
    Unavailable,
    Internal,
}

impl Code {
    /// All codes, in the order of the documentation.
    pub const ALL: [Code; 24] = [
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
        Code::TooManyConnections,
        Code::UnsupportedFormat,
        Code::MalformedRequest,
        Code::RequestTimeout,
        Code::HeadTooLarge,
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
            Code::TooManyConnections => "TOO_MANY_CONNECTIONS",
            Code::NotFound => "NOT_FOUND",
            Code::MethodNotAllowed => "METHOD_NOT_ALLOWED",
            Code::UnsupportedFormat => "UNSUPPORTED_FORMAT",
            Code::MalformedRequest => "MALFORMED_REQUEST",
            Code::RequestTimeout => "REQUEST_TIMEOUT",
            Code::HeadTooLarge => "HEAD_TOO_LARGE",
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
            Code::UrlNotAllowed => "Webhooks cannot be sent to this URL",
            Code::InvalidEvents => "The list of events is invalid",
            Code::UnsupportedMediaType => "The body has the wrong media type",
            Code::PayloadTooLarge => "The body is too large",
            Code::Unauthenticated => "The key is missing or not valid",
            Code::Forbidden => "The key does not allow this",
            Code::SubscriptionLimit => "There are too many subscriptions",
            Code::RateLimited => "Too many requests",
            Code::TooManyStreams => "Too many open streams",
            Code::TooManyConnections => "Too many open connections",
            Code::NotFound => "Not found",
            Code::MethodNotAllowed => "The method is not allowed",
            Code::UnsupportedFormat => "The format is not supported",
            Code::MalformedRequest => "The request is not valid HTTP",
            Code::RequestTimeout => "The request did not arrive in time",
            Code::HeadTooLarge => "The head of the request is too large",
            Code::Unavailable => "The service is temporarily unavailable",
            Code::Internal => "Internal error",
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
                "`from` or `to` is invalid, or missing where it is required, or `from` is after `to`"
            }
            Code::InvalidLimit => "`limit` is not a whole number from 1 to 100",
            Code::InvalidSince => "`since` is not an ISO 8601 date and time",
            Code::InvalidParameter => {
                "another parameter is invalid, missing, too long or given more than once"
            }
            Code::InvalidJson => "the body is not a JSON object, or is incomplete",
            Code::InvalidUrl => "`url` is missing, or is not a URL that webhooks can be sent to",
            Code::UrlNotAllowed => {
                "the scheme of `url`, or an address of its host, is not allowed; `detail` says which, and why"
            }
            Code::InvalidEvents => "`events` is missing or empty, or contains an unknown event",
            Code::UnsupportedMediaType => {
                "the `Content-Type` of the body is not `application/json`"
            }
            Code::PayloadTooLarge => "the body is larger than 16 KiB",
            Code::Unauthenticated => {
                "a key is required but missing, or the key is malformed, unknown, revoked or expired; on public endpoints too"
            }
            Code::Forbidden => "the key is valid, but its tier does not allow this",
            Code::SubscriptionLimit => "the partner already has 25 subscriptions",
            Code::RateLimited => {
                "the quota for this minute is used up; `Retry-After` says when the next request will be accepted"
            }
            Code::TooManyStreams => "the address or the key already has 20 open streams",
            Code::TooManyConnections => "the address already has 256 open connections",
            Code::NotFound => "nothing exists at this path, or no subscription has this id",
            Code::MethodNotAllowed => {
                "the path does not support this method; `Allow` lists those it supports"
            }
            Code::UnsupportedFormat => "an oEmbed request asks for a `format` other than `json`",
            Code::MalformedRequest => {
                "the request line or a header is malformed, or there is not exactly one `Host`"
            }
            Code::RequestTimeout => "the head of a request took longer than 10 seconds to arrive",
            Code::HeadTooLarge => "request line and headers together are larger than 16 KiB",
            Code::Unavailable => {
                "the data cannot be read or written at the moment; `Retry-After` says when to try again"
            }
            Code::Internal => "the service failed; `requestId` identifies the request in its log",
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
            | Code::InvalidEvents
            | Code::MalformedRequest => StatusCode::BAD_REQUEST,
            Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::Unauthenticated => StatusCode::UNAUTHORIZED,
            Code::Forbidden => StatusCode::FORBIDDEN,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Code::SubscriptionLimit => StatusCode::CONFLICT,
            Code::RateLimited | Code::TooManyStreams | Code::TooManyConnections => {
                StatusCode::TOO_MANY_REQUESTS
            }
            // The status that oEmbed demands.
            Code::UnsupportedFormat => StatusCode::NOT_IMPLEMENTED,
            Code::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
            Code::HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
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
    pub(crate) fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
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

    pub fn too_many_connections(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::TooManyConnections, detail)
    }

    pub fn unsupported_format(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::UnsupportedFormat, detail)
    }

    pub fn malformed_request(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::MalformedRequest, detail)
    }

    pub fn request_timeout(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::RequestTimeout, detail)
    }

    pub fn head_too_large(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::HeadTooLarge, detail)
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
        let detail = "The service failed. The error has been logged.";
        Self { cause: Some(cause), ..Self::new(Code::Internal, detail) }
    }

    /// The body, of a service below `base_path`; `request_id` is what the log calls the request.
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

impl Problem {
    /// The whole response as it is on the wire, for where no router is. The connection ends with it.
    pub(super) fn message(&self) -> Vec<u8> {
        let body = self.body("", None);
        let mut message = format!(
            "HTTP/1.1 {}\r\n\
             content-type: application/problem+json; charset=utf-8\r\n\
             content-length: {}\r\n\
             cache-control: no-store\r\n\
             access-control-allow-origin: *\r\n\
             x-content-type-options: nosniff\r\n\
             date: {}\r\n\
             connection: close\r\n\r\n",
            self.code.status(),
            body.len(),
            date(),
        )
        .into_bytes();
        message.extend(body);
        message
    }
}

impl IntoResponse for Problem {
    /// Leaves the problem itself in the extensions, where the boundary finds it, logs it and completes
    /// the body.
    fn into_response(self) -> Response {
        let mut response = (self.code.status(), self.body("", None)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, CONTENT_TYPE);
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
