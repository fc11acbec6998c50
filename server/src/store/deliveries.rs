//! The operator's side of deliveries: the log, and sending again.

use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, Row, sqlite::SqliteRow};

use super::{
    Store,
    error::{Error, Result},
};
use crate::{
    time::{format_instant, instant_of_millis},
    webhooks::subscription::{DeliveryId, DeliveryStatus},
};

/// Which deliveries to list.
#[derive(Clone, Debug)]
pub struct DeliveryQuery {
    /// The number of one subscription; `None`: of all.
    pub subscription: Option<i64>,
    pub status: Option<DeliveryStatus>,
    pub limit: u32,
}

/// A delivery as the operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedDelivery {
    pub id: String,
    pub subscription: String,
    pub event: String,
    /// The `webhook-id` that goes with it.
    pub event_id: String,
    pub created_at: String,
    pub status: DeliveryStatus,
    pub attempts: i64,
    pub last_attempt: Option<ListedAttempt>,
    /// When the next attempt is due; while one runs, when its lease ends.
    pub next_attempt_at: Option<String>,
}

/// An attempt as the operator sees it: the status of the answer, or why there was none.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedAttempt {
    pub started_at: String,
    pub duration_ms: i64,
    pub status_code: Option<i64>,
    pub error: Option<String>,
}

/// What became of a delivery that was to be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redelivered {
    /// It is due.
    Due,
    /// Its subscription is disabled.
    Disabled,
    Unknown,
}

impl Store {
    /// The newest deliveries that `query` selects.
    pub async fn list_deliveries(&self, query: &DeliveryQuery) -> Result<Vec<ListedDelivery>> {
        // By event of one subscription, the log is a range of the primary key. Over all of them,
        // the newest events are walked.
        let (tables, order) = match query.subscription {
            Some(_) => ("deliveries d CROSS JOIN events e", "d.event_seq DESC"),
            None => (
                "events e CROSS JOIN subscriptions f CROSS JOIN deliveries d",
                "e.seq DESC, d.subscription_seq DESC",
            ),
        };
        let of = match query.subscription {
            Some(_) => "d.subscription_seq = $1",
            None => "$1 IS NULL AND d.subscription_seq = f.seq",
        };
        let sql = format!(
            "SELECT d.subscription_seq, d.event_seq, s.id, e.name, e.id, e.created_at, d.status,
                    d.attempts, d.due_at, a.started_at, a.duration_ms, a.status_code, a.error
             FROM {tables}
             JOIN subscriptions s ON s.seq = d.subscription_seq
             LEFT JOIN attempts a ON a.subscription_seq = d.subscription_seq
                AND a.event_seq = d.event_seq
                AND a.number = (SELECT max(number) FROM attempts
                                WHERE subscription_seq = d.subscription_seq
                                  AND event_seq = d.event_seq)
             WHERE {of} AND e.seq = d.event_seq AND s.status <> 'DELETED'
               AND ($2 IS NULL OR d.status = $2)
             ORDER BY {order} LIMIT $3"
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(query.subscription)
            .bind(query.status.map(DeliveryStatus::as_str))
            .bind(i64::from(query.limit))
            .fetch_all(&self.readers)
            .await?;
        rows.iter().map(listed).collect()
    }

    /// How many deliveries wait to be sent, those of disabled subscriptions among them.
    pub async fn pending_deliveries(&self) -> Result<i64> {
        Ok(sqlx::query_scalar("SELECT count(*) FROM deliveries WHERE due_at IS NOT NULL")
            .fetch_one(&self.readers)
            .await?)
    }

    /// Makes a delivery due now, whatever became of it before, with all its tries ahead of it.
    pub async fn redeliver(&self, id: DeliveryId, now: DateTime<Utc>) -> Result<Redelivered> {
        let mut tx = self.write().await?;
        let status: Option<String> = sqlx::query_scalar(
            "SELECT s.status FROM deliveries d JOIN subscriptions s ON s.seq = d.subscription_seq
             WHERE d.subscription_seq = $1 AND d.event_seq = $2",
        )
        .bind(id.subscription)
        .bind(id.event)
        .fetch_optional(&mut *tx)
        .await?;
        match status.as_deref() {
            Some("ACTIVE") => {}
            Some("DISABLED") => return Ok(Redelivered::Disabled),
            _ => return Ok(Redelivered::Unknown),
        }
        // One that is being tried at this moment stays with whoever tries it.
        sqlx::query(
            "UPDATE deliveries SET status = 'PENDING', due_at = $3, failures = 0, lease = NULL
             WHERE subscription_seq = $1 AND event_seq = $2 AND (lease IS NULL OR due_at <= $3)",
        )
        .bind(id.subscription)
        .bind(id.event)
        .bind(now.timestamp_millis())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(Redelivered::Due)
    }
}

fn listed(row: &SqliteRow) -> Result<ListedDelivery> {
    let shown = |millis: i64| format_instant(instant_of_millis(millis));
    let status: &str = row.try_get(6)?;
    let status = DeliveryStatus::ALL
        .into_iter()
        .find(|known| known.as_str() == status)
        .ok_or_else(|| Error::Damaged(format!("status {status:?} of a delivery")))?;
    let started_at: Option<i64> = row.try_get(9)?;
    let last_attempt = match started_at {
        Some(started_at) => Some(ListedAttempt {
            started_at: shown(started_at),
            duration_ms: row.try_get(10)?,
            status_code: row.try_get(11)?,
            error: row.try_get(12)?,
        }),
        None => None,
    };
    let id = DeliveryId { subscription: row.try_get(0)?, event: row.try_get(1)? };
    Ok(ListedDelivery {
        id: id.to_string(),
        subscription: row.try_get(2)?,
        event: row.try_get(3)?,
        event_id: row.try_get(4)?,
        created_at: shown(row.try_get(5)?),
        status,
        attempts: row.try_get(7)?,
        last_attempt,
        next_attempt_at: row.try_get::<Option<i64>, _>(8)?.map(shown),
    })
}
