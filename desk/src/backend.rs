//! Actions of the desk for the signed-in person. The server implements them with its store.

mod audit;
mod beside;
mod correct;

pub use self::{
    audit::{Audit, AuditChange, AuditLine, AuditSubject, Audited, Moderated},
    beside::{Beside, Origin, Source},
    correct::{Apart, CorrectingMany, Effect, Example, OldValues, Similar, Spelling, Spellings},
};

use model::{Interval, Series};

use super::{
    model::{Correction, Item, Outcome, PlaceNames, Queue, Refused, Verdict},
    preview::{Preview, Reason},
};
use std::{error, fmt, pin::Pin, sync::Arc};

/// Actions of one person at the desk. They are recorded under the person's name and limited by the
/// scope of the person's key.
pub trait DeskBackend: Send + Sync {
    fn person(&self) -> &Person;

    /// A page of the list selected by a query string, with the parameters of
    /// `GET /operator/v1/reports`. The default of `status` is `PENDING`, and `order` may be
    /// `event-newest` or `event-oldest`, too.
    fn list<'a>(&'a self, query: &'a str) -> Done<'a, List>;

    /// A page of the list selected by a query string, without the choices of its filters.
    fn queue<'a>(&'a self, query: &'a str) -> Done<'a, Queue>;

    /// Saved lists of this person.
    fn views(&self) -> Done<'_, Vec<View>>;

