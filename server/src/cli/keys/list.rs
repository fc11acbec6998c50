use base::{clock::Clock, time::parse_instant};
use chrono::{DateTime, Utc};
use store::{ListedKey, Store};

use crate::{
    cli::{Exit, output},
    config::Output,
};

pub(super) async fn run(store: &Store, Output { json }: Output) -> anyhow::Result<Exit> {
    let keys = store.keys().list().await?;
    if json {
        output::json(&serde_json::json!({ "keys": keys }))?;
    } else if keys.is_empty() {
        output::line("No keys: `svc keys create --partner NAME` creates one.")?;
    } else {
        let now = Clock::system().now();
        let header = ["PREFIX", "PARTNER", "TIER", "CREATED", "EXPIRES", "LAST USED", "STATUS"];
        let rows: Vec<_> = keys.into_iter().map(|key| cells(key, now)).collect();
        output::table(&header, &rows)?;
    }
    Ok(Exit::Done)
}

fn cells(key: ListedKey, now: DateTime<Utc>) -> Vec<String> {
    let status = status(&key, now);
    let or_never = |at: Option<String>| at.unwrap_or_else(|| "never".to_owned());
    vec![
        key.prefix,
        key.partner,
        key.tier.with(key.scope),
        key.created_at,
        or_never(key.expires_at),
        or_never(key.last_used_at),
        status.to_owned(),
    ]
}

fn status(key: &ListedKey, now: DateTime<Utc>) -> &'static str {
    let end = key.expires_at.as_deref().and_then(parse_instant);
    if key.revoked_at.is_some() {
        "revoked"
    } else if end.is_some_and(|end| end <= now) {
        "expired"
    } else {
        "active"
    }
}
