//! `svc webhooks`: manages subscriptions and their deliveries.

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
    /// List subscriptions with state, events and backlog, newest first
    #[command(after_help = "Example: svc webhooks list")]
    List,
    /// List deliveries, newest first
    #[command(after_help = "Example: svc webhooks deliveries --status failed")]
    Deliveries(deliveries::Deliveries),
    /// Send a delivery again, even if it succeeded, with a fresh set of retries
    #[command(after_help = "Example: svc webhooks redeliver dlv_3_1042")]
    Redeliver {
        /// Id of the delivery, as `svc webhooks deliveries` shows it, such as dlv_3_1042
        #[arg(value_name = "DELIVERY")]
        id: DeliveryId,
    },
    /// Send events to a subscription again: all since some time, or only failed ones
    #[command(
        after_help = "Example: svc webhooks replay sub_2N9SyZbZ8yHkVwUe3rQ1Tg --from 2026-03-01T12:00:00Z"
    )]
    Replay {
        /// Id of the subscription
        id: String,
        #[command(flatten)]
        again: replay::Again,
        /// End of the range: the events before an instant, or those up to a cursor [default: the end of the log]
        #[arg(long, value_name = "INSTANT|CURSOR")]
        to: Option<replay::From>,
    },
    /// Send a test event to a subscription now, without retries
    #[command(after_help = "Example: svc webhooks test sub_2N9SyZbZ8yHkVwUe3rQ1Tg")]
    Test(test::Test),
    /// Enable a disabled subscription, and send the events that it missed
    #[command(after_help = "Example: svc webhooks enable sub_2N9SyZbZ8yHkVwUe3rQ1Tg")]
    Enable {
        /// Id of the subscription
        id: String,
    },
    /// Stop sending to a subscription until it is enabled again
    #[command(
        after_help = "Example: svc webhooks disable sub_2N9SyZbZ8yHkVwUe3rQ1Tg --reason Maintenance"
    )]
    Disable {
        /// Id of the subscription
        id: String,
        /// Reason that the partner sees
        #[arg(long, value_name = "TEXT", default_value = DISABLED_BY_OPERATOR)]
        reason: String,
    },
    /// Delete a subscription and its backlog for good
    #[command(after_help = "Example: svc webhooks delete sub_2N9SyZbZ8yHkVwUe3rQ1Tg")]
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
        // Other commands need no secrets.
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
