//! `svc reports`: import, list, and the steps of a report's life.

mod decide;
mod filters;
mod ids;
mod import;
mod imports;
mod list;

use clap::Subcommand;
use domain::report::Step;
use store::Store;

use super::{Access, Exit, with_store};
use crate::config::{Database, Output};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Import reports from CSV or JSON; invalid rows are refused, valid ones are imported
    Import(import::Import),
    /// List imports, newest first, with the number of reports of each status
    Imports(imports::Imports),
    /// List reports, most recently added first
    List(list::List),
    /// Publish pending reports
    Approve(decide::DecidePending),
    /// Reject pending reports
    Reject(decide::DecidePending),
    /// Withdraw published reports from lists and counters
    Withdraw(decide::Decide),
    /// Make rejected or withdrawn reports pending again
    Reopen(decide::Decide),
}

impl Command {
    pub(super) fn access(&self) -> Access {
        match self {
            Command::Imports(_) | Command::List(_) => Access::Read,
            Command::Import(import) if import.dry_run => Access::Read,
            _ => Access::Change,
        }
    }
}

pub(super) async fn run(
    database: &Database,
    output: Output,
    command: Command,
) -> anyhow::Result<Exit> {
    let (step, decide) = match command {
        Command::Import(import) => return import::run(database, output, import).await,
        Command::Imports(imports) => {
            let run = async |store: &Store| imports::run(store, output, &imports).await;
            return with_store(database, None, run).await;
        }
        Command::List(list) => {
            let run = async |store: &Store| list::run(store, output, &list).await;
            return with_store(database, None, run).await;
        }
        Command::Approve(decide) => (Step::Approve, decide.into()),
        Command::Reject(decide) => (Step::Reject, decide.into()),
        Command::Withdraw(decide) => (Step::Withdraw, decide),
        Command::Reopen(decide) => (Step::Reopen, decide),
    };
    let run = async |store: &Store| decide::run(store, output, step, decide).await;
    with_store(database, None, run).await
}
