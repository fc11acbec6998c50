//! `svc reports`: imports, lists and decides on reports.

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

const APPROVE: &str = "Example: svc reports approve --import imp_1m8230hv5";
const REJECT: &str = "Example: svc reports reject r-17 r-18";
const WITHDRAW: &str = "Example: svc reports withdraw r-17";
const REOPEN: &str = "Example: svc reports reopen r-17";
const RESTORE: &str = "Example: svc reports restore --import imp_1m8230hv5";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Import reports from CSV or JSON; invalid rows are refused, valid ones are imported
    #[command(after_help = "Example: svc reports import reports.csv")]
    Import(import::Import),
    /// List imports, newest first, with report counts by status
    #[command(after_help = "Example: svc reports imports --limit 10")]
    Imports(imports::Imports),
    /// List reports, most recently added first
    #[command(after_help = "Example: svc reports list --status pending --country Brazil")]
    List(list::List),
    /// Publish pending reports
    #[command(after_help = APPROVE, after_long_help = decide::help(APPROVE))]
    Approve(decide::DecidePending),
    /// Reject pending reports
    #[command(after_help = REJECT, after_long_help = decide::help(REJECT))]
    Reject(decide::DecidePending),
    /// Withdraw published reports from lists and counters
    #[command(after_help = WITHDRAW, after_long_help = decide::help(WITHDRAW))]
    Withdraw(decide::Decide),
    /// Make rejected or withdrawn reports pending again
    #[command(after_help = REOPEN, after_long_help = decide::help(REOPEN))]
    Reopen(decide::Decide),
    /// Publish withdrawn reports again, at their old places in the lists
    #[command(after_help = RESTORE, after_long_help = decide::help(RESTORE))]
    Restore(decide::Decide),
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
        Command::Restore(decide) => (Step::Restore, decide),
    };
    let run = async |store: &Store| decide::run(store, output, step, decide).await;
    with_store(database, None, run).await
}
