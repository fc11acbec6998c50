use base::{clock::Clock, time::Timestamp};
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
    let status = key.status(now);
    let or_never =
        |at: Option<Timestamp>| at.map_or_else(|| "never".to_owned(), |at| at.to_string());
    vec![
        key.prefix,
        key.partner,
        key.tier.with(key.scope),
        key.created_at.to_string(),
        or_never(key.expires_at),
        or_never(key.last_used_at),
        status.to_owned(),
    ]
}
