use axum::{
    extract::{Request, State},
    response::{IntoResponse, Redirect, Response},
};
use desk::backend::Notice;
use edge::gate;

use super::{
    visit::{PartnersVisit, Visit},
    words::{NO_VALID_KEY, SIGNED_OUT},
};
use crate::{
    desk::problems,
    problem::Result,
    realm::{Realm, csrf::fenced, notice, sign_in},
    site::visitors::Visitor,
    state::AppState,
};

const REALM: Realm = Realm::Partners;

/// `POST /partners/do/sign-in`: starts a session with a key, and leads to the page `back`.
pub(super) async fn begin(State(app): State<AppState>, request: Request) -> Response {
    fenced(begun(&app, request).await)
}

async fn begun(app: &AppState, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let visit = Visit::of_form(app, &parts).await?;
    if let Err(problem) = Visitor::of(&app.visitors, &parts).count_sign_in() {
        let notice = Notice::UserError(problems::detail(&problem, visit.lang));
        return Ok(visit.lead(REALM.sign_in(), &notice));
    }
    let body = gate::whole(body).await?;
    let field = |name: &str| {
        let mut fields = url::form_urlencoded::parse(&body);
        fields.find(|(given, _)| given == name).map(|(_, value)| value.into_owned())
    };
    let key = field("key").unwrap_or_default();
    // A form cannot redirect to another site.
    let back = field("back").filter(|back| REALM.has(back) && is_graphic(back));
    let begun = sign_in::begin(app, REALM, key.trim(), &visit.origin, &visit.base_url).await?;
    let Some(cookie) = begun else {
        let notice = Notice::UserError(NO_VALID_KEY.text(visit.lang).to_owned());
        return Ok(match back {
            None => visit.lead(REALM.sign_in(), &notice),
            Some(back) => {
                let mut response = visit.to_sign_in(&back);
                let cookie = notice::cookie_of(REALM, &notice, &visit.base_url);
                notice::set(&mut response, &cookie);
                response
            }
        });
    };
    let page = back.unwrap_or_else(|| REALM.path().to_owned());
    let mut response = Redirect::to(&visit.base_url.link(page)).into_response();
    notice::set(&mut response, &cookie);
    Ok(response)
}

/// `POST /partners/do/sign-out`: ends the session.
pub(super) async fn end(State(app): State<AppState>, request: Request) -> Response {
    fenced(ended(&app, request).await)
}

async fn ended(app: &AppState, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let PartnersVisit { visit, session, token } =
        match Visit::of_form(app, &parts).await?.of_partner() {
            Ok(partner) => partner,
            Err(visit) => return Ok(visit.to_sign_in(REALM.path())),
        };
    let store = app.store.clone().acting(sign_in::actor(&session, &visit.origin));
    let forgotten = sign_in::end(&store, REALM, Some(&token), &visit.base_url).await?;
    let notice = Notice::Done(SIGNED_OUT.text(visit.lang).to_owned());
    let mut response = visit.lead(REALM.sign_in(), &notice);
    notice::set(&mut response, &forgotten);
    Ok(response)
}

fn is_graphic(page: &str) -> bool {
    page.bytes().all(|byte| byte.is_ascii_graphic())
}
