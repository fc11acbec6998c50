//! Results of attempts: recording them, and their consequences for deliveries and endpoints.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sqlx::SqliteConnection;

use crate::{
    domain::{endpoint_health::EndpointHealth, subscription::DeliveryId},
    store::{engine::bulk, error::Result},
    time::instant_of_millis,
};

/// An attempt that is over.
#[derive(Clone, Debug)]
pub struct Ended {
    pub id: DeliveryId,
    pub lease: i64,
    pub number: i64,
    pub started_at: DateTime<Utc>,
    /// In milliseconds.
    pub duration: i64,
    /// The status of the response, or why there was none.
    pub outcome: Result<u16, String>,
    pub next: NextStep,
}

/// What follows from the end of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    Delivered,
    /// Another attempt at this instant. `failures` in a row, including this one.
    Retry {
        at: DateTime<Utc>,
        failures: u32,
    },
    Failed {
        failures: u32,
    },
}

/// Records the ends of attempts. Returns the ids of subscriptions that this disables, with the
/// reason.
pub(super) async fn write(
    tx: &mut SqliteConnection,
    ended: &[Ended],
    now: DateTime<Utc>,
) -> Result<Vec<(String, String)>> {
    bulk::insert(
        tx,
        "WITH ended (subscription_seq, event_seq, number, started_at, duration_ms, status_code,
                     error) AS (",
        7,
        ") INSERT INTO attempts (subscription_seq, event_seq, number, started_at, duration_ms,
                                 status_code, error)
           SELECT e.* FROM ended e
           WHERE EXISTS (SELECT 1 FROM deliveries d
                         WHERE d.subscription_seq = e.subscription_seq
                           AND d.event_seq = e.event_seq)
           ON CONFLICT (subscription_seq, event_seq, number) DO NOTHING",
        ended,
        |query, attempt| {
            let (status, error) = match &attempt.outcome {
                Ok(status) => (Some(i64::from(*status)), None),
                Err(error) => (None, Some(error.clone())),
            };
            query
                .bind(attempt.id.subscription)
                .bind(attempt.id.event)
                .bind(attempt.number)
                .bind(attempt.started_at.timestamp_millis())
                .bind(attempt.duration)
                .bind(status)
                .bind(error)
        },
    )
    .await?;
    bulk::insert(
        tx,
        "WITH ended (subscription_seq, event_seq, lease, status, due_at, failures) AS (",
        6,
        ") UPDATE deliveries
           SET status = ended.status, due_at = ended.due_at, lease = NULL,
               failures = ended.failures
           FROM ended
           WHERE deliveries.subscription_seq = ended.subscription_seq
             AND deliveries.event_seq = ended.event_seq
             AND deliveries.lease = ended.lease",
        ended,
        |query, attempt| {
            let (status, due_at, failures) = match attempt.next {
                NextStep::Delivered => ("DELIVERED", None, 0),
                NextStep::Retry { at, failures } => {
                    ("PENDING", Some(at.timestamp_millis()), failures)
                }
                NextStep::Failed { failures } => ("FAILED", None, failures),
            };
            query
                .bind(attempt.id.subscription)
                .bind(attempt.id.event)
                .bind(attempt.lease)
                .bind(status)
                .bind(due_at)
                .bind(i64::from(failures))
        },
    )
    .await?;
    let mut disabled = Vec::new();
    for (subscription, health) in health(ended) {
        disabled.extend(update_health(tx, subscription, &health, now).await?);
    }
    Ok(disabled)
}

/// What a batch of attempts says about each endpoint.
fn health(ended: &[Ended]) -> BTreeMap<i64, EndpointHealth> {
    let mut endpoints: BTreeMap<i64, EndpointHealth> = BTreeMap::new();
    for attempt in ended {
        let health = endpoints.entry(attempt.id.subscription).or_default();
        match attempt.next {
            NextStep::Delivered => health.succeeded(),
            NextStep::Retry { .. } | NextStep::Failed { .. } => {
                health.failed(attempt.started_at, &attempt.outcome);
            }
        }
    }
    endpoints
}

/// Records an endpoint's health. Returns the id and the reason if that disables the subscription.
async fn update_health(
    tx: &mut SqliteConnection,
    subscription: i64,
    health: &EndpointHealth,
    now: DateTime<Utc>,
) -> Result<Option<(String, String)>> {
    if health.has_succeeded {
        sqlx::query(
            "UPDATE subscriptions SET failing_since = NULL
             WHERE seq = $1 AND status = 'ACTIVE' AND failing_since IS NOT NULL",
        )
        .bind(subscription)
        .execute(&mut *tx)
        .await?;
    }
    let Some(failing_since) = health.failing_since() else { return Ok(None) };
    let row: Option<(String, i64)> = sqlx::query_as(
        "UPDATE subscriptions SET failing_since = coalesce(failing_since, $2)
         WHERE seq = $1 AND status = 'ACTIVE' RETURNING id, failing_since",
    )
    .bind(subscription)
    .bind(failing_since.timestamp_millis())
    .fetch_optional(&mut *tx)
    .await?;
    let Some((id, since)) = row else { return Ok(None) };
    let Some(reason) = health.reason_to_disable(instant_of_millis(since), now) else {
        return Ok(None);
    };
    sqlx::query(
        "UPDATE subscriptions SET status = 'DISABLED', disabled_reason = $2 WHERE seq = $1",
    )
    .bind(subscription)
    .bind(reason.clone())
    .execute(tx)
    .await?;
    Ok(Some((id, reason)))
}
