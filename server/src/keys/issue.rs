//! Creation of keys, for the command line and the operator API.

use base::{
    clock::Clock,
    random::Random,
    time::{Timestamp, parse_date},
};
use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Utc};
use domain::{scope::Scope, subscription::OPERATOR_NAME, tier::Tier};
use geo::places::tidy;
use schemars::JsonSchema;
use serde::Serialize;
use store::{self, CreatedKey, KeySettings, NewKey, Store};

use super::ApiKey;

/// Maximum number of characters of a name.
pub const MAX_NAME: usize = 100;
/// Maximum number of prefixes to try: with 62^8 of them, a second try is almost never needed.
const TRIES: usize = 5;

/// A key to create.
#[derive(Clone, Debug)]
pub struct KeyRequest {
    /// Name of the holder, as [`holder_name`] returns it; a new name creates a new partner.
    pub partner: String,
    pub tier: Tier,
    /// Scope of an operator's key; `None` means [`Scope::Read`].
    pub scope: Option<Scope>,
    /// Last day of validity, in UTC; `None`: valid until it is revoked.
    pub last_day: Option<NaiveDate>,
    pub settings: KeySettings,
}

/// A key that was created.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "IssuedKey")]
pub struct Issued {
    /// The key. Only this response contains it.
    #[serde(serialize_with = "shown")]
    #[schemars(with = "String")]
    pub key: ApiKey,
    /// First characters of the key, which identify it.
    pub prefix: String,
    /// Name of the partner, or of the person or tool of an operator's key.
    pub partner: String,
    #[serde(skip)]
    pub is_new_partner: bool,
    /// Tier of the key, which decides what it allows.
    pub tier: Tier,
    /// Scope of an operator's key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Time of creation.
    pub created_at: Timestamp,
    /// End of validity, if there is one.
    pub expires_at: Option<Timestamp>,
    #[serde(flatten)]
    pub settings: KeySettings,
}

/// Reasons why no key was created.
#[derive(Debug, thiserror::Error)]
pub enum IssueError {
    #[error("only operators\u{2019} keys have a scope")]
    ScopeOfPartner,
    #[error(
        "the name {OPERATOR_NAME} is for the operator\u{2019}s own subscriptions: choose another name for a partner"
    )]
    OperatorsName,
    #[error(
        "an operator\u{2019}s key is not for pages, where everybody could read it: leave out the origins"
    )]
    OriginsOfOperator,
    #[error("{last} is in the past: give today, {today} (UTC), or a later day")]
    Past { last: NaiveDate, today: NaiveDate },
    #[error("{TRIES} prefixes in a row already exist: try again")]
    PrefixesTaken,
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// Reasons why the name of a key's holder is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error("it is empty: give the partner's name")]
    Empty,
    #[error("it is {length} characters long; the maximum is {max}")]
    TooLong { length: usize, max: usize },
    /// Unicode scalar value of the character.
    #[error("it has a control character (U+{0:04X}): remove it")]
    Control(u32),
}

/// Reasons why a key's last day is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LastDayError {
    #[error("write a day that exists as YYYY-MM-DD, such as 2030-12-31")]
    NoDate,
    #[error("give no day for a key that never expires")]
    TooLate,
}

/// The values that follow from a [`KeyRequest`].
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    scope: Option<Scope>,
    expires_at: Option<DateTime<Utc>>,
}

impl KeyRequest {
    /// Checks that such a key can exist at this time.
    ///
    /// # Errors
    /// [`IssueError::ScopeOfPartner`], [`IssueError::OperatorsName`], [`IssueError::OriginsOfOperator`] and
    /// [`IssueError::Past`].
    pub fn check(&self, now: DateTime<Utc>) -> Result<Checked, IssueError> {
        let scope = match (self.tier, self.scope) {
            (Tier::Operator, given) => Some(given.unwrap_or(Scope::Read)),
            (_, None) => None,
            (_, Some(_)) => return Err(IssueError::ScopeOfPartner),
        };
        if self.tier.may_subscribe() && self.partner == OPERATOR_NAME {
            return Err(IssueError::OperatorsName);
        }
        if self.tier == Tier::Operator && !self.settings.origins.is_empty() {
            return Err(IssueError::OriginsOfOperator);
        }
        let expires_at = self.last_day.map(|last| end_of(last, now)).transpose()?;
        Ok(Checked { scope, expires_at })
    }
}

