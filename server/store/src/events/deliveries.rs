//! Deliveries for the operator: listing and redelivery.

use base::time::Timestamp;
use chrono::{DateTime, Utc};
use domain::{
    action::Action,
    subscription::{DeliveryId, DeliveryStatus},
};
use sqlx::AssertSqlSafe;

use crate::{
    areas,
    audit_log::Entry,
    engine::sql::{self, Connection},
    error::{Error, Result},
};

/// Selection of deliveries.
#[derive(Clone, Debug)]
pub struct DeliveryQuery {
    /// Number of the subscription; `None` for all.
    pub subscription: Option<i64>,
    pub status: Option<DeliveryStatus>,
    /// Last delivery of the previous page.
    pub after: Option<DeliveryId>,
    pub limit: u32,
}

/// An event on its way to a subscription.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Delivery")]
pub struct ListedDelivery {
    /// Id of the delivery.
    #[schemars(extend("pattern" = "^dlv_"))]
    pub id: String,
    /// Id of the subscription.
    pub subscription: String,
    /// Name of the event.
    pub event: String,
    /// Id of the event, sent as `webhook-id`.
    #[schemars(extend("pattern" = "^evt_"))]
    pub event_id: String,
    /// Time of the event.
    pub created_at: Timestamp,
    /// Result so far.
    pub status: DeliveryStatus,
    /// Number of attempts so far.
    pub attempts: i64,
    /// The newest attempt.
    pub last_attempt: Option<ListedAttempt>,
    /// Time of the next attempt.
    pub next_attempt_at: Option<Timestamp>,
}

/// An attempt, with the status of the response or the error for which there was none.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Attempt")]
pub struct ListedAttempt {
    /// Start of the request.
    pub started_at: Timestamp,
    /// Duration of the request in milliseconds.
    pub duration_ms: i64,
    /// Status of the response.
    pub status_code: Option<i64>,
    /// Reason why there was no response.
    pub error: Option<String>,
    /// Beginning of the response, if it did not accept the event: at most 1,024 bytes as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
}

/// The result of a request to send a delivery again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redelivered {
    /// The delivery is due now.
    Due,
    /// The subscription is disabled.
    Disabled,
    Unknown,
}

impl areas::Deliveries<'_> {
    /// Returns the newest deliveries that `query` selects.
    pub async fn list(self, query: &DeliveryQuery) -> Result<Vec<ListedDelivery>> {
        // For one subscription, the list is a range of the primary key. For all subscriptions, the
        // newest events are scanned.
        let (tables, of, order) = match query.subscription {
            Some(_) => {
                ("deliveries d CROSS JOIN events e", "d.subscription_seq = $1", "d.event_seq DESC")
            }
            None => (
                "events e CROSS JOIN subscriptions f CROSS JOIN deliveries d",
                "$1 IS NULL AND d.subscription_seq = f.seq",
                "e.seq DESC, d.subscription_seq DESC",
            ),
        };
        let follows = match query.after {
            Some(_) => "e.seq <= $4 AND (e.seq < $4 OR d.subscription_seq < $5)",
            None => "$4 IS NULL AND $5 IS NULL",
        };
        let sql = format!(
            "SELECT d.subscription_seq, d.event_seq, s.id AS subscription, e.name AS event,
                    e.id AS event_id, e.created_at, d.status, d.attempts, d.due_at, a.started_at,
                    a.duration_ms, a.status_code, a.error, a.response
             FROM {tables}
             JOIN subscriptions s ON s.seq = d.subscription_seq
             LEFT JOIN attempts a ON a.subscription_seq = d.subscription_seq
                AND a.event_seq = d.event_seq
                AND a.number = (SELECT max(number) FROM attempts
                                WHERE subscription_seq = d.subscription_seq
                                  AND event_seq = d.event_seq)
             WHERE {of} AND e.seq = d.event_seq AND s.status <> 'DELETED'
               AND ($2 IS NULL OR d.status = $2) AND {follows}
             ORDER BY {order} LIMIT $3"
        );
        let rows: Vec<Row> = sql::query_as(AssertSqlSafe(sql))
            .bind(query.subscription)
            .bind(query.status.map(DeliveryStatus::as_str))
            .bind(i64::from(query.limit))
            .bind(query.after.map(|after| after.event))
            .bind(query.after.map(|after| after.subscription))
            .fetch_all(&self.store.readers)
            .await?;
        rows.into_iter().map(listed).collect()
    }

    /// Makes a delivery due now, regardless of its status, and resets its retries.
    pub async fn redeliver(self, id: DeliveryId) -> Result<Redelivered> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    let redelivered = redeliver(tx, id, now).await?;
                    if redelivered == Redelivered::Due {
                        self.store
                            .note(tx, now, Entry::of(Action::Redeliver, &id.to_string()))
                            .await?;
                    }
                    Ok(redelivered)
                })
            })
            .await
    }
}

async fn redeliver(tx: &mut Connection, id: DeliveryId, now: DateTime<Utc>) -> Result<Redelivered> {
    let sql = "SELECT s.status FROM deliveries d JOIN subscriptions s ON s.seq = d.subscription_seq
         WHERE d.subscription_seq = $1 AND d.event_seq = $2";
    let status: Option<String> = sql::query_scalar(sql)
        .bind(id.subscription)
        .bind(id.event)
        .fetch_optional(&mut *tx)
        .await?;
    match status.as_deref() {
        Some("ACTIVE") => {}
        Some("DISABLED") => return Ok(Redelivered::Disabled),
        _ => return Ok(Redelivered::Unknown),
    }
    let sql = "UPDATE deliveries SET status = 'PENDING', due_at = $3, failures = 0
         WHERE subscription_seq = $1 AND event_seq = $2";
    sql::query(sql)
        .bind(id.subscription)
        .bind(id.event)
        .bind(now.timestamp_millis())
        .execute(&mut *tx)
        .await?;
    Ok(Redelivered::Due)
}

#[derive(sqlx::FromRow)]
struct Row {
    subscription_seq: i64,
    event_seq: i64,
    subscription: String,
    event: String,
    event_id: String,
    created_at: i64,
    status: String,
    attempts: i64,
    due_at: Option<i64>,
    started_at: Option<i64>,
    duration_ms: Option<i64>,
    status_code: Option<i64>,
    error: Option<String>,
    response: Option<String>,
}

fn listed(row: Row) -> Result<ListedDelivery> {
    let status = status_of(&row.status)?;
    let last_attempt = row.started_at.zip(row.duration_ms).map(|(started_at, duration_ms)| {
        let started_at = Timestamp::from_millis(started_at);
        let Row { status_code, error, response, .. } = row;
        ListedAttempt { started_at, duration_ms, status_code, error, response }
    });
    let id = DeliveryId { subscription: row.subscription_seq, event: row.event_seq };
    Ok(ListedDelivery {
        id: id.to_string(),
        subscription: row.subscription,
        event: row.event,
        event_id: row.event_id,
        created_at: Timestamp::from_millis(row.created_at),
        status,
        attempts: row.attempts,
        last_attempt,
        next_attempt_at: row.due_at.map(Timestamp::from_millis),
    })
}

/// Parses a stored status.
pub(super) fn status_of(stored: &str) -> Result<DeliveryStatus> {
    DeliveryStatus::from_name(stored)
        .ok_or_else(|| Error::Damaged(format!("status {stored:?} of a delivery")))
}
