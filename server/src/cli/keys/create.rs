use anyhow::{Context, bail, ensure};
use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Utc};
use clap::Args;
use serde::Serialize;

use crate::{
    cli::{self, Exit, output},
    clock::Clock,
    config::{Database, Output},
    domain::{scope::Scope, tier::Tier},
    geo::places::tidy,
    keys::ApiKey,
    random::Random,
    store::{CreatedKey, NewKey, Store},
    time::{format_instant, parse_date},
};

const MAX_NAME: usize = 100;
/// Prefixes to try: with 62^8 of them, a second try is almost never needed.
const TRIES: usize = 5;

#[derive(Args, Debug)]
pub(in crate::cli) struct Create {
    /// Partner that the key belongs to; a new name creates a new partner
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    partner: String,
    /// Tier of the key: what it allows
    #[arg(long, value_enum, default_value_t = Tier::Partner)]
    tier: Tier,
    /// What a key of the tier operator allows [default: read]
    #[arg(long, value_enum)]
    scope: Option<Scope>,
    /// Last day on which the key is valid (YYYY-MM-DD, UTC) [default: valid until revoked]
    #[arg(long, value_name = "DATE", value_parser = parse_day)]
    expires: Option<NaiveDate>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Created<'a> {
    key: &'a str,
    prefix: &'a str,
    partner: &'a str,
    tier: Tier,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<Scope>,
    created_at: String,
    expires_at: Option<String>,
}

pub(super) async fn run(
    database: &Database,
    Output { json }: Output,
    Create { partner, tier, scope, expires }: Create,
) -> anyhow::Result<Exit> {
    let scope = scope_of(tier, scope)?;
    let now = Clock::system().now();
    let expires_at = expires.map(|last| end_of(last, now)).transpose()?;
    let store = cli::open(database, None).await?;
    let blank = |key: &ApiKey| NewKey {
        prefix: key.prefix().to_owned(),
        hash: key.hash(),
        tier,
        scope,
        expires_at,
    };
    let issued = issue(&store, &Random::system(), &partner, blank).await;
    store.close().await;
    let (key, created) = issued?;
    if json {
        output::json(&Created {
            key: key.as_str(),
            prefix: key.prefix(),
            partner: &partner,
            tier,
            scope,
            created_at: format_instant(created.at),
            expires_at: expires_at.map(format_instant),
        })?;
    } else {
        let end = expires
            .map_or_else(|| "never".to_owned(), |last| format!("at the end of {last} (UTC)"));
        output::line(&format!(
            "{}\n\
             Copy it now: it is shown this once and cannot be recovered.\n\
             \n\
             Prefix:  {} (what `svc keys list` and `svc keys revoke` call it)\n\
             Partner: {partner}{}\n\
             Tier:    {}\n\
             Expires: {end}",
            key.as_str(),
            key.prefix(),
            if created.is_new_partner { " (new)" } else { "" },
            tier.with(scope),
        ))?;
    }
    Ok(Exit::Done)
}

/// Creates a key with a prefix that no other key has.
async fn issue(
    store: &Store,
    random: &Random,
    partner: &str,
    blank: impl Fn(&ApiKey) -> NewKey,
) -> anyhow::Result<(ApiKey, CreatedKey)> {
    for _ in 0..TRIES {
        let key = ApiKey::generate(random);
        if let Some(created) = store.create_key(partner, &blank(&key)).await? {
            return Ok((key, created));
        }
    }
    bail!("{TRIES} prefixes in a row were taken: run the command again");
}

/// What the key allows, if it is an operator's.
fn scope_of(tier: Tier, given: Option<Scope>) -> anyhow::Result<Option<Scope>> {
    match (tier, given) {
        (Tier::Operator, given) => Ok(Some(given.unwrap_or(Scope::Read))),
        (_, None) => Ok(None),
        (_, Some(_)) => bail!("--scope is for operators' keys: add --tier operator"),
    }
}

/// The end of the key's last day.
fn end_of(last: NaiveDate, now: DateTime<Utc>) -> anyhow::Result<DateTime<Utc>> {
    let today = now.date_naive();
    ensure!(last >= today, "{last} is in the past: give today, {today} (UTC), or a later day");
    let next = last.succ_opt().context("there is no day after the last one")?;
    Ok(next.and_time(NaiveTime::MIN).and_utc())
}

fn parse_name(text: &str) -> Result<String, String> {
    let name = tidy(text);
    let length = name.chars().count();
    if name.is_empty() {
        return Err("it is empty: give the partner's name".to_owned());
    }
    if length > MAX_NAME {
        return Err(format!("it is {length} characters long; the maximum is {MAX_NAME}"));
    }
    match name.chars().find(|character| character.is_control()) {
        Some(control) => {
            Err(format!("it has a control character (U+{:04X}): remove it", u32::from(control)))
        }
        None => Ok(name),
    }
}

/// Without the last day that can be written: its end could not be.
fn parse_day(text: &str) -> Result<NaiveDate, String> {
    match parse_date(text) {
        Some(day) if day.succ_opt().is_some_and(|next| next.year() <= 9_999) => Ok(day),
        Some(_) => Err("leave --expires out for a key that never expires".to_owned()),
        None => Err("write a day that exists as YYYY-MM-DD, such as 2030-12-31".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        store::{self, Missing},
        time::parse_instant,
    };

    #[tokio::test]
    async fn a_key_whose_prefix_is_taken_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("svc.db").display());
        let store = store::open_url(&url, Missing::Create).await.unwrap();
        let blank = |key: &ApiKey| NewKey {
            prefix: key.prefix().to_owned(),
            hash: key.hash(),
            tier: Tier::Partner,
            scope: None,
            expires_at: None,
        };
        let mut issued = Vec::new();
        for _ in 0..TRIES {
            // The same keys in the same order each time.
            let (key, _) = issue(&store, &Random::seeded(1), "Acme", blank).await.unwrap();
            issued.push(key.prefix().to_owned());
        }
        let random = Random::seeded(1);
        let expected = (0..TRIES).map(|_| ApiKey::generate(&random).prefix().to_owned());
        assert_eq!(issued, expected.collect::<Vec<_>>());
        let error = issue(&store, &Random::seeded(1), "Acme", blank).await.unwrap_err();
        assert_eq!(error.to_string(), "5 prefixes in a row were taken: run the command again");
        store.close().await;
    }

    #[test]
    fn a_key_is_valid_through_the_end_of_its_last_day() {
        let now = parse_instant("2026-03-01T23:59:59.999Z").unwrap();
        let end = |day: &str| end_of(parse_day(day).unwrap(), now);
        assert_eq!(format_instant(end("2026-03-01").unwrap()), "2026-03-02T00:00:00.000Z");
        assert_eq!(format_instant(end("9999-12-30").unwrap()), "9999-12-31T00:00:00.000Z");
        assert_eq!(
            end("2026-02-28").unwrap_err().to_string(),
            "2026-02-28 is in the past: give today, 2026-03-01 (UTC), or a later day"
        );
        assert_eq!(
            parse_day("9999-12-31").unwrap_err(),
            "leave --expires out for a key that never expires"
        );
    }
}
