use base::{clock::Clock, time::Timestamp};
use chrono::{DateTime, Utc};
use serde_json::json;
use store::{ListedKey, Store};

use crate::{
    cli::{Exit, output},
    config::Output,
    keys::settings,
};

pub(super) async fn run(store: &Store, output: Output) -> anyhow::Result<Exit> {
    let keys = store.keys().list().await?;
    let none = "No keys: `svc keys create --partner NAME` creates one.";
    let header =
        ["PREFIX", "PARTNER", "TIER", "CREATED", "EXPIRES", "LAST USED", "STATUS", "SETTINGS"];
    let now = Clock::system().now();
    output::list(output, &json!({ "keys": keys }), none, &header, &keys, |key| cells(key, now))
}

fn cells(key: &ListedKey, now: DateTime<Utc>) -> Vec<String> {
    let or_never =
        |at: Option<Timestamp>| at.map_or_else(|| "never".to_owned(), |at| at.to_string());
    vec![
        key.prefix.clone(),
        key.partner.clone(),
        key.tier.with(key.scope),
        key.created_at.to_string(),
        or_never(key.expires_at),
        or_never(key.last_used_at),
        key.status(now).to_owned(),
        settings::in_words(&key.settings),
    ]
}
