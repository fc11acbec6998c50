//! `svc keys`: creates, lists and revokes API keys; rotates the key of webhook secrets.

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
    #[command(after_help = "Example: svc keys create --partner Acme --expires 2027-12-31")]
    Create(create::Create),
    /// List keys, newest first
    #[command(after_help = "Example: svc keys list")]
    List,
    /// Revoke a key
    #[command(after_help = "Example: svc keys revoke svc_4fT0aQx9")]
    Revoke {
        /// First 12 characters of the key, as in `svc keys list`, or the whole key
        #[arg(value_name = "PREFIX")]
        key: String,
    },
    /// Rotate the key that encrypts webhook secrets; the service can keep running
    #[command(after_help = "Example: svc keys rotate-master")]
    RotateMaster {
        #[command(flatten)]
        secret_keys: SecretKeys,
        /// Id of a key that is permanently lost: deletes the subscriptions whose secrets need that key; their partners
        /// have to subscribe again
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
