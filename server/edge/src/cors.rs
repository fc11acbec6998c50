use axum::response::Response;
use http::{HeaderValue, header};

/// Allowed origin of responses. Everything but the desk is public and uses no cookies, so any page may read it. This
/// includes widgets and assets: a sandboxed frame has an origin of its own.
pub(super) const ANY_ORIGIN: HeaderValue = HeaderValue::from_static("*");

/// Extension of responses that only pages of the service itself may read.
#[derive(Clone, Copy, Debug)]
pub struct SameOrigin;

/// Adds the headers of every response, including refusals that never reach a router.
pub(super) fn with_common_headers(mut response: Response) -> Response {
    let is_own = response.extensions_mut().remove::<SameOrigin>().is_some();
    let headers = response.headers_mut();
    if !is_own {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