    /// Saves the list of a query under a name; returns the query of the saved list.
    fn save_view<'a>(&'a self, name: &'a str, query: &'a str) -> Done<'a, String>;

    /// Removes a saved list.
    fn remove_view<'a>(&'a self, name: &'a str) -> Done<'a, ()>;

    /// Version of all lists of reports; see [`Queue::version`]. Others are shown that this person
    /// looks at the report with the id `current`, unless it is empty.
    fn version<'a>(&'a self, current: &'a str) -> Done<'a, String>;

    /// The reports among these that no longer have this status, each with who decided on it.
    fn outcomes<'a>(&'a self, status: &'a str, ids: &'a [String]) -> Done<'a, Vec<Refused>>;

    /// A report of any status, with its history.
    fn report<'a>(&'a self, id: &'a str) -> Done<'a, Option<(Item, Vec<AuditLine>)>>;

    /// Everything around a report, in the list that a query selects if there is one.
    fn beside<'a>(&'a self, id: &'a str, list: Option<&'a str>) -> Done<'a, Beside>;

    /// Corrects a report of any status. An error lists everything wrong with the correction.
    fn correct<'a>(&'a self, id: &'a str, correction: Correction) -> Done<'a, ()>;

    /// The reports that a query of `/desk/correct` selects, and the effect of its new values.
    fn correcting<'a>(&'a self, query: &'a str) -> Done<'a, CorrectingMany>;

    /// Corrects these reports if their token is still `confirmed`. Returns a sentence, or `None` if
    /// the token differs.
    fn correct_many<'a>(&'a self, query: &'a str, confirmed: &'a str) -> Done<'a, Option<String>>;

    /// Places that may be spelled in two ways.
    fn spellings(&self) -> Done<'_, Spellings>;

    /// Keeps two places apart, so that they are no pair of the [`Spellings`]; returns a sentence.
    fn keep_apart<'a>(&'a self, places: &'a [PlaceNames; 2]) -> Done<'a, String>;

    /// Pairs two places again that people kept apart; returns a sentence.
    fn pair_again(&self, id: i64) -> Done<'_, String>;

    /// The operator's reasons for rejecting reports.
    fn reasons(&self) -> Vec<String>;

    /// Decides on the reports with these ids, with a reason unless it is empty.
    fn decide<'a>(
        &'a self,
        verdict: Verdict,
        ids: &'a [String],
        reason: &'a str,
    ) -> Done<'a, Outcome>;

    /// Reports of the list selected by a query string on which this decision is possible.
    fn count<'a>(&'a self, verdict: Verdict, query: &'a str) -> Done<'a, Counted>;

    /// Decides on all of these reports if their token is still `confirmed`, with a reason unless it
    /// is empty. Returns the number of reports decided on, or `None` if the token differs.
    fn decide_on_all<'a>(
        &'a self,
        verdict: Verdict,
        query: &'a str,
        confirmed: &'a str,
        reason: &'a str,
    ) -> Done<'a, Option<u64>>;

    /// The newest imports.
    fn imports(&self) -> Done<'_, Vec<Import>>;

    /// An import, and its result if known.
    fn import<'a>(&'a self, id: &'a str) -> Done<'a, Option<(Import, Option<Result>)>>;

    /// A page of the audit log, selected by a query string with the parameters of
    /// `GET /operator/v1/audit`.
    fn audit<'a>(&'a self, query: &'a str) -> Done<'a, Audit>;

    /// An entry of the audit log with a page of its reports.
    fn audited<'a>(&'a self, id: &'a str, after: &'a str) -> Done<'a, Option<Audited>>;

    /// Number of reports that each person has decided on, for each of the last days.
    fn moderated(&self) -> Done<'_, Vec<Moderated>>;

    /// Effects of importing an uploaded file, with choices as parameters of a form. `None` if the file is not on this
    /// node.
    fn preview<'a>(&'a self, id: &'a str, choices: &'a str) -> Done<'a, Option<Preview>>;

    /// Imports an uploaded file with these choices, and publishes its reports if `approve`. Returns the id of the import.
    fn import_upload<'a>(
        &'a self,
        id: &'a str,
        choices: &'a str,
        approve: bool,
    ) -> Done<'a, String>;

    /// Status of the service.
    fn overview(&self) -> Done<'_, Overview>;

    /// Keys and sessions of all people.
    fn access(&self) -> Done<'_, Access>;

    /// Revokes the key with this prefix; returns a sentence.
    fn revoke<'a>(&'a self, prefix: &'a str) -> Done<'a, String>;

    /// Ends a session; returns a sentence.
    fn end_session<'a>(&'a self, id: &'a str) -> Done<'a, String>;

    /// The subscriptions of all partners.
    fn subscriptions(&self) -> Done<'_, Vec<Subscription>>;

    /// Enables a subscription; returns a sentence.
    fn enable<'a>(&'a self, id: &'a str) -> Done<'a, String>;

    /// Disables a subscription, with a reason that its partner sees, unless it is empty; returns a
    /// sentence.
    fn disable<'a>(&'a self, id: &'a str, reason: &'a str) -> Done<'a, String>;

    /// Sends a test event to a subscription; returns the endpoint's response as a sentence.
    fn test<'a>(&'a self, id: &'a str) -> Done<'a, String>;

    /// Published reports over time: as many of the last days, weeks or months as fit into a chart.
    fn over_time(&self, interval: Interval) -> Done<'_, Series>;

    /// Undoes one of this person's decisions of the last ten minutes; returns a sentence.
    fn undo(&self, entry: i64) -> Done<'_, String>;

    /// Starts a session with a key. Fails unless it is a valid operator's key.
    fn sign_in<'a>(&'a self, key: &'a str) -> Done<'a, ()>;

    fn sign_out(&self) -> Done<'_, ()>;

    /// Redirects a browser that has sent a form without scripts to a path of the service.
    fn lead_to(&self, path: &str);

    /// Like [`Self::lead_to`], to a page that shows the message once.
    fn lead_with(&self, path: &str, notice: Notice);
}

/// The work, as pages and functions find it in their context.
pub type SharedWork = Arc<dyn DeskBackend>;

/// Work in progress.
pub type Done<'a, T> = Pin<Box<dyn Future<Output = std::result::Result<T, UserError>> + Send + 'a>>;

/// A message about the previous action, for the next page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    Done(String),
    UserError(String),
    /// A new secret, which the next page shows once.
    Issued(Issued),
}

impl From<&UserError> for Notice {
    fn from(user_error: &UserError) -> Self {
        Self::UserError(user_error.0.clone())
    }
}

