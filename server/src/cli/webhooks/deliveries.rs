use clap::Args;
use domain::subscription::DeliveryStatus;
use store::{DeliveryQuery, ListedAttempt, ListedDelivery, Store};

use super::unknown;
use crate::{
    cli::{Exit, output},
    config::Output,
};

/// Characters of an error that the table shows.
const ERROR_WIDTH: usize = 40;
const HEADER: [&str; 8] =
    ["ID", "EVENT", "SUBSCRIPTION", "STATUS", "TRIES", "LAST ANSWER", "NEXT TRY", "CREATED"];

#[derive(Args, Debug)]
pub(in crate::cli) struct Deliveries {
    /// Only deliveries to this subscription
    #[arg(long, value_name = "ID")]
    subscription: Option<String>,
    /// Only deliveries with this status
    #[arg(long, ignore_case = true)]
    status: Option<DeliveryStatus>,
    /// Maximum number of deliveries, up to 1000
    #[arg(
        long,
        default_value_t = 20,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1_000)
    )]
    limit: u32,
}

pub(super) async fn run(
    store: &Store,
    output: Output,
    wanted: &Deliveries,
) -> anyhow::Result<Exit> {
    let subscription = match &wanted.subscription {
        Some(id) => {
            let found = store.subscriptions().find(id).await?;
            Some(found.ok_or_else(|| unknown(id))?.seq)
        }
        None => None,
    };
    let query =
        DeliveryQuery { subscription, status: wanted.status, after: None, limit: wanted.limit };
    let deliveries = store.deliveries().list(&query).await?;
    let value = serde_json::json!({ "deliveries": deliveries });
    output::list(output, &value, "No deliveries.", &HEADER, &deliveries, cells)
}

fn cells(delivery: &ListedDelivery) -> Vec<String> {
    let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| "-".to_owned());
    vec![
        delivery.id.clone(),
        delivery.event.clone(),
        delivery.subscription.clone(),
        delivery.status.to_string(),
        delivery.attempts.to_string(),
        or_dash(delivery.last_attempt.as_ref().map(last_answer)),
        or_dash(delivery.next_attempt_at.map(|at| at.to_string())),
        delivery.created_at.to_string(),
    ]
}

fn last_answer(attempt: &ListedAttempt) -> String {
    match attempt.status_code {
        Some(status) => format!("{status} in {} ms", attempt.duration_ms),
        None => output::cut(attempt.error.as_deref().unwrap_or_default(), ERROR_WIDTH),
    }
}
