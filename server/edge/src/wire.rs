//! Responses in HTTP/1 format, for cases in which hyper does not write them.

use axum::response::IntoResponse;
use http::{HeaderValue, Version, header, response};

use super::{cors::with_common_headers, problem::Problem};

/// Problem for a request that never reached a router. The connection ends after it.
pub(super) fn refusal(problem: Problem) -> Vec<u8> {
    let body = problem.body("", None);
    let (mut parts, _) = with_common_headers(problem.into_response()).into_parts();
    parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    [head(Version::HTTP_11, &parts, false), body].concat()
}

/// Value of `Date`. hyper adds it to its own responses, also from the machine's clock.
#[expect(
    clippy::disallowed_methods,
    reason = "no decision depends on it, and hyper's own cannot be stepped"
)]
pub(super) fn date() -> String {
    httpdate::fmt_http_date(std::time::SystemTime::now())
}

/// Status line and headers of a response after which the connection ends.
pub(super) fn head(version: Version, head: &response::Parts, is_chunked: bool) -> Vec<u8> {
    let mut bytes = format!("{version:?} {}\r\n", head.status).into_bytes();
    for (name, value) in &head.headers {
        field(&mut bytes, name.as_str(), value.as_bytes());
    }
    field(&mut bytes, "date", date().as_bytes());
    field(&mut bytes, "connection", b"close");
    if is_chunked {
        field(&mut bytes, "transfer-encoding", b"chunked");
    }
    bytes.extend_from_slice(b"\r\n");
    bytes
}

fn field(bytes: &mut Vec<u8>, name: &str, value: &[u8]) {
    for part in [name.as_bytes(), b": ", value, b"\r\n"] {
        bytes.extend_from_slice(part);
    }
}
