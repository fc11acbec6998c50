//! Creation of keys at the desk.

use axum::{
    Form,
    extract::{FromRequest, Request, State},
    response::{IntoResponse, Redirect, Response},
};
use desk::backend::{Issued, Notice};
use domain::{scope::Scope, tier::Tier};
use edge::gate;
use kit::words::Words;
use serde::Deserialize;
use store::KeySettings;

use super::{
    desk_session::DeskSession,
    words::{
        access::{
            ENTER_THE_PURPOSE, INVALID_ORIGIN, INVALID_RATE, LAST_DAY_IS_NO_DATE, LAST_DAY_IS_PAST,
            LAST_DAY_IS_TOO_LATE, MANY_ORIGINS, NAME_HAS_CONTROL, NAME_IS_EMPTY, NAME_IS_TOO_LONG,
            NOTE_HAS_CONTROL, NOTE_IS_TOO_LONG, OPERATORS_NAME, ORIGINS_OF_OPERATOR,
            PREFIXES_TAKEN, SCOPE_OF_PARTNER,
        },
        problems::UNREADABLE_FORM,
    },
};
use crate::{
    base_url::ReachedAt,
    keys::{
        issue::{
            IssueError, KeyRequest, LastDayError, NameError, holder_name, issue as make, last_day,
        },
        settings::{self, MAX_NOTE, MAX_ORIGINS, MAX_RATE, SettingError},
    },
    operator::base_urls,
    problem::{Problem, Result},
    realm::{Realm, csrf::fenced, notice},
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
    #[serde(default)]
    note: String,
    /// Requests per minute; empty for the tier's.
    #[serde(default)]
    rate: String,
    /// Separated by spaces or commas.
    #[serde(default)]
    origins: String,
}

impl Wish {
    /// Parses the form. The error is a sentence for people.
    fn wanted(&self, words: &Words) -> Result<KeyRequest, String> {
        let (tier, scope) = self.purpose.split_once(':').unwrap_or((&self.purpose, ""));
        let tier = Tier::ALL.into_iter().find(|known| known.as_str() == tier);
        let scope = Scope::ALL.into_iter().find(|known| known.as_str() == scope);
        let last = match self.last_day.trim() {
            "" => None,
            day => Some(last_day(day).map_err(|why| invalid_day(words, why))?),
        };
        Ok(KeyRequest {
            partner: holder_name(&self.holder).map_err(|why| invalid_name(words, why))?,
            tier: tier.ok_or_else(|| words.text(ENTER_THE_PURPOSE).to_owned())?,
            scope,
            last_day: last,
            settings: self.settings().map_err(|why| invalid_setting(words, why))?,
        })
    }
}

impl Wish {
    fn settings(&self) -> Result<KeySettings, SettingError> {
        let rate = Some(self.rate.trim()).filter(|rate| !rate.is_empty());
        let origins = self.origins.split([' ', ',', '\n', '\r']);
        Ok(KeySettings {
            note: settings::note(&self.note)?,
            rate: rate.map(settings::rate).transpose()?,
            origins: settings::origins(origins.filter(|origin| !origin.is_empty()))?,
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
    let Form(wish) =
        wish.map_err(|_| Problem::invalid_parameter(desk_session.text(UNREADABLE_FORM)))?;
    let words = desk_session.words();
    let lead = |notice| notice::lead(Realm::Desk, KEYS, &notice, &base_url);
    let user_error = |user_error: String| lead(Notice::UserError(user_error));
    let made = match wish.wanted(&words) {
        Ok(wanted) => make(&store, &app.random, &app.clock, wanted).await,
        Err(why) => return Ok(user_error(why)),
    };
    match made {
        Ok(made) => {
            let issued = Issued { holder: made.partner, key: made.key.as_str().to_owned() };
            Ok(lead(Notice::Issued(issued)))
        }
        Err(error) => Ok(user_error(not_created(&words, error)?)),
    }
}

fn invalid_name(words: &Words, error: NameError) -> String {
    match error {
        NameError::Empty => words.text(NAME_IS_EMPTY).to_owned(),
        NameError::TooLong { length, max } => {
            let [length, max] = [length, max].map(|number| number.to_string());
            words.with(NAME_IS_TOO_LONG, &[("length", &length), ("max", &max)])
        }
        NameError::Control(character) => {
            let character = format!("U+{character:04X}");
            words.with_data(NAME_HAS_CONTROL, &[("character", &character)])
        }
    }
}

fn invalid_setting(words: &Words, error: SettingError) -> String {
    match error {
        SettingError::LongNote(length) => {
            let [length, max] = [length, MAX_NOTE].map(|number| number.to_string());
            words.with(NOTE_IS_TOO_LONG, &[("length", &length), ("max", &max)])
        }
        SettingError::Control => words.text(NOTE_HAS_CONTROL).to_owned(),
        SettingError::Rate => words.with(INVALID_RATE, &[("max", &MAX_RATE.to_string())]),
        SettingError::Origin(origin) => words.with_data(INVALID_ORIGIN, &[("origin", &origin)]),
        SettingError::ManyOrigins(_) => {
            words.with(MANY_ORIGINS, &[("max", &MAX_ORIGINS.to_string())])
        }
    }
}

fn invalid_day(words: &Words, error: LastDayError) -> String {
    match error {
        LastDayError::NoDate => words.with_data(LAST_DAY_IS_NO_DATE, &[("example", "2030-12-31")]),
        LastDayError::TooLate => words.text(LAST_DAY_IS_TOO_LATE).to_owned(),
    }
}

/// Reason why no key was created, as a sentence.
fn not_created(words: &Words, error: IssueError) -> Result<String> {
    Ok(match error {
        IssueError::OperatorsName => words.text(OPERATORS_NAME).to_owned(),
        IssueError::ScopeOfPartner => words.text(SCOPE_OF_PARTNER).to_owned(),
        IssueError::OriginsOfOperator => words.text(ORIGINS_OF_OPERATOR).to_owned(),
        IssueError::Past { last, today } => {
            let [last, today] = [last, today].map(|day| day.to_string());
            words.with_data(LAST_DAY_IS_PAST, &[("last", &last), ("today", &today)])
        }
        IssueError::PrefixesTaken => words.text(PREFIXES_TAKEN).to_owned(),
        IssueError::Store(error) => return Err(error.into()),
    })
}
