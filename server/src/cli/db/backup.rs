use std::path::Path;

use anyhow::Context;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::restore::contents_of;
use crate::{
    cli::{Exit, output},
    config::{Database, Output},
    service::StopSignals,
};

pub(super) async fn run(
    database: &Database,
    Output { json }: Output,
    file: &Path,
) -> anyhow::Result<Exit> {
    let mut signals = StopSignals::listen().context("cannot listen for signals to stop")?;
    let store = store::open_for_backup(&database.database_url).await?;
    let stopping = CancellationToken::new();
    let stopped = stopping.clone();
    tokio::spawn(async move {
        signals.next().await;
        stopped.cancel();
    });
    let contents = store.backup(file, &stopping).await;
    store.close().await;
    let contents = contents?;
    let bytes = std::fs::metadata(file)?.len();
    if json {
        output::json(&json!({ "file": file, "bytes": bytes, "contents": contents }))?;
    } else {
        let size = output::count(bytes, "byte");
        let has = contents_of(&contents);
        output::line(&format!("Wrote {} ({size}) and checked it: {has}.", file.display()))?;
    }
    Ok(Exit::Done)
}
