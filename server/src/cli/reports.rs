//! `svc reports`: import, list, and the steps of a report's life.

mod decide;
mod import;
mod list;

use clap::Subcommand;

use super::Exit;
use crate::{
    config::{Database, Output},
    store::{self, Missing, Store},
};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Import reports from CSV or JSON; bad rows are refused, the good ones go in
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
    match command {
        Command::Import(import) => import::run(database, output, import).await,
        Command::List(list) => {
            with_store(database, async |store| list::run(store, output, &list).await).await
        }
        Command::Approve(approve) => {
            with_store(database, async |store| decide::approve(store, output, approve).await).await
        }
        Command::Reject(ids) => {
            with_store(database, async |store| decide::reject(store, output, &ids).await).await
        }
        Command::Withdraw(ids) => {
            with_store(database, async |store| decide::withdraw(store, output, &ids).await).await
        }
    }
}

/// Opens the database that has to be there, and closes it after the work, which leaves no journal
/// beside it.
async fn with_store(
    database: &Database,
    work: impl AsyncFnOnce(&Store) -> anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    let store = store::open_url(&database.database_url, Missing::Refuse).await?;
    let done = work(&store).await;
    store.close().await;
    done
}
