//! `svc db`: migrate, check, backup.

use std::path::PathBuf;

use clap::Subcommand;

use super::{Exit, output};
use crate::{
    config::{Database, Output},
    store::{self, Missing},
};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Bring the database up to date (serve does it by itself); makes it where there is none
    Migrate,
    /// Recount everything from the reports and compare it with the rollups
    Check,
    /// Write a consistent copy, while others go on reading and writing
    Backup {
        /// The file to write; must not exist
        file: PathBuf,
    },
}

pub(super) async fn run(
    database: &Database,
    Output { json }: Output,
    command: Command,
) -> anyhow::Result<Exit> {
    let missing = match command {
        Command::Migrate => Missing::Create,
        Command::Check | Command::Backup { .. } => Missing::Refuse,
    };
    let store = store::open_url(&database.database_url, missing).await?;
    let exit = match command {
        Command::Migrate => {
            if json {
                output::json(&serde_json::json!({ "migrated": true }))?;
            } else {
                output::line("The database is up to date.")?;
            }
            Exit::Done
        }
        Command::Check => {
            let differences = store.check().await?;
            if json {
                output::json(&serde_json::json!({ "differences": differences }))?;
            } else {
                for difference in &differences {
                    output::line(&difference.to_string())?;
                }
                output::line(&match differences.len() as u64 {
                    0 => "Everything agrees with the reports.".to_owned(),
                    found => format!("{} found.", output::count(found, "difference")),
                })?;
            }
            if differences.is_empty() { Exit::Done } else { Exit::Failed }
        }
        Command::Backup { file } => {
            store.backup(&file).await?;
            let bytes = std::fs::metadata(&file)?.len();
            if json {
                output::json(&serde_json::json!({ "file": file, "bytes": bytes }))?;
            } else {
                let size = output::count(bytes, "byte");
                output::line(&format!("Wrote {} ({size}).", file.display()))?;
            }
            Exit::Done
        }
    };
    store.close().await;
    Ok(exit)
}
