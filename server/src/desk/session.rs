//! Sessions. The browser has a random token in a cookie, the database its SHA-256.

use std::sync::Arc;

use app::base_url::BaseUrl;
use base::{
    cache::{Cache, Limits},
    random::Random,
};
use chrono::TimeDelta;
use http::{HeaderMap, header, request::Parts};
use sha2::{Digest, Sha256};
use store::Session;

use crate::{problem::Result, site::visitors::Visitor, state::AppState};

/// Duration of a session.
pub(super) const LENGTH: TimeDelta = TimeDelta::hours(12);

const COOKIE: &str = "svc_desk";
/// Cookie prefix over HTTPS. Browsers accept such cookies only from this host and for the path `/`
/// (RFC 6265bis, 4.1.3).
const HOST_PREFIX: &str = "__Host-";
/// Maximum number of tokens checked per request.
const MAX_TOKENS: usize = 3;
/// Maximum number of sessions that a node remembers.
const MAX_KNOWN: u64 = 10_000;
/// Length of a token in characters: 190 bits of randomness.
const TOKEN_LENGTH: usize = 32;

/// The secret of a session, sent by the browser.
#[derive(Clone, Debug)]
pub(super) struct Token(String);

impl Token {
    pub(super) fn generate(random: &Random) -> Self {
        Self(random.base62(TOKEN_LENGTH))
    }

    /// The tokens sent by a browser. There may be several if another site has set a cookie of the
    /// same name.
    pub(super) fn all_of<'h>(
        headers: &'h HeaderMap,
        base_url: &BaseUrl,
    ) -> impl Iterator<Item = Self> + use<'h> {
        let is_one = |token: &&str| {
            token.len() == TOKEN_LENGTH && token.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let tokens = cookies(headers, COOKIE, base_url).filter(is_one);
        tokens.take(MAX_TOKENS).map(|token| Self(token.to_owned()))
    }

    #[cfg(test)]
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// SHA-256 of the token, which the database stores.
    pub(super) fn hash(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    /// Cookie that stores the token in the browser for the length of a session.
    pub(super) fn cookie(&self, base_url: &BaseUrl) -> String {
        cookie(COOKIE, &self.0, LENGTH.num_seconds(), base_url)
    }
}

/// The session of the person who sends the request, with its token.
///
/// # Errors
/// 429 if the address has sent too many invalid tokens. Tokens that were valid on this node before
/// do not count, because an open page may continue to send them for a while.
pub(super) async fn of(
    app: &AppState,
    request: &Parts,
    base_url: &BaseUrl,
) -> Result<Option<(Token, Session)>> {
    let visitor = Visitor::of(&app.visitors, request);
    for token in Token::all_of(&request.headers, base_url) {
        let hash = token.hash();
        let is_known = app.known_sessions.contains_key(&hash);
        if !is_known {
            visitor.may_sign_in()?;
        }
        match app.store.sessions().find(hash).await? {
            Some(session) => {
                if !is_known {
                    app.known_sessions.insert(hash, Arc::new(())).await;
                }
                return Ok(Some((token, session)));
            }
            None if is_known => {}
            None => visitor.count_sign_in()?,
        }
    }
    Ok(None)
}

/// Hashes of the tokens of sessions that were valid on this node.
pub(crate) fn known_sessions() -> Cache<[u8; 32], ()> {
    let limits = Limits { weight: MAX_KNOWN, ..Limits::default() };
    Cache::new(limits, |_: &[u8; 32], (): &()| 1)
}

/// Cookie that deletes the token in the browser.
pub(super) fn forgotten(base_url: &BaseUrl) -> String {
    cookie(COOKIE, "", 0, base_url)
}

/// A cookie of the desk, with its lifetime in seconds.
pub(super) fn cookie(name: &str, value: &str, seconds: i64, base_url: &BaseUrl) -> String {
    let (prefix, path, secure) = match is_secure(base_url) {
        true => (HOST_PREFIX, "/".to_owned(), "; Secure"),
        false => ("", base_url.link("/desk"), ""),
    };
    format!(
        "{prefix}{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
    )
}

/// Values of the cookies with this name.
pub(super) fn cookies<'h>(
    headers: &'h HeaderMap,
    name: &'static str,
    base_url: &BaseUrl,
) -> impl Iterator<Item = &'h str> + use<'h> {
    let prefix = if is_secure(base_url) { HOST_PREFIX } else { "" };
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(move |cookie| {
        let (given, value) = cookie.trim().split_once('=')?;
        (given.strip_prefix(prefix) == Some(name)).then_some(value)
    })
}

fn is_secure(base_url: &BaseUrl) -> bool {
    base_url.as_str().starts_with("https://")
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn sent(cookie: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_str(cookie).unwrap());
        let base_url = BaseUrl::new("http://a.example", "");
        Token::all_of(&headers, &base_url).next().map(|Token(token)| token)
    }

    #[test]
    fn the_token_is_found_among_other_cookies() {
        let token = "0123456789abcdefghijABCDEFGHIJ01";
        let found = Some(token.to_owned());
        assert_eq!(sent(&format!("svc_desk={token}")), found);
        assert_eq!(sent(&format!("a=b; svc_desk={token}; c=d")), found);
        assert_eq!(sent(&format!("svc_desk=made-up; svc_desk={token}")), found);
        assert_eq!(sent(&format!("__Host-svc_desk={token}")), None, "not over HTTPS");
        for other in
            ["", "svc_desk=", "svc_desk=short", "xsvc_desk=0123456789abcdefghijABCDEFGHIJ01"]
        {
            assert_eq!(sent(other), None, "{other}");
        }
        assert_eq!(sent(&format!("svc_desk={}%", &token[1..])), None);
    }

    #[test]
    fn only_over_https_the_cookie_says_that_it_is_for_that() {
        let token = Token("t".to_owned());
        assert_eq!(
            token.cookie(&BaseUrl::new("https://a.example", "/counters")),
            "__Host-svc_desk=t; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure"
        );
        assert_eq!(
            forgotten(&BaseUrl::new("http://127.0.0.1:3001", "")),
            "svc_desk=; Path=/desk; Max-Age=0; HttpOnly; SameSite=Strict"
        );
    }
}
