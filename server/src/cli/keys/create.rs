use anyhow::bail;
use base::{clock::Clock, random::Random};
use chrono::NaiveDate;
use clap::Args;
use domain::{scope::Scope, tier::Tier};
use store::KeySettings;

use crate::{
    cli::{Exit, output, with_store},
    config::{Database, Output},
    keys::{
        issue::{self, Issued, KeyRequest, holder_name, last_day},
        settings::{self, SettingError},
    },
};

#[derive(Args, Debug)]
pub(in crate::cli) struct Create {
    /// Partner that the key belongs to; a new name creates a new partner
    #[arg(long, value_name = "NAME", value_parser = holder_name)]
    partner: String,
    /// Tier of the key, which decides what it allows
    #[arg(long, value_enum, default_value_t = Tier::Partner)]
    tier: Tier,
    /// Scope of a key of the tier operator [default: read]
    #[arg(long, value_enum)]
    scope: Option<Scope>,
    /// Last day on which the key is valid (YYYY-MM-DD, UTC) [default: valid until revoked]
    #[arg(long, value_name = "DATE", value_parser = last_day)]
    expires: Option<NaiveDate>,
    /// Note for the list of keys, such as the use of the key
    #[arg(long, value_name = "TEXT", value_parser = note)]
    note: Option<String>,
    /// Maximum number of requests per minute [default: the tier's]
    #[arg(long, value_name = "N", value_parser = settings::rate)]
    rate: Option<u32>,
    /// Origins of the pages that use the key, such as https://example.org: pages of other sites cannot use it, and it is
    /// only for reading, because everybody can read it in the page
    #[arg(long, value_name = "URL", value_delimiter = ',', value_parser = settings::origin)]
    origins: Vec<String>,
}

pub(super) async fn run(
    database: &Database,
    output: Output,
    Create { partner, tier, scope, expires, note, rate, origins }: Create,
) -> anyhow::Result<Exit> {
    let origins = settings::origins(origins.iter().map(String::as_str))?;
    let settings = KeySettings { note: note.filter(|note| !note.is_empty()), rate, origins };
    let wanted = KeyRequest { partner, tier, scope, last_day: expires, settings };
    let clock = Clock::system();
    match wanted.check(clock.now()) {
        Err(issue::IssueError::ScopeOfPartner) => {
            bail!("--scope is for operators' keys: add --tier operator")
        }
        checked => checked?,
    };
    with_store(database, None, async |store| {
        let issued = issue::issue(store, &Random::system(), &clock, wanted).await?;
        output::result(output, &issued, || text(&issued, expires))
    })
    .await
}

/// Parses a note, which may be empty.
fn note(text: &str) -> Result<String, SettingError> {
    settings::note(text).map(Option::unwrap_or_default)
}

fn text(
    Issued { key, partner, is_new_partner, tier, scope, settings, .. }: &Issued,
    expires: Option<NaiveDate>,
) -> String {
    let end =
        expires.map_or_else(|| "never".to_owned(), |last| format!("at the end of {last} (UTC)"));
    let settings = settings::in_words(settings);
    let settings =
        if settings.is_empty() { String::new() } else { format!("\nSettings: {settings}") };
    format!(
        "{}\nCopy it now: it is shown only once and cannot be recovered.\n\nPrefix:  {} (identifies it in `svc keys \
            list` and `svc keys revoke`)\nPartner: {partner}{}\nTier:    {}\nExpires: {end}{settings}",
        key.as_str(),
        key.prefix(),
        if *is_new_partner { " (new)" } else { "" },
        tier.with(*scope),
    )
}
