//! Language of the pages: the one that the person has chosen, else the one that the browser prefers.

use app::base_url::BaseUrl;
use axum::{
    Form,
    extract::{FromRequest, Request, State},
    response::{IntoResponse, Redirect, Response},
};
use edge::gate;
use http::{HeaderMap, HeaderValue, header};
use kit::lang::Lang;
use serde::Deserialize;

use super::{
    Cookie, Realm,
    csrf::{check_own, fenced},
    notice, session,
};
use crate::{problem::Result, state::AppState};

/// Lifetime of the cookie in seconds: a year.
const MAX_AGE: i64 = 31_536_000;

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    lang: String,
}

/// Language for a request.
pub(crate) fn of(realm: Realm, headers: &HeaderMap, base_url: &BaseUrl) -> Lang {
    let accepted = || headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let chosen = realm.values(Cookie::Language, headers, base_url).find_map(Lang::from_tag);
    chosen.or_else(|| Lang::accepted(accepted()?)).unwrap_or_default()
}

/// Handler of the form for the language, which anybody may use. Redirects back to its page.
pub(crate) async fn choose(
    realm: Realm,
    State(app): State<AppState>,
    request: Request,
) -> Response {
    fenced(chosen(realm, &app, request).await)
}

async fn chosen(realm: Realm, app: &AppState, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let base_url = realm.base_url(app, &parts);
    check_own(realm, &parts.headers, &base_url)?;
    // Cookies of unknown sessions count here, too.
    session::of(app, realm, &parts, &base_url).await?;
    let page = page(realm, &parts.headers, &base_url);
    let body = gate::whole(body).await?;
    let choice = Form::<Choice>::from_request(Request::from_parts(parts, body.into()), app).await;
    let lang = choice.ok().and_then(|Form(choice)| Lang::from_tag(&choice.lang));
    let mut response = Redirect::to(&page).into_response();
    if let Some(lang) = lang {
        let cookie = realm.cookie(Cookie::Language, lang.tag(), MAX_AGE, &base_url);
        notice::set(&mut response, &cookie);
    }
    Ok(response)
}

/// URL of the page of the realm that a form was sent from.
fn page(realm: Realm, headers: &HeaderMap, base_url: &BaseUrl) -> String {
    let referer = headers.get(header::REFERER).map(HeaderValue::to_str);
    let path = referer.and_then(Result::ok).and_then(|url| url.strip_prefix(base_url.as_str()));
    base_url.link(path.filter(|path| realm.has(path)).unwrap_or(realm.path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(of: &[(header::HeaderName, &str)]) -> HeaderMap {
        let value = |value: &str| HeaderValue::from_str(value).unwrap();
        of.iter().map(|(name, text)| (name.clone(), value(text))).collect()
    }

    #[test]
    fn a_chosen_language_comes_before_the_browsers() {
        let base_url = BaseUrl::new("http://a.example", "");
        for (cookie, accepted, lang) in [
            ("svc_desk_lang=fr", "de", Lang::Fr),
            ("a=b; svc_desk_lang=ar", "de", Lang::Ar),
            ("svc_desk_lang=xx", "de;q=0.5, es", Lang::Es),
            ("", "ja", Lang::En),
        ] {
            let sent = [(header::COOKIE, cookie), (header::ACCEPT_LANGUAGE, accepted)];
            assert_eq!(of(Realm::Desk, &headers(&sent), &base_url), lang, "{cookie}");
        }
        assert_eq!(of(Realm::Desk, &HeaderMap::new(), &base_url), Lang::En);
    }

    #[test]
    fn the_form_leads_back_to_its_page_and_nowhere_else() {
        let base_url = BaseUrl::new("https://a.example", "/counters");
        for (referer, page) in [
            ("https://a.example/counters/desk/audit?q=x", "/counters/desk/audit?q=x"),
            ("https://a.example/counters/desk?status=APPROVED", "/counters/desk?status=APPROVED"),
            ("https://a.example/counters/desk", "/counters/desk"),
            ("https://a.example/counters/desks", "/counters/desk"),
            ("https://a.example/counters.evil.example/desk", "/counters/desk"),
            ("https://b.example/counters/desk/audit", "/counters/desk"),
            ("", "/counters/desk"),
        ] {
            let found =
                super::page(Realm::Desk, &headers(&[(header::REFERER, referer)]), &base_url);
            assert_eq!(found, page, "{referer}");
        }
    }
}
