use app::page_data::ProblemCode;
use edge::problem::{self, ProblemKind};
use http::StatusCode;

/// Defines the codes, in the order of the documentation, each with its kind and the text after "This code means that …"
/// in the documentation.
macro_rules! codes {
    ($($code:ident: $kind:expr, $when:literal;)*) => {
        /// The stable name of a kind of problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($code,)*
        }

        impl Code {
            /// All codes, in the order of the documentation.
            pub const ALL: [Code; [$(Code::$code),*].len()] = [$(Code::$code),*];

            /// Name, status and title.
            pub const fn kind(self) -> &'static ProblemKind {
                match self {
                    $(Code::$code => const { $kind },)*
                }
            }

            /// The condition, for the documentation.
            pub const fn when(self) -> &'static str {
                match self {
                    $(Code::$code => $when,)*
                }
            }
        }
    };
}

codes! {
    InvalidPeriod: &kind(StatusCode::BAD_REQUEST, "INVALID_PERIOD", "The period is missing or invalid"),
        "`from` or `to` is invalid, or missing where it is required, or `from` is after `to`, or \
                 the period has too many intervals for a series";
    InvalidLimit: &kind(StatusCode::BAD_REQUEST, "INVALID_LIMIT", "The limit is invalid"),
        "`limit` is not a whole number from 1 to 100";
    InvalidSince: &kind(StatusCode::BAD_REQUEST, "INVALID_SINCE", "The instant is invalid"),
        "`since` or `until` is not an ISO 8601 date and time";
    InvalidParameter: &kind(StatusCode::BAD_REQUEST, "INVALID_PARAMETER", "A parameter is invalid"),
        "another parameter is invalid, missing, too long, given more than once, or probably misspelt";
    InvalidJson: &kind(StatusCode::BAD_REQUEST, "INVALID_JSON", "The body is not valid JSON"),
        "the body is not a JSON object, or is incomplete";
    InvalidCsv: &kind(StatusCode::BAD_REQUEST, "INVALID_CSV", "The body is not valid CSV"),
        "in the operators\u{2019} API: the body is not CSV with a header line and rows, or is incomplete";
    InvalidBody: &kind(StatusCode::BAD_REQUEST, "INVALID_BODY", "A member of the body is wrong"),
        "a member of the body is unknown, missing, or has a wrong value; `errors` lists the faults with JSON pointers";
    InvalidReport: &kind(StatusCode::UNPROCESSABLE_ENTITY, "INVALID_REPORT", "The report is invalid"),
        "a report, or each of several, is refused; `errors` lists the faults, and nothing was \
            changed";
    InvalidProof: &kind(StatusCode::BAD_REQUEST, "INVALID_PROOF", "The proof of work is missing or invalid"),
        "a report was submitted without a key, and its `proof` is missing, wrong, expired, or was used before";
    InvalidUrl: &kind(StatusCode::BAD_REQUEST, "INVALID_URL", "The URL is invalid"),
        "`url` is missing, or is not a URL that webhooks can be sent to";
    UrlNotAllowed: &kind(StatusCode::BAD_REQUEST, "URL_NOT_ALLOWED", "Webhooks cannot be sent to this URL"),
        "the scheme of `url`, or an address of its host, is not allowed; `detail` has the reason";
    InvalidEvents: &kind(StatusCode::BAD_REQUEST, "INVALID_EVENTS", "The list of events is invalid"),
        "`events` is missing or empty, or contains an unknown event";
    InvalidFilter: &kind(StatusCode::BAD_REQUEST, "INVALID_FILTER", "The filter is invalid"),
        "`filter` is not an object, or one of its members is blank, empty or of the wrong type";
    UnsupportedMediaType: &kind(StatusCode::UNSUPPORTED_MEDIA_TYPE, "UNSUPPORTED_MEDIA_TYPE", "The body has the wrong \
        media type"),
        "the `Content-Type` of the body is not `application/json`";
    PayloadTooLarge: &kind(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", "The body is too large"),
        "the body is too large; `detail` has the limit";
    Unauthenticated: &kind(StatusCode::UNAUTHORIZED, "UNAUTHENTICATED", "The key is missing or not valid"),
        "a key is required but missing, or the key is malformed, unknown, revoked or expired; on public endpoints too";
    Forbidden: problem::FORBIDDEN,
        "the key is valid, but its tier does not allow this";
    OriginNotAllowed: &kind(StatusCode::FORBIDDEN, "ORIGIN_NOT_ALLOWED", "Pages of this origin may not use the key"),
        "the key is for pages of other origins than that in `Origin`";
    NotFound: &kind(StatusCode::NOT_FOUND, "NOT_FOUND", "Not found"),
        "nothing exists at this path, or no subscription has this id";
    MethodNotAllowed: &kind(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", "The method is not allowed"),
        "the path does not support this method; `Allow` lists those it supports";
    PreconditionFailed: &kind(StatusCode::PRECONDITION_FAILED, "PRECONDITION_FAILED", "The state is another by now"),
        "`If-Match` has no tag of the current state: someone else made a change since. Read the state again";
    SubscriptionLimit: &kind(StatusCode::CONFLICT, "SUBSCRIPTION_LIMIT", "There are too many subscriptions"),
        "the partner already has 25 subscriptions";
    IdempotencyConflict: &kind(StatusCode::CONFLICT, "IDEMPOTENCY_CONFLICT", "The idempotency key was used before"),
        "the `Idempotency-Key` was used for another request in the last 24 hours, its request is being handled, or its \
            response was not kept";
    Conflict: &kind(StatusCode::CONFLICT, "CONFLICT", "The state does not allow this"),
        "in the operators\u{2019} API: the resource\u{2019}s current state does not allow this";
    CursorExpired: &kind(StatusCode::GONE, "CURSOR_EXPIRED", "The cursor has expired"),
        "events after this cursor are no longer kept, or the log ends before it";
    RateLimited: &kind(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", "Too many requests"),
        "the quota for this minute is used up, or a subscription is tested too often; `Retry-After` is the wait until \
            the next request is accepted";
    TooManyStreams: &kind(StatusCode::TOO_MANY_REQUESTS, "TOO_MANY_STREAMS", "Too many open streams"),
        "the address or the key already has as many open streams as the operator allows, by default 20";
    TooManyConnections: &kind(StatusCode::TOO_MANY_REQUESTS, "TOO_MANY_CONNECTIONS", "Too many open connections"),
        "the address already has as many open connections as the operator allows, by default 256";
    UnsupportedFormat: &kind(StatusCode::NOT_IMPLEMENTED, "UNSUPPORTED_FORMAT", "The format is not supported"),
        "an oEmbed request has a `format` other than `json`";
    MalformedRequest: problem::MALFORMED_REQUEST,
        "the request line or a header is malformed, or there is not exactly one `Host`";
    RequestTimeout: problem::REQUEST_TIMEOUT,
        "the head or the body of a request took longer than 10 seconds to arrive, or more of an upload did not within \
            30";
    HeadTooLarge: problem::HEAD_TOO_LARGE,
        "request line and headers together are larger than 16 KiB";
    Unavailable: &kind(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", "The service is temporarily unavailable"),
        "the data cannot be read or written at the moment; `Retry-After` is the wait before the next attempt";
    Internal: problem::INTERNAL,
        "the service failed; `requestId` identifies the request in its log";
}

const fn kind(status: StatusCode, code: &'static str, title: &'static str) -> ProblemKind {
    ProblemKind { code, status, title }
}

impl Code {
    /// The `code` member.
    pub const fn as_str(self) -> &'static str {
        self.kind().code
    }

    /// The `title` member.
    pub const fn title(self) -> &'static str {
        self.kind().title
    }

    /// The status of the response.
    pub const fn status(self) -> StatusCode {
        self.kind().status
    }

    /// Returns the code for the documentation pages.
    pub(crate) const fn explained(self) -> ProblemCode {
        ProblemCode { code: self.as_str(), status: self.status().as_u16(), when: self.when() }
    }
}
