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
    let dry_run = matches!(&command, Command::Import(import) if import.dry_run);
    let missing = match &command {
        Command::Import(_) if !dry_run => Missing::Create,
        _ => Missing::Refuse,
    };
    let (store, command) = match (store::open_url(&database.database_url, missing).await, command) {
        // Where there is no database yet, a file can be checked all the same.
        (Err(store::Error::Missing(_)), Command::Import(import)) if dry_run => {
            return import::run(None, output, import).await;
        }
        (opened, command) => (opened?, command),
    };
    let exit = match command {
        Command::Import(import) => import::run(Some(&store), output, import).await?,
        Command::List(list) => list::run(&store, output, &list).await?,
        Command::Approve(approve) => decide::approve(&store, output, approve).await?,
        Command::Reject(ids) => decide::reject(&store, output, &ids).await?,
        Command::Withdraw(ids) => decide::withdraw(&store, output, &ids).await?,
    };
    store.close().await;
    Ok(exit)
}
