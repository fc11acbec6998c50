//! What the desk does for whoever is signed in. The server implements it over its store.

use model::{Interval, Series};

use super::model::{Correction, Item, Outcome, Queue, Verdict};
use std::{error, fmt, pin::Pin, sync::Arc};

/// The work of one person at the desk. Everything is done in their name, as far as their key's scope goes.
pub trait Work: Send + Sync {
    fn person(&self) -> &Person;

    /// The reports that a query string selects: its parameters are those of `GET /operator/v1/reports`, and `status` is
    /// `PENDING` without it.
    fn queue<'a>(&'a self, query: &'a str) -> Done<'a, Queue>;

    /// A report of any status with what was done to it.
    fn report<'a>(&'a self, id: &'a str) -> Done<'a, Option<(Item, Vec<Deed>)>>;

    /// Corrects a report of any status. The trouble is all that is wrong with the correction.
    fn correct<'a>(&'a self, id: &'a str, correction: Correction) -> Done<'a, ()>;

    /// Decides on the reports with these ids.
    fn decide<'a>(&'a self, verdict: Verdict, ids: &'a [String]) -> Done<'a, Outcome>;

    /// The reports of the list that a query string asks for with which this can be done.
    fn count<'a>(&'a self, verdict: Verdict, query: &'a str) -> Done<'a, Counted>;

    /// Decides on all of them, if they have the token that was `confirmed`; returns how many were decided on, or which
    /// there are now.
    fn decide_on_all<'a>(
        &'a self,
        verdict: Verdict,
        query: &'a str,
        confirmed: &'a str,
    ) -> Done<'a, std::result::Result<u64, Counted>>;

    /// The newest imports.
    fn imports(&self) -> Done<'_, Vec<Import>>;

    /// An import, and its result if that is known.
    fn import<'a>(&'a self, id: &'a str) -> Done<'a, Option<(Import, Option<Result>)>>;

    /// How the service is.
    fn overview(&self) -> Done<'_, Overview>;

    /// The keys and sessions of everybody.
    fn access(&self) -> Done<'_, Access>;

    /// Revokes the key with this prefix; returns a sentence.
    fn revoke<'a>(&'a self, prefix: &'a str) -> Done<'a, String>;

    /// Signs somebody out; returns a sentence.
    fn end_session<'a>(&'a self, id: &'a str) -> Done<'a, String>;

    /// The subscriptions of all partners.
    fn subscriptions(&self) -> Done<'_, Vec<Subscription>>;

    /// Enables a subscription; returns a sentence.
    fn enable<'a>(&'a self, id: &'a str) -> Done<'a, String>;

    /// Disables a subscription, with a reason that its partner sees, unless it is empty; returns a sentence.
    fn disable<'a>(&'a self, id: &'a str, reason: &'a str) -> Done<'a, String>;

    /// Sends a test event to a subscription; returns how its endpoint responded, as a sentence.
    fn test<'a>(&'a self, id: &'a str) -> Done<'a, String>;

    /// What was published over time: so many of the last days, weeks or months as a chart has room for.
    fn over_time(&self, interval: Interval) -> Done<'_, Series>;

    /// Undoes one of this person's decisions of the last ten minutes; returns a sentence.
    fn undo(&self, entry: i64) -> Done<'_, String>;

    /// Begins a session with a key; an error if the key is no operator's.
    fn sign_in<'a>(&'a self, key: &'a str) -> Done<'a, ()>;

    fn sign_out(&self) -> Done<'_, ()>;

    /// Sends a browser that has sent a form without scripts to a path of the service.
    fn lead_to(&self, path: &str);

    /// The same, to a page that then says what came of it, once.
    fn lead_with(&self, path: &str, told: Told);
}

/// The desk as pages and functions find it in their context.
pub type SharedWork = Arc<dyn Work>;

/// Work under way.
pub type Done<'a, T> = Pin<Box<dyn Future<Output = std::result::Result<T, Trouble>> + Send + 'a>>;

/// What a page says of what was done before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    Done(String),
    Trouble(String),
}

impl From<&Trouble> for Told {
    fn from(trouble: &Trouble) -> Self {
        Self::Trouble(trouble.0.clone())
    }
}

/// Who is signed in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// Empty for whoever is not.
    pub name: String,
    pub may_decide: bool,
    pub may_administer: bool,
}

/// An import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub id: String,
    pub at: String,
    pub file: Option<String>,
    /// How many of its reports have which status now.
    pub pending: i64,
    pub approved: i64,
    pub rejected: i64,
    pub withdrawn: i64,
}

/// What came of an import, in rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Result {
    pub total: i64,
    pub imported: i64,
    pub skipped: i64,
    pub refused: i64,
    /// The names of the columns of refused rows, the reasons first.
    pub columns: Vec<String>,
    /// The first refused rows.
    pub rows: Vec<Vec<String>>,
}

/// How the service is, for whoever runs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    pub version: String,
    /// What is wrong, in sentences.
    pub problems: Vec<String>,
    pub approved: u64,
    pub waiting: u64,
    pub open_streams: u64,
    pub subscriptions: Vec<Subscription>,
    pub keys: Vec<Key>,
    /// The last things that operators did.
    pub deeds: Vec<Deed>,
}

/// A partner's subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    pub id: String,
    pub partner: String,
    pub url: String,
    /// `active`, `failing`, `paused` or `disabled`.
    pub state: String,
    /// Why it is disabled, or since when it fails.
    pub note: String,
    pub pending: i64,
    pub delivered: i64,
    pub failed: i64,
}

/// A key, without what makes it work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub prefix: String,
    pub holder: String,
    pub tier: String,
    pub state: String,
    pub last_used: String,
}

/// Who can get in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub keys: Vec<Key>,
    pub sessions: Vec<Session>,
}

/// A session of the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Not what makes it work.
    pub id: String,
    pub holder: String,
    /// The prefix of the key that it was begun with.
    pub key: String,
    /// The address from which it was begun.
    pub from: String,
    pub ends_at: String,
    /// Whether it is the one that asks.
    pub is_own: bool,
}

/// A new key, which a page shows once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issued {
    pub holder: String,
    pub key: String,
}

/// Something that was done to a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    pub at: String,
    pub who: String,
    pub from: String,
    /// In words.
    pub what: String,
}

/// What went wrong, as a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble(pub String);

impl fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl error::Error for Trouble {}

/// Reports that somebody may decide on all at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    pub reports: u64,
    /// What only the same reports have.
    pub token: String,
}
