//! Who is signed in. The browser has a random token as a cookie, the database its SHA-256.

use app::base_url::BaseUrl;
use chrono::TimeDelta;
use http::{HeaderMap, header};
use sha2::{Digest, Sha256};

use crate::random::Random;

/// How long somebody stays signed in.
pub(super) const LENGTH: TimeDelta = TimeDelta::hours(12);

const COOKIE: &str = "svc_desk";
/// Characters of a token: 190 bits of randomness.
const TOKEN_LENGTH: usize = 32;

/// What a browser shows to be let in.
#[derive(Clone, Debug)]
pub(super) struct Token(String);

impl Token {
    pub(super) fn generate(random: &Random) -> Self {
        Self(random.base62(TOKEN_LENGTH))
    }

    /// The token that a browser sends, if it sends one that can be one.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let cookies = headers.get_all(header::COOKIE).iter();
        let cookies = cookies.filter_map(|value| value.to_str().ok());
        let mut cookies = cookies.flat_map(|line| line.split(';'));
        let token = cookies.find_map(|cookie| {
            let (name, value) = cookie.trim().split_once('=')?;
            (name == COOKIE).then_some(value)
        })?;
        let is_one =
            token.len() == TOKEN_LENGTH && token.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_one.then(|| Self(token.to_owned()))
    }

    #[cfg(test)]
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// What is stored.
    pub(super) fn hash(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    /// The cookie that has the browser keep it for a session.
    pub(super) fn cookie(&self, base_url: &BaseUrl) -> String {
        cookie(&self.0, LENGTH.num_seconds(), base_url)
    }
}

/// The cookie that has the browser forget its token.
pub(super) fn forgotten(base_url: &BaseUrl) -> String {
    cookie("", 0, base_url)
}

fn cookie(value: &str, seconds: i64, base_url: &BaseUrl) -> String {
    let path = base_url.link("/desk");
    let secure = if base_url.as_str().starts_with("https://") { "; Secure" } else { "" };
    format!("{COOKIE}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn sent(cookie: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_str(cookie).unwrap());
        Token::of(&headers).map(|Token(token)| token)
    }

    #[test]
    fn the_token_is_found_among_other_cookies() {
        let token = "0123456789abcdefghijABCDEFGHIJ01";
        let found = Some(token.to_owned());
        assert_eq!(sent(&format!("svc_desk={token}")), found);
        assert_eq!(sent(&format!("a=b; svc_desk={token}; c=d")), found);
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
            "svc_desk=t; Path=/counters/desk; Max-Age=43200; HttpOnly; SameSite=Strict; Secure"
        );
        assert_eq!(
            forgotten(&BaseUrl::new("http://127.0.0.1:3001", "")),
            "svc_desk=; Path=/desk; Max-Age=0; HttpOnly; SameSite=Strict"
        );
    }
}
