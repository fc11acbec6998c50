//! Messages about the previous action, for the next page. They are in a cookie, which is deleted
//! when a page has shown them. A text in the address could have been written by anybody.

use app::base_url::BaseUrl;
use axum::response::{IntoResponse, Redirect, Response};
use desk::backend::{Issued, Notice};
use http::{HeaderMap, HeaderValue, header};
use url::form_urlencoded;

use super::{Cookie, Realm};

/// Lifetime of the cookie in seconds, in which the browser has to load the page.
const MAX_AGE: i64 = 60;
/// Maximum length of a message in characters, so that browsers accept the cookie.
const MAX_CHARACTERS: usize = 600;

/// Cookie that contains a message for the next page.
pub(crate) fn cookie_of(realm: Realm, notice: &Notice, base_url: &BaseUrl) -> String {
    let (kind, text) = match notice {
        Notice::Done(text) => ("d", text),
        Notice::UserError(text) => ("t", text),
        // A key has no space.
        Notice::Issued(Issued { holder, key }) => ("k", &format!("{key} {holder}")),
    };
    let text: String = text.chars().take(MAX_CHARACTERS).collect();
    let text: String = form_urlencoded::byte_serialize(text.as_bytes()).collect();
    realm.cookie(Cookie::Notice, &format!("{kind}{text}"), MAX_AGE, base_url)
}

/// Cookie that deletes the message in the browser.
pub(crate) fn forgotten(realm: Realm, base_url: &BaseUrl) -> String {
    realm.cookie(Cookie::Notice, "", 0, base_url)
}

/// The message for a page. Requests that do not display the page, such as a script that follows a
/// redirect, do not receive the message.
pub(crate) fn of(realm: Realm, headers: &HeaderMap, base_url: &BaseUrl) -> Option<Notice> {
    let is_shown = headers.get("sec-fetch-dest").is_none_or(|dest| dest == "document");
    let value = realm.values(Cookie::Notice, headers, base_url).next().filter(|_| is_shown)?;
    let (kind, text) = value.split_at_checked(1)?;
    let text = form_urlencoded::parse(text.as_bytes()).next();
    let text = text.map(|(text, _)| text.into_owned()).unwrap_or_default();
    match kind {
        "d" => Some(Notice::Done(text)),
        "t" => Some(Notice::UserError(text)),
        "k" => {
            let (key, holder) = text.split_once(' ')?;
            let (key, holder) = (key.to_owned(), holder.to_owned());
            Some(Notice::Issued(Issued { holder, key }))
        }
        _ => None,
    }
}

/// Redirects a browser to a page that shows a message.
pub(crate) fn lead(realm: Realm, path: &str, notice: &Notice, base_url: &BaseUrl) -> Response {
    let mut response = Redirect::to(&base_url.link(path)).into_response();
    set(&mut response, &cookie_of(realm, notice, base_url));
    response
}

/// Sets a cookie.
pub(crate) fn set(response: &mut Response, cookie: &str) {
    // Names, paths and encoded texts are ASCII, so this cannot fail.
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_survives_its_cookie() {
        let base_url = BaseUrl::new("https://a.example", "/counters");
        for notice in [
            Notice::Done("2 reports; \u{201c}Åre, Brasília\u{201d} = gone".to_owned()),
            Notice::UserError(String::new()),
            Notice::Issued(Issued { holder: "Jo Åre".to_owned(), key: "svc_a_b".to_owned() }),
        ] {
            let cookie = cookie_of(Realm::Desk, &notice, &base_url);
            let (sent, rest) = cookie.split_once("; ").unwrap();
            assert_eq!(rest, "Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure");
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, HeaderValue::from_str(sent).unwrap());
            assert_eq!(of(Realm::Desk, &headers, &base_url), Some(notice.clone()));
            headers.insert("sec-fetch-dest", HeaderValue::from_static("empty"));
            assert_eq!(of(Realm::Desk, &headers, &base_url), None);
            headers.insert("sec-fetch-dest", HeaderValue::from_static("document"));
            assert_eq!(of(Realm::Desk, &headers, &base_url), Some(notice));
        }
    }

    #[test]
    fn a_long_text_fits_into_a_cookie() {
        let notice = Notice::UserError("ä".repeat(5_000));
        assert!(
            cookie_of(Realm::Desk, &notice, &BaseUrl::new("https://a.example", "")).len() < 4_000
        );
    }
}
