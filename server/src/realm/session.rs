//! Sessions. The browser has a random token in a cookie, the database its SHA-256.

use std::sync::Arc;

use app::base_url::BaseUrl;
use base::{
    cache::{Cache, Limits},
    random::Random,
};
use chrono::TimeDelta;
use http::{HeaderMap, request::Parts};
use sha2::{Digest, Sha256};
use store::Session;

use super::{Cookie, Realm};
use crate::{problem::Result, site::visitors::Visitor, state::AppState};

/// Duration of a session.
pub(super) const LENGTH: TimeDelta = TimeDelta::hours(12);

/// Maximum number of tokens checked per request.
const MAX_TOKENS: usize = 3;
/// Maximum number of sessions that a node remembers.
const MAX_KNOWN: u64 = 10_000;
/// Length of a token in characters: 190 bits of randomness.
const TOKEN_LENGTH: usize = 32;

/// The secret of a session, sent by the browser.
#[derive(Clone, Debug)]
pub(crate) struct Token(String);

impl Token {
    pub(super) fn generate(random: &Random) -> Self {
        Self(random.base62(TOKEN_LENGTH))
    }

    /// The tokens sent by a browser.
    pub(super) fn all_of<'h>(
        realm: Realm,
        headers: &'h HeaderMap,
        base_url: &BaseUrl,
    ) -> impl Iterator<Item = Self> + use<'h> {
        let is_one = |token: &&str| {
            token.len() == TOKEN_LENGTH && token.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let tokens = realm.values(Cookie::Session, headers, base_url).filter(is_one);
        tokens.take(MAX_TOKENS).map(|token| Self(token.to_owned()))
    }

    /// SHA-256 of the token, which the database stores.
    pub(crate) fn hash(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    /// Cookie that stores the token in the browser for the length of a session.
    pub(super) fn cookie(&self, realm: Realm, base_url: &BaseUrl) -> String {
        realm.cookie(Cookie::Session, &self.0, LENGTH.num_seconds(), base_url)
    }
}

/// The session of the person who sends the request, with its token.
///
/// # Errors
/// 429 if the address has sent too many invalid tokens. Tokens that were valid on this node before
/// do not count, because an open page may continue to send them for a while.
pub(crate) async fn of(
    app: &AppState,
    realm: Realm,
    request: &Parts,
    base_url: &BaseUrl,
) -> Result<Option<(Token, Session)>> {
    let visitor = Visitor::of(&app.visitors, request);
    for token in Token::all_of(realm, &request.headers, base_url) {
        let hash = token.hash();
        let is_known = app.known_sessions.contains_key(&hash);
        if !is_known {
            visitor.may_sign_in()?;
        }
        match app.store.sessions().find(hash).await? {
            Some(session) if realm.admits(session.tier, session.scope) => {
                if !is_known {
                    app.known_sessions.insert(hash, Arc::new(())).await;
                }
                return Ok(Some((token, session)));
            }
            _ if is_known => {}
            _ => visitor.count_sign_in()?,
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
pub(super) fn forgotten(realm: Realm, base_url: &BaseUrl) -> String {
    realm.cookie(Cookie::Session, "", 0, base_url)
}

/// Reads the session token from the cookies; see `fuzz.rs`.
#[cfg(test)]
pub(crate) fn fuzz_token(headers: &HeaderMap) -> Option<String> {
    let mut tokens = Token::all_of(Realm::Desk, headers, &BaseUrl::default());
    tokens.next().map(|Token(token)| token)
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, header};

    use super::*;

    fn sent(cookie: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_str(cookie).unwrap());
        let base_url = BaseUrl::new("http://a.example", "");
        Token::all_of(Realm::Desk, &headers, &base_url).next().map(|Token(token)| token)
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
        assert_eq!(sent(&format!("svc_partners={token}")), None, "of the portal");
        assert_eq!(sent(&format!("svc_desk={}%", &token[1..])), None);
    }

    #[test]
    fn only_over_https_the_cookie_says_that_it_is_for_that() {
        let token = Token("t".to_owned());
        assert_eq!(
            token.cookie(Realm::Desk, &BaseUrl::new("https://a.example", "/counters")),
            "__Host-svc_desk=t; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure"
        );
        assert_eq!(
            forgotten(Realm::Desk, &BaseUrl::new("http://127.0.0.1:3001", "")),
            "svc_desk=; Path=/desk; Max-Age=0; HttpOnly; SameSite=Strict"
        );
        assert_eq!(
            forgotten(Realm::Partners, &BaseUrl::new("http://127.0.0.1:3000", "")),
            "svc_partners=; Path=/partners; Max-Age=0; HttpOnly; SameSite=Strict"
        );
    }
}
