//! URL at which a client reached this service: the base of links, snippets and redirects.
//!
//! Either the operator configures it (`--public-url`), or it comes from the request: its `Host` header and the
//! forwarding headers of trusted proxies. If TLS ends before the service, only a proxy can report that the client used
//! https.

use std::{convert::Infallible, net::IpAddr, str::FromStr, sync::Arc};

use app::base_url::BaseUrl;
use axum::{
    extract::{FromRef, FromRequestParts},
    response::Response,
};
use edge::{Peer, base_path::BasePath};
use http::{HeaderValue, header, request::Parts, uri::Scheme};
use limits::{TrustedProxies, forwarded_origin, host};
use url::Url;

/// First segments of the service's own paths. The path prefix must not begin with one of them: it would be unclear
/// whether a proxy has already removed the prefix from a request's path.
const OWN: [&str; 9] =
    ["api", "assets", "data", "desk", "docs", "embed", "feeds", "operator", "partners"];

/// Public URL of the service, as the operator configures it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(BaseUrl);

impl FromStr for PublicUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FORM: &str = "write it as https://HOST, https://HOST/PATH or http://HOST:PORT";
        let url = Url::parse(text).map_err(|_| FORM)?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(FORM);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("leave out the user and the password: the address is shown to everybody");
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err("leave out the query (?) and the fragment (#): paths are appended to it");
        }
        let path = url.path().trim_end_matches('/');
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._~!$&()*+,;=:@%/".contains(c);
        if path.contains("//") || !path.chars().all(plain) {
            return Err("write the path in plain characters, without two slashes in a row");
        }
        if path.split('/').nth(1).is_some_and(|first| OWN.contains(&first)) {
            return Err(
                "choose a path that does not begin with /api, /assets, /data, /desk, /docs, /embed, /feeds, \
                        /operator or /partners: these are paths of the service itself",
            );
        }
        Ok(Self(BaseUrl::new(&url.origin().ascii_serialization(), path)))
    }
}

impl PublicUrl {
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Path prefix of the service; empty if the service has the host for itself.
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// Host name.
    pub fn host(&self) -> Option<String> {
        Url::parse(self.0.as_str()).ok()?.host_str().map(str::to_owned)
    }

    /// Path prefix in the form that the HTTP side strips.
    pub fn base_path(&self) -> BasePath {
        BasePath::new(self.path())
    }
}

/// Base URL of one request.
#[derive(Clone, Debug)]
pub struct ReachedAt {
    pub base_url: BaseUrl,
    /// Request headers that the URL depends on.
    vary: &'static [&'static str],
}

/// Sources for the base URL of a request. Cheap to clone.
#[derive(Clone, Debug)]
pub struct BaseUrls {
    public_url: Option<Arc<PublicUrl>>,
    trusted_proxies: TrustedProxies,
}

impl BaseUrls {
    pub fn new(public_url: Option<PublicUrl>, trusted_proxies: TrustedProxies) -> Self {
        Self { public_url: public_url.map(Arc::new), trusted_proxies }
    }

    /// Path prefix of the service; empty if the service has the host for itself.
    pub fn path(&self) -> &str {
        self.public_url.as_ref().map_or("", |url| url.path())
    }
}

impl ReachedAt {
    pub fn of(base_urls: &BaseUrls, request: &Parts) -> Self {
        if let Some(public_url) = &base_urls.public_url {
            return Self { base_url: public_url.0.clone(), vary: &[] };
        }
        let trusted = &base_urls.trusted_proxies;
        let peer = request.extensions.get::<Peer>();
        let proxy: Option<IpAddr> =
            peer.map(|peer| peer.addr.ip()).filter(|peer| trusted.contains(*peer));
        let forwarded = proxy
            .map(|proxy| forwarded_origin(proxy, &request.headers, trusted))
            .unwrap_or_default();
        let own_scheme =
            if peer.is_some_and(|peer| peer.tls) { Scheme::HTTPS } else { Scheme::HTTP };
        let scheme = forwarded.scheme.unwrap_or(own_scheme);
        let named = || host(request.headers.get(header::HOST)?.as_bytes());
        let host = forwarded.host.or_else(named).unwrap_or_else(|| "localhost".to_owned());
        let vary: &[&str] = match proxy {
            Some(_) => &["host", "x-forwarded-proto, x-forwarded-host, forwarded"],
            None => &["host"],
        };
        Self { base_url: BaseUrl::new(&format!("{scheme}://{host}"), ""), vary }
    }

    /// Adds `Vary` to a response that contains the base URL.
    pub fn vary(&self, mut response: Response) -> Response {
        for names in self.vary {
            response.headers_mut().append(header::VARY, HeaderValue::from_static(names));
        }
        response
    }
}

impl<S: Sync> FromRequestParts<S> for ReachedAt
where
    BaseUrls: FromRef<S>,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&BaseUrls::from_ref(state), parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public_url(text: &str) -> Result<String, &'static str> {
        text.parse::<PublicUrl>().map(|url| url.as_str().to_owned())
    }

    #[test]
    fn it_is_an_origin_and_perhaps_a_path() {
        for (text, url) in [
            ("https://svc.example.org", "https://svc.example.org"),
            ("https://svc.example.org/", "https://svc.example.org"),
            ("https://SVC.example.org:443/", "https://svc.example.org"),
            ("http://[::1]:3000", "http://[::1]:3000"),
            ("https://example.org/counters", "https://example.org/counters"),
            ("https://example.org/counters//", "https://example.org/counters"),
            ("https://example.org/a/./b/../c%20d", "https://example.org/a/c%20d"),
            ("https://example.org/documents", "https://example.org/documents"),
        ] {
            assert_eq!(public_url(text), Ok(url.to_owned()), "{text}");
        }
    }

    #[test]
    fn anything_else_is_refused_with_what_to_change() {
        for (text, said) in [
            ("svc.example.org", "write it as"),
            ("", "write it as"),
            ("/counters", "write it as"),
            ("ftp://example.org", "write it as"),
            ("data:text/plain,x", "write it as"),
            ("https://user:word@example.org", "the user and the password"),
            ("https://example.org/?x", "the query"),
            ("https://example.org?", "the query"),
            ("https://example.org/#x", "the fragment"),
            ("https://example.org/a//b", "two slashes"),
            ("https://example.org/it's", "plain characters"),
            ("https://example.org/embed/", "paths of the service"),
            ("https://example.org/api/counters", "paths of the service"),
            ("https://example.org/data", "paths of the service"),
            ("https://example.org/feeds/x", "paths of the service"),
        ] {
            let refused = public_url(text).unwrap_err();
            assert!(refused.contains(said), "{text}: {refused}");
        }
    }
}
