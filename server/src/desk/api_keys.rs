//! Creation of keys at the desk.

use axum::{
    Form,
    extract::{FromRequest, Request, State},
    response::{IntoResponse, Redirect, Response},
};
use desk::backend::{Issued, Notice};
use domain::{scope::Scope, tier::Tier};
use edge::gate;
use serde::Deserialize;

use super::{csrf::fenced, desk_session::DeskSession, notice};
use crate::{
    base_url::ReachedAt,
    keys::issue::{self, KeyRequest, holder_name, issue as make, last_day},
    operator::base_urls,
    problem::{Problem, Result},
    state::AppState,
};

const KEYS: &str = "/desk/keys";

/// Fields of the form.
#[derive(Deserialize)]
struct Wish {
    holder: String,
    /// Tier, for operator keys followed by a colon and the scope.
    purpose: String,
    /// Last day of validity; empty for a key that does not expire.
    #[serde(default)]
    last_day: String,
}

impl Wish {
    /// Parses the form. The error is a sentence for people.
    fn wanted(&self) -> Result<KeyRequest, String> {
        let (tier, scope) = self.purpose.split_once(':').unwrap_or((&self.purpose, ""));
        let tier = Tier::ALL.into_iter().find(|known| known.as_str() == tier);
        let scope = Scope::ALL.into_iter().find(|known| known.as_str() == scope);
        let last = match self.last_day.trim() {
            "" => None,
            day => Some(last_day(day).map_err(|why| format!("Last day: {why}."))?),
        };
        Ok(KeyRequest {
            partner: holder_name(&self.holder).map_err(|why| format!("Name: {why}."))?,
            tier: tier.ok_or("Enter the purpose of the key.")?,
            scope,
            last_day: last,
        })
    }
}

/// `POST /desk/new-key`: creates a key, and redirects to the page of keys, which shows it once. A
/// page that is loaded again creates no second key.
pub(super) async fn issue(State(app): State<AppState>, request: Request) -> Response {
    fenced(issued(app, request).await)
}

async fn issued(app: AppState, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let base_url = ReachedAt::of(&base_urls(&app), &parts).base_url;
    let desk_session = DeskSession::of_form(&app, &parts, base_url.clone()).await?;
    if !desk_session.is_taken() {
        return Ok(Redirect::to(&base_url.link("/desk/sign-in")).into_response());
    }
    let store = desk_session.administrator()?.clone();
    let body = gate::whole(body).await?;
    let wish = Form::<Wish>::from_request(Request::from_parts(parts, body.into()), &app).await;
    let Form(wish) = wish.map_err(|error| {
        Problem::invalid_parameter(format!("The form cannot be read: {error}."))
    })?;
    let lead = |notice| notice::lead(KEYS, &notice, &base_url);
    let user_error = |user_error: String| lead(Notice::UserError(user_error));
    let made = match wish.wanted() {
        Ok(wanted) => make(&store, &app.random, &app.clock, wanted).await,
        Err(why) => return Ok(user_error(why)),
    };
    match made {
        Ok(made) => {
            let issued = Issued { holder: made.partner, key: made.key.as_str().to_owned() };
            Ok(lead(Notice::Issued(issued)))
        }
        Err(issue::IssueError::Store(error)) => Err(error.into()),
        Err(error) => Ok(user_error(format!("No key was created: {error}."))),
    }
}
