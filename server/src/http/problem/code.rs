use app::source::ProblemCode;
use http::StatusCode;

/// The stable name of a kind of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    InvalidPeriod,
    InvalidLimit,
    InvalidSince,
    InvalidParameter,
    InvalidJson,
    InvalidCsv,
    InvalidBody,
    InvalidUrl,
    UrlNotAllowed,
    InvalidEvents,
    InvalidFilter,
    UnsupportedMediaType,
    PayloadTooLarge,
    Unauthenticated,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    SubscriptionLimit,
    IdempotencyConflict,
    Conflict,
    CursorExpired,
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
    pub const ALL: [Code; 30] = [
        Code::InvalidPeriod,
        Code::InvalidLimit,
        Code::InvalidSince,
        Code::InvalidParameter,
        Code::InvalidJson,
        Code::InvalidCsv,
        Code::InvalidBody,
        Code::InvalidUrl,
        Code::UrlNotAllowed,
        Code::InvalidEvents,
        Code::InvalidFilter,
        Code::UnsupportedMediaType,
        Code::PayloadTooLarge,
        Code::Unauthenticated,
        Code::Forbidden,
        Code::NotFound,
        Code::MethodNotAllowed,
        Code::SubscriptionLimit,
        Code::IdempotencyConflict,
        Code::Conflict,
        Code::CursorExpired,
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
            Code::InvalidCsv => "INVALID_CSV",
            Code::InvalidBody => "INVALID_BODY",
            Code::InvalidUrl => "INVALID_URL",
            Code::UrlNotAllowed => "URL_NOT_ALLOWED",
            Code::InvalidEvents => "INVALID_EVENTS",
            Code::InvalidFilter => "INVALID_FILTER",
            Code::UnsupportedMediaType => "UNSUPPORTED_MEDIA_TYPE",
            Code::PayloadTooLarge => "PAYLOAD_TOO_LARGE",
            Code::Unauthenticated => "UNAUTHENTICATED",
            Code::Forbidden => "FORBIDDEN",
            Code::SubscriptionLimit => "SUBSCRIPTION_LIMIT",
            Code::IdempotencyConflict => "IDEMPOTENCY_CONFLICT",
            Code::Conflict => "CONFLICT",
            Code::CursorExpired => "CURSOR_EXPIRED",
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
            Code::InvalidCsv => "The body is not valid CSV",
            Code::InvalidBody => "The body has an unknown member",
            Code::InvalidUrl => "The URL is invalid",
            Code::UrlNotAllowed => "Webhooks cannot be sent to this URL",
            Code::InvalidEvents => "The list of events is invalid",
            Code::InvalidFilter => "The filter is invalid",
            Code::UnsupportedMediaType => "The body has the wrong media type",
            Code::PayloadTooLarge => "The body is too large",
            Code::Unauthenticated => "The key is missing or not valid",
            Code::Forbidden => "The key does not allow this",
            Code::SubscriptionLimit => "There are too many subscriptions",
            Code::IdempotencyConflict => "The idempotency key was used before",
            Code::Conflict => "The state does not allow this",
            Code::CursorExpired => "The log has no such place any more",
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
                "`from` or `to` is invalid, or missing where it is required, or `from` is after `to`, or \
                 the period has too many intervals for a series"
            }
            Code::InvalidLimit => "`limit` is not a whole number from 1 to 100",
            Code::InvalidSince => "`since` is not an ISO 8601 date and time",
            Code::InvalidParameter => {
                "another parameter is invalid, missing, too long or given more than once"
            }
            Code::InvalidJson => "the body is not a JSON object, or is incomplete",
            Code::InvalidCsv => {
                "in the operators\u{2019} API: the body is no CSV with a header line and rows, or is incomplete"
            }
            Code::InvalidBody => {
                "the body, or an object in it, has an unknown member; `pointer` is the JSON pointer to it"
            }
            Code::InvalidUrl => "`url` is missing, or is not a URL that webhooks can be sent to",
            Code::UrlNotAllowed => {
                "the scheme of `url`, or an address of its host, is not allowed; `detail` says which, and why"
            }
            Code::InvalidEvents => "`events` is missing or empty, or contains an unknown event",
            Code::InvalidFilter => {
                "`filter` is not an object, or one of its members is blank, empty or of the wrong type"
            }
            Code::UnsupportedMediaType => {
                "the `Content-Type` of the body is not `application/json`"
            }
            Code::PayloadTooLarge => {
                "the body is larger than it may be here; `detail` says how large that is"
            }
            Code::Unauthenticated => {
                "a key is required but missing, or the key is malformed, unknown, revoked or expired; on public endpoints too"
            }
            Code::Forbidden => "the key is valid, but its tier does not allow this",
            Code::SubscriptionLimit => "the partner already has 25 subscriptions",
            Code::IdempotencyConflict => {
                "the `Idempotency-Key` was used with another body in the last 24 hours, or its subscription has been deleted"
            }
            Code::Conflict => {
                "in the operators\u{2019} API: what is asked for does not fit the state that something is in"
            }
            Code::CursorExpired => {
                "events after this cursor are no longer kept, or the log ends before it"
            }
            Code::RateLimited => {
                "the quota for this minute is used up, or a subscription is tested too often; `Retry-After` says when the next request will be accepted"
            }
            Code::TooManyStreams => {
                "the address or the key already has as many open streams as the operator allows, by default 20"
            }
            Code::TooManyConnections => {
                "the address already has as many open connections as the operator allows, by default 256"
            }
            Code::NotFound => "nothing exists at this path, or no subscription has this id",
            Code::MethodNotAllowed => {
                "the path does not support this method; `Allow` lists those it supports"
            }
            Code::UnsupportedFormat => "an oEmbed request asks for a `format` other than `json`",
            Code::MalformedRequest => {
                "the request line or a header is malformed, or there is not exactly one `Host`"
            }
            Code::RequestTimeout => {
                "the head or the body of a request took longer than 10 seconds to arrive, or more of an upload did not within 30"
            }
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
            | Code::InvalidCsv
            | Code::InvalidBody
            | Code::InvalidUrl
            | Code::UrlNotAllowed
            | Code::InvalidEvents
            | Code::InvalidFilter
            | Code::MalformedRequest => StatusCode::BAD_REQUEST,
            Code::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::Unauthenticated => StatusCode::UNAUTHORIZED,
            Code::Forbidden => StatusCode::FORBIDDEN,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Code::SubscriptionLimit | Code::IdempotencyConflict | Code::Conflict => {
                StatusCode::CONFLICT
            }
            Code::CursorExpired => StatusCode::GONE,
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