/// Creates a key with a prefix that no other key has.
pub async fn issue(
    store: &Store,
    random: &Random,
    clock: &Clock,
    wanted: KeyRequest,
) -> Result<Issued, IssueError> {
    let Checked { scope, expires_at } = wanted.check(clock.now())?;
    let KeyRequest { partner, tier, settings, .. } = wanted;
    for _ in 0..TRIES {
        let key = ApiKey::generate(random);
        let prefix = key.prefix().to_owned();
        let new = NewKey {
            prefix: prefix.clone(),
            hash: key.hash(),
            tier,
            scope,
            expires_at,
            settings: settings.clone(),
        };
        if let Some(CreatedKey { at, is_new_partner }) = store.keys().create(&partner, &new).await?
        {
            let (created_at, expires_at) = (Timestamp(at), expires_at.map(Timestamp));
            return Ok(Issued {
                key,
                prefix,
                partner,
                is_new_partner,
                tier,
                scope,
                created_at,
                expires_at,
                settings,
            });
        }
    }
    Err(IssueError::PrefixesTaken)
}

/// Returns the end of a key's last day.
fn end_of(last: NaiveDate, now: DateTime<Utc>) -> Result<DateTime<Utc>, IssueError> {
    let today = now.date_naive();
    match last.succ_opt() {
        Some(next) if last >= today => Ok(next.and_time(NaiveTime::MIN).and_utc()),
        _ => Err(IssueError::Past { last, today }),
    }
}

/// Returns the name of a key's holder without needless spaces.
///
/// # Errors
/// The reason why the name is invalid.
pub fn holder_name(text: &str) -> Result<String, NameError> {
    let name = tidy(text);
    let length = name.chars().count();
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    if length > MAX_NAME {
        return Err(NameError::TooLong { length, max: MAX_NAME });
    }
    match name.chars().find(|character| character.is_control()) {
        Some(control) => Err(NameError::Control(control.into())),
        None => Ok(name),
    }
}

/// Parses a key's last day. The last representable date is refused: its end could not be represented.
///
/// # Errors
/// The reason why the day is invalid.
pub fn last_day(text: &str) -> Result<NaiveDate, LastDayError> {
    match parse_date(text) {
        Some(day) if day.succ_opt().is_some_and(|next| next.year() <= 9_999) => Ok(day),
        Some(_) => Err(LastDayError::TooLate),
        None => Err(LastDayError::NoDate),
    }
}

fn shown<S: serde::Serializer>(key: &ApiKey, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(key.as_str())
}

#[cfg(test)]
mod tests {
    use base::time::parse_instant;
    use store::{Missing, open_url};

    use super::*;

    #[tokio::test]
    async fn a_key_whose_prefix_is_taken_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        let store = open_url(&url, Missing::Create).await.unwrap();
        let clock = Clock::system();
        // Issues a key from the start of the same sequence each time.
        let next = async || {
            let wanted = KeyRequest {
                partner: "Acme".to_owned(),
                tier: Tier::Partner,
                scope: None,
                last_day: None,
                settings: KeySettings::default(),
            };
            issue(&store, &Random::seeded(1), &clock, wanted).await
        };
        let mut issued = Vec::new();
        for _ in 0..TRIES {
            issued.push(next().await.unwrap().prefix);
        }
        let random = Random::seeded(1);
        let expected = (0..TRIES).map(|_| ApiKey::generate(&random).prefix().to_owned());
        assert_eq!(issued, expected.collect::<Vec<_>>());
        let error = next().await.unwrap_err();
        assert_eq!(error.to_string(), "5 prefixes in a row already exist: try again");
        store.close().await;
    }

    #[test]
    fn a_key_is_valid_through_the_end_of_its_last_day() {
        let now = parse_instant("2026-03-01T23:59:59.999Z").unwrap();
        let end = |day: &str| end_of(last_day(day).unwrap(), now);
        assert_eq!(Timestamp(end("2026-03-01").unwrap()).to_string(), "2026-03-02T00:00:00.000Z");
        assert_eq!(Timestamp(end("9999-12-30").unwrap()).to_string(), "9999-12-31T00:00:00.000Z");
        assert_eq!(
            end("2026-02-28").unwrap_err().to_string(),
            "2026-02-28 is in the past: give today, 2026-03-01 (UTC), or a later day"
        );
        let error = last_day("9999-12-31").unwrap_err();
        assert_eq!(error.to_string(), "give no day for a key that never expires");
    }
}
