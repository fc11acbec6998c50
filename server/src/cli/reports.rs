//! `svc reports`: import, list, and the steps of a report's life.

mod decide;
mod import;
mod list;

use clap::Subcommand;

use super::Exit;
use crate::{
    config::{Database, Output},
    store::{self, Missing},
};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Import reports from CSV or NDJSON; bad rows are refused, the good ones go in
    Import(import::Import),
    /// List reports, newest first
    List(list::List),
    /// Publish pending reports
    Approve(decide::Approve),
    /// Reject pending reports
    Reject(decide::Ids),
    /// Take published reports back
    Withdraw(decide::Ids),
}

pub(super) async fn run(
    database: &Database,
    output: Output,
    command: Command,
) -> anyhow::Result<Exit> {
    let missing = match &command {
        Command::Import(import) if !import.dry_run => Missing::Create,
        _ => Missing::Refuse,
    };
    let store = store::open_url(&database.database_url, missing).await?;
    let exit = match command {
        Command::Import(import) => import::run(&store, output, import).await?,
        Command::List(list) => list::run(&store, output, &list).await?,
        Command::Approve(approve) => decide::approve(&store, output, approve).await?,
        Command::Reject(ids) => decide::reject(&store, output, &ids).await?,
        Command::Withdraw(ids) => decide::withdraw(&store, output, &ids).await?,
    };
    store.close().await;
    Ok(exit)
}
