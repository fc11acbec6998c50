//! Pages that people sign in to: the desk for operators, the portal for partners. Each has its own keys, cookies and
//! addresses. Sessions, the protection from other sites, languages and messages are the same.
//!
//! A session belongs to a key, and the tier of the key decides which realm admits it: a session of one realm is not valid
//! in the other, even if somebody moves a token from one cookie to the other.

pub(crate) mod csrf;
pub(crate) mod language;
pub(crate) mod notice;
pub(crate) mod session;
pub(crate) mod sign_in;

use app::base_url::BaseUrl;
use domain::{scope::Scope, tier::Tier};
use http::{HeaderMap, header, request::Parts};

use crate::{
    base_url::{BaseUrls, ReachedAt},
    operator,
    state::AppState,
};

/// Cookie prefix over HTTPS. Browsers accept such cookies only from this host and for the path `/`
/// (RFC 6265bis, 4.1.3).
const HOST_PREFIX: &str = "__Host-";

/// Pages with a sign-in of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Realm {
    Desk,
    Partners,
}

/// Purposes of cookies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// Token of the session.
    Session,
    /// Message for the next page.
    Notice,
    /// Chosen language.
    Language,
    /// URL of an endpoint that was typed into a form.
    Url,
}

impl Realm {
    /// Path of its first page, below which are the others.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Desk => "/desk",
            Self::Partners => "/partners",
        }
    }

    /// Path of its sign-in page.
    pub(crate) const fn sign_in(self) -> &'static str {
        match self {
            Self::Desk => "/desk/sign-in",
            Self::Partners => "/partners/sign-in",
        }
    }

    /// Whether a path, which may have a query, is one of its pages.
    pub(crate) fn has(self, path: &str) -> bool {
        let rest = path.strip_prefix(self.path());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
    }

    /// Whether the holder of a key may sign in.
    pub(crate) fn admits(self, tier: Tier, scope: Option<Scope>) -> bool {
        match self {
            Self::Desk => tier == Tier::Operator && scope.is_some(),
            Self::Partners => tier.may_subscribe(),
        }
    }

    /// URL at which the client of a request reached the service.
    pub(crate) fn base_url(self, app: &AppState, request: &Parts) -> BaseUrl {
        let base_urls: BaseUrls = match self {
            Self::Desk => operator::base_urls(app),
            Self::Partners => app.base_urls.clone(),
        };
        ReachedAt::of(&base_urls, request).base_url
    }

    const fn name(self, cookie: Cookie) -> &'static str {
        match (self, cookie) {
            (Self::Desk, Cookie::Session) => "svc_desk",
            (Self::Desk, Cookie::Notice) => "svc_desk_notice",
            (Self::Desk, Cookie::Language) => "svc_desk_lang",
            (Self::Desk, Cookie::Url) => "svc_desk_url",
            (Self::Partners, Cookie::Session) => "svc_partners",
            (Self::Partners, Cookie::Notice) => "svc_partners_notice",
            (Self::Partners, Cookie::Language) => "svc_partners_lang",
            (Self::Partners, Cookie::Url) => "svc_partners_url",
        }
    }

    /// A cookie with its value and its lifetime in seconds.
    pub(crate) fn cookie(
        self,
        cookie: Cookie,
        value: &str,
        seconds: i64,
        base_url: &BaseUrl,
    ) -> String {
        let (prefix, path, secure) = match is_secure(base_url) {
            true => (HOST_PREFIX, "/".to_owned(), "; Secure"),
            false => ("", base_url.link(self.path()), ""),
        };
        let name = self.name(cookie);
        format!(
            "{prefix}{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"
        )
    }

    /// Values that a browser has sent of a cookie. There may be several if another site has set a cookie of the same
    /// name.
    pub(crate) fn values<'h>(
        self,
        cookie: Cookie,
        headers: &'h HeaderMap,
        base_url: &BaseUrl,
    ) -> impl Iterator<Item = &'h str> + use<'h> {
        let prefix = if is_secure(base_url) { HOST_PREFIX } else { "" };
        let name = self.name(cookie);
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        lines.flat_map(|line| line.split(';')).filter_map(move |cookie| {
            let (given, value) = cookie.trim().split_once('=')?;
            (given.strip_prefix(prefix) == Some(name)).then_some(value)
        })
    }
}

fn is_secure(base_url: &BaseUrl) -> bool {
    base_url.as_str().starts_with("https://")
}
