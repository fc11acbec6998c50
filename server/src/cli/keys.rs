//! `svc keys`: create, list, revoke.

mod create;
mod list;
mod revoke;

use clap::Subcommand;

use super::Exit;
use crate::{
    config::{Database, Output},
    store::{self, Missing},
};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create a key and show it; it is never shown again
    Create(create::Create),
    /// List keys, newest first
    List,
    /// Revoke a key
    Revoke {
        /// First 12 characters of the key, as `svc keys list` shows them; the whole key works too
        #[arg(value_name = "PREFIX")]
        key: String,
    },
}

pub(super) async fn run(
    database: &Database,
    output: Output,
    command: Command,
) -> anyhow::Result<Exit> {
    let command = match command {
        Command::Create(create) => return create::run(database, output, create).await,
        other => other,
    };
    let store = store::open_url(&database.database_url, Missing::Refuse).await?;
    let done = match &command {
        Command::Revoke { key } => revoke::run(&store, output, key).await,
        _ => list::run(&store, output).await,
    };
    store.close().await;
    done
}
