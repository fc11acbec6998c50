//! `svc keys`: create, list and revoke keys of partners; change the key of webhook secrets.

mod create;
mod list;
mod revoke;
mod rotate_master;

use clap::Subcommand;
use store::secrets::KeyId;

use super::{Access, Exit, with_store};
use crate::config::{Database, Output, SecretKeys};

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
    /// Change the key that webhook secrets are encrypted with, while the service goes on running
    RotateMaster {
        #[command(flatten)]
        secret_keys: SecretKeys,
        /// Id of a key that is lost for good: deletes the subscriptions whose secrets only that key
        /// decrypts; their partners have to subscribe again
        #[arg(long, value_name = "ID", value_parser = |id: &str| Ok::<_, String>(KeyId::from_stored(id.to_owned())))]
        lost_key: Option<KeyId>,
    },
}

impl Command {
    pub(super) fn access(&self) -> Access {
        match self {
            Command::List => Access::Read,
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
        Command::Create(create) => create::run(database, output, create).await,
        Command::List => {
            with_store(database, None, async |store| list::run(store, output).await).await
        }
        Command::Revoke { key } => {
            with_store(database, None, async |store| revoke::run(store, output, &key).await).await
        }
        Command::RotateMaster { secret_keys, lost_key } => {
            rotate_master::run(database, output, &secret_keys, lost_key.as_ref()).await
        }
    }
}
