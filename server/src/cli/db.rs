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
    /// Bring the database up to date, or create it; serve does this by itself
    Migrate {
        #[command(flatten)]
        secret_keys: SecretKeys,
    },
    /// Compare counts, lists and places with the reports
    Check {
        /// Correct what differs, while the service goes on running
        #[arg(long)]
        repair: bool,
    },
    /// Make counts, lists and places again from the reports, while the service goes on running
    Rebuild,
    /// Write a consistent copy and check it, while the service goes on running
    Backup {
        /// The file to write; must not exist
        file: PathBuf,
    },
    /// Replace the database with a backup; the present one is kept under another name
    Restore {
        /// The backup; it is checked first, and stays as it is
        file: PathBuf,
    },
    /// Copy all data to an empty database, SQLite or PostgreSQL, and verify it
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
            // Both of its databases are named.
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
