//! The link at the end of each mail, for people whose address a partner has entered. Programs that follow links of mails
//! only read the page, whose form removes the address.

use axum::{
    extract::{Request, State},
    response::Response,
};
use desk::{
    backend::Notice,
    portal::{self, Frame},
};
use edge::gate;

use super::{
    fields::Fields,
    visit::Visit,
    words::{LINK_OUT_OF_DATE, MAILS_ENDED},
};
use crate::{problem::Result, realm::csrf::fenced, state::AppState};

/// Handler of the page `/partners/mails?token=…`.
pub(super) async fn page(State(app): State<AppState>, request: Request) -> Response {
    fenced(shown(&app, request).await)
}

async fn shown(app: &AppState, request: Request) -> Result<Response> {
    let (parts, _) = request.into_parts();
    let visit = Visit::of(app, &parts).await?;
    let asked = Fields::asked(&parts);
    let token = asked.text("token").to_owned();
    visit.page(&parts, Frame::default(), move |frame| portal::unwanted_mails(frame, token)).await
}

/// `POST /partners/do/end-mails`: removes the address.
pub(super) async fn end(State(app): State<AppState>, request: Request) -> Response {
    fenced(ended(&app, request).await)
}

async fn ended(app: &AppState, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let visit = Visit::of_form(app, &parts).await?;
    let fields = Fields::parse(&gate::whole(body).await?);
    let removed = app.store.partner_mails().remove_address(fields.text("token")).await?;
    let notice = match removed {
        true => Notice::Done(MAILS_ENDED.text(visit.lang).to_owned()),
        false => Notice::UserError(LINK_OUT_OF_DATE.text(visit.lang).to_owned()),
    };
    Ok(visit.lead("/partners/mails", &notice))
}
