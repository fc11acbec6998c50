//! Protection of pages that people sign in to from other sites.

use app::base_url::BaseUrl;
use axum::response::{IntoResponse, Response};
use edge::cors::SameOrigin;
use http::{HeaderMap, HeaderValue, header};

use super::Realm;
use crate::problem::{Problem, Result};

const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/// Adds the headers of all responses of the desk, the portal and the operator API's reference: other sites may not frame
/// or read them, and browsers and proxies may not store them.
pub(crate) fn fenced(response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    response.extensions_mut().insert(SameOrigin);
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        // The referrer is needed to redirect forms back to their page.
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    response
}

/// Refuses a request that comes from another site.
pub(crate) fn check_own(realm: Realm, headers: &HeaderMap, base_url: &BaseUrl) -> Result<()> {
    match (is_own(headers, base_url), realm) {
        (true, _) => Ok(()),
        (false, Realm::Desk) => Err(Problem::forbidden("Only pages of the desk can do this.")),
        (false, Realm::Partners) => {
            Err(Problem::forbidden("Only pages of the portal can do this."))
        }
    }
}

/// Whether the request comes from a page of this service. Browsers state the origin of each request
/// other than links: in `Sec-Fetch-Site`, or in `Origin` if the browser is old.
fn is_own(headers: &HeaderMap, base_url: &BaseUrl) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin";
    }
    let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    let own = base_url.as_str().strip_suffix(base_url.path());
    origin.is_some() && origin == own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_service_itself_may_send_forms() {
        let base_url = BaseUrl::new("https://a.example", "/counters");
        let is_own = |given: &[(&'static str, &'static str)]| {
            let given = given
                .iter()
                .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
            is_own(&given.collect(), &base_url)
        };
        assert!(is_own(&[("sec-fetch-site", "same-origin")]));
        assert!(is_own(&[("origin", "https://a.example")]));
        assert!(!is_own(&[]));
        for site in ["cross-site", "same-site", "none"] {
            assert!(
                !is_own(&[("sec-fetch-site", site), ("origin", "https://a.example")]),
                "{site}"
            );
        }
        for origin in ["null", "http://a.example", "https://b.example", "https://a.example.evil"] {
            assert!(!is_own(&[("origin", origin)]), "{origin}");
        }
    }
}
