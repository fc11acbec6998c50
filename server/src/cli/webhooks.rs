//! `svc webhooks`: what the operator sees and does of subscriptions and their deliveries.

mod delete;
mod deliveries;
mod disable;
mod enable;
mod list;
mod redeliver;
mod replay;
mod test;

use clap::Subcommand;
use domain::subscription::DeliveryId;
use store::DISABLED_BY_OPERATOR;

use super::{Access, Exit, with_store};
use crate::config::{Database, Output};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List subscriptions, newest first: their state, what they get, and how much waits
    List,
    /// List deliveries, newest first
    Deliveries(deliveries::Deliveries),
    /// Send a delivery again, even if it succeeded, with a fresh set of retries
    Redeliver {
        /// Id of the delivery, as `svc webhooks deliveries` shows it, such as dlv_3_1042
        #[arg(value_name = "DELIVERY")]
        id: DeliveryId,
    },
    /// Send events to a subscription again: from some time on, or only those that have failed
    Replay {
        /// Id of the subscription
        id: String,
        #[command(flatten)]
        again: replay::Again,
        /// The end: the events before an instant, or those up to a cursor [default: the end of the log]
        #[arg(long, value_name = "INSTANT|CURSOR")]
        to: Option<replay::From>,
    },
    /// Send a test event to a subscription now, without retries
    Test(test::Test),
    /// Enable a disabled subscription and send it what it missed
    Enable {
        /// Id of the subscription
        id: String,
    },
    /// Send nothing to a subscription until it is enabled again
    Disable {
        /// Id of the subscription
        id: String,
        /// Why: the partner sees it
        #[arg(long, value_name = "TEXT", default_value = DISABLED_BY_OPERATOR)]
        reason: String,
    },
    /// Delete a subscription for good, with what waits for it
    Delete {
        /// Id of the subscription
        id: String,
    },
}

impl Command {
    pub(super) fn access(&self) -> Access {
        match self {
            Command::List | Command::Deliveries(_) => Access::Read,
            _ => Access::Change,
        }
    }
}

pub(super) async fn run(
    database: &Database,
    output: Output,
    command: Command,
) -> anyhow::Result<Exit> {
    let keyring = match &command {
        Command::Test(test) => test.secret_keys.keyring()?,
        // The others need no secrets.
        _ => None,
    };
    with_store(database, keyring, async |store| match command {
        Command::List => list::run(store, output).await,
        Command::Deliveries(wanted) => deliveries::run(store, output, &wanted).await,
        Command::Redeliver { id } => redeliver::run(store, output, id).await,
        Command::Replay { id, again, to } => replay::run(store, output, &id, &again, to).await,
        Command::Test(test) => test::run(store, output, &test).await,
        Command::Enable { id } => enable::run(store, output, &id).await,
        Command::Disable { id, reason } => disable::run(store, output, &id, &reason).await,
        Command::Delete { id } => delete::run(store, output, &id).await,
    })
    .await
}

fn unknown(subscription: &str) -> anyhow::Error {
    anyhow::anyhow!("there is no subscription {subscription:?}: `svc webhooks list` shows all")
}
