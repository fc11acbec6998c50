//! `svc db`: migrate, check, rebuild, back up, restore, copy.

mod backup;
mod check;
mod copy;
mod migrate;
mod rebuild;
mod restore;

use std::path::PathBuf;

use clap::Subcommand;

use super::{Access, Exit};
use crate::config::{Database, Output, SecretKeys};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create the database, or bring it up to date; serve does this automatically
    #[command(after_help = "Example: svc db migrate")]
    Migrate {
        #[command(flatten)]
        secret_keys: SecretKeys,
    },
    /// Check that counts, lists and places agree with the reports
    #[command(after_help = "Example: svc db check --repair")]
    Check {
        /// Correct the differences; the service can keep running
        #[arg(long)]
        repair: bool,
    },
    /// Rebuild counts, lists and places from the reports; the service can keep running
    #[command(after_help = "Example: svc db rebuild")]
    Rebuild,
    /// Write a consistent copy and check it; the service can keep running
    #[command(after_help = "Example: svc db backup copy.db")]
    Backup {
        /// File to write; must not exist
        file: PathBuf,
    },
    /// Replace the database with a backup; the current one is kept under another name
    #[command(after_help = "Example: svc db restore copy.db")]
    Restore {
        /// Backup file; it is checked first, and not changed
        file: PathBuf,
    },
    /// Copy all data to an empty database, SQLite or PostgreSQL, and verify it
    #[command(
        after_help = "Example: svc db copy --from sqlite://data/svc.db --to postgres://svc@localhost/svc"
    )]
    Copy {
        /// URL of the database to copy; stop the services that use it, or the copy lacks their last changes
        #[arg(long, value_name = "URL")]
        from: String,
        /// URL of the database to copy to: an empty one, or one that does not exist
        #[arg(long, value_name = "URL")]
        to: String,
    },
}

impl Command {
    pub(super) fn access(&self) -> Access {
        match self {
            // The command names its two databases.
            Command::Copy { .. } => Access::None,
            Command::Backup { .. } | Command::Check { repair: false } => Access::Read,
            _ => Access::Change,
        }
    }
}

pub(super) async fn run(
    database: &Database,
    output: Output,
    command: Command,
) -> anyhow::Result<Exit> {
    match command {
        Command::Migrate { secret_keys } => migrate::run(database, output, &secret_keys).await,
        Command::Check { repair } => check::run(database, output, repair).await,
        Command::Rebuild => rebuild::run(database, output).await,
        Command::Backup { file } => backup::run(database, output, &file).await,
        Command::Restore { file } => restore::run(database, output, &file).await,
        Command::Copy { from, to } => copy::run(output, &from, &to).await,
    }
}
