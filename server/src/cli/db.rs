//! `svc db`: migrate, check, back up, restore.

mod backup;
mod check;
mod migrate;
mod restore;

use std::path::PathBuf;

use clap::Subcommand;

use super::Exit;
use crate::config::{Database, Output};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Bring the database up to date (serve does it by itself); makes it where there is none
    Migrate,
    /// Recount everything from the reports and compare it with the rollups
    Check,
    /// Write a consistent copy and check it, while others go on reading and writing
    Backup {
        /// The file to write; must not exist
        file: PathBuf,
    },
    /// Put a backup in the place of the database, which is kept under another name
    Restore {
        /// The backup; it is checked first, and stays as it is
        file: PathBuf,
    },
}

pub(super) async fn run(
    database: &Database,
    output: Output,
    command: Command,
) -> anyhow::Result<Exit> {
    match command {
        Command::Migrate => migrate::run(database, output).await,
        Command::Check => check::run(database, output).await,
        Command::Backup { file } => backup::run(database, output, &file).await,
        Command::Restore { file } => restore::run(database, output, &file).await,
    }
}