/// The signed-in person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// Empty if nobody is signed in.
    pub name: String,
    pub may_decide: bool,
    pub may_administer: bool,
}

/// A page of a list, and the choices of its filters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct List {
    pub queue: Queue,
    /// Number of all reports of each status, such as `PENDING`.
    pub statuses: Vec<Choice>,
    /// Number of reports for each choice of a filter, with the conditions of the other filters. Empty
    /// if counting would take long.
    pub countries: Vec<Choice>,
    pub regions: Vec<Choice>,
    pub cities: Vec<Choice>,
    /// Types, such as `water`.
    pub types: Vec<Choice>,
}

/// A saved list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub name: String,
    /// Query of the list.
    pub query: String,
}

/// A choice of a filter, with the number of its reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub name: String,
    pub reports: u64,
}

/// An import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub id: String,
    pub at: String,
    pub file: Option<String>,
    /// Current number of its reports per status.
    pub pending: i64,
    pub approved: i64,
    pub rejected: i64,
    pub withdrawn: i64,
}

/// Result of an import, in rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Result {
    pub total: i64,
    pub imported: i64,
    pub skipped: i64,
    pub refused: i64,
    /// Column names of the refused rows, the reasons first.
    pub columns: Vec<String>,
    /// The first refused rows.
    pub rows: Vec<Vec<String>>,
    /// Notes about the file.
    pub notes: Vec<String>,
    pub reasons: Vec<Reason>,
    /// Reason why the import stopped before the end of the file, as a sentence.
    pub failure: Option<String>,
}

/// Status of the service, for its operators.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    pub version: String,
    /// Current problems, as sentences.
    pub problems: Vec<String>,
    pub approved: u64,
    pub waiting: u64,
    pub open_streams: u64,
    /// Sentence about mails to moderators, if the service sends any.
    pub mail: Option<String>,
    pub subscriptions: Vec<Subscription>,
    pub keys: Vec<Key>,
    /// The latest actions of operators.
    pub deeds: Vec<AuditLine>,
}

/// A partner's subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    pub id: String,
    pub partner: String,
    pub url: String,
    pub state: SubscriptionState,
    pub pending: i64,
    pub delivered: i64,
    pub failed: i64,
}

/// State of a subscription, with instants as RFC 3339.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubscriptionState {
    Active,
    Failing {
        since: String,
    },
    Paused {
        until: String,
    },
    Disabled {
        /// May be empty.
        reason: String,
    },
}

/// A key without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub prefix: String,
    pub holder: String,
    /// Tier, followed by a colon and the scope of an operator's key.
    pub purpose: String,
    pub state: KeyState,
    /// `None` if the key was never used.
    pub last_used: Option<String>,
    /// Number of requests in the last 24 hours.
    pub requests: u64,
    /// Note and limits of the key in a line; empty if there are none.
    pub settings: String,
}

/// State of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyState {
    Active,
    Expired,
    Revoked,
}

/// Keys and sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub keys: Vec<Key>,
    pub sessions: Vec<Session>,
}

/// A session of the desk or the portal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Id of the session. Not the secret token.
    pub id: String,
    pub holder: String,
    /// Prefix of the key that started the session.
    pub key: String,
    /// Tier of the key, followed by a colon and the scope of an operator's key.
    pub purpose: String,
    /// Address that started the session.
    pub from: String,
    pub ends_at: String,
    /// Whether it is the session of this request.
    pub is_own: bool,
}

/// A new secret, which a page shows once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
    /// Name of the key's holder, or id of the subscription.
    pub holder: String,
    /// A key, or the secret of a subscription.
    pub key: String,
}

/// An error as a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserError(pub String);

impl fmt::Display for UserError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl error::Error for UserError {}

/// Reports that a person may decide on all at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    pub reports: u64,
    /// Status of all reports of the list: `PENDING`, `APPROVED`, `REJECTED` or `WITHDRAWN`.
    pub status: String,
    /// Token that identifies exactly this set of reports.
    pub token: String,
}
