use chrono::{DateTime, Utc};
use sqlx::{Row, sqlite::SqliteRow};

use super::{
    Store,
    error::{Error, Result},
};
use crate::{
    time::{format_instant, instant_of_millis},
    webhooks::{
        event::EventName,
        subscription::{NewSubscription, SubscriptionStatus},
    },
};

/// A subscription as its partner sees it: without the secret.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    pub id: String,
    pub url: String,
    pub events: Vec<EventName>,
    pub created_at: String,
    pub status: SubscriptionStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disabled_reason: Option<String>,
}

/// A subscription as the operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedSubscription {
    #[serde(flatten)]
    pub subscription: Subscription,
    /// Its number in the ids of deliveries.
    #[serde(skip)]
    pub seq: i64,
    pub partner: String,
    /// When the failures began that no success has ended.
    pub failing_since: Option<String>,
    pub pending: i64,
    pub delivered: i64,
    pub failed: i64,
}

/// What became of a subscription that was to be enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enabled {
    /// It is active; so many deliveries that it missed are due.
    Now {
        missed: u64,
    },
    /// It was active already.
    Before,
    Unknown,
}

const COLUMNS: &str = "s.id, s.url, s.report_created, s.metrics_updated, s.created_at, s.status,
                       s.disabled_reason";

fn subscription(row: &SqliteRow) -> Result<Subscription> {
    let wants = |column| Ok::<_, Error>(row.try_get::<i64, _>(column)? == 1);
    let mut events = Vec::new();
    for (column, event) in [(2, EventName::ReportCreated), (3, EventName::MetricsUpdated)] {
        if wants(column)? {
            events.push(event);
        }
    }
    let status = match row.try_get(5)? {
        "ACTIVE" => SubscriptionStatus::Active,
        "DISABLED" => SubscriptionStatus::Disabled,
        other => return Err(Error::Damaged(format!("status {other:?} of a subscription"))),
    };
    Ok(Subscription {
        id: row.try_get(0)?,
        url: row.try_get(1)?,
        events,
        created_at: format_instant(instant_of_millis(row.try_get(4)?)),
        status,
        disabled_reason: row.try_get(6)?,
    })
}

impl Store {
    /// Stores a subscription, unless its partner has `limit` of them. Returns whether it did.
    pub async fn subscribe(&self, new: &NewSubscription, limit: u32) -> Result<bool> {
        let mut tx = self.write().await?;
        let has: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM subscriptions WHERE partner_id = $1 AND status <> 'DELETED'",
        )
        .bind(new.partner_id)
        .fetch_one(&mut *tx)
        .await?;
        if has >= i64::from(limit) {
            return Ok(false);
        }
        sqlx::query(
            "INSERT INTO subscriptions (id, partner_id, url, report_created, metrics_updated,
                                        secret, status, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, 'ACTIVE', $7)",
        )
        .bind(new.id.clone())
        .bind(new.partner_id)
        .bind(new.url.clone())
        .bind(i64::from(new.events.contains(&EventName::ReportCreated)))
        .bind(i64::from(new.events.contains(&EventName::MetricsUpdated)))
        .bind(new.secret.clone())
        .bind(new.created_at.timestamp_millis())
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(true)
    }

    /// A partner's subscriptions, newest first.
    pub async fn subscriptions(&self, partner_id: i64) -> Result<Vec<Subscription>> {
        let rows = sqlx::query(sqlx::AssertSqlSafe(format!(
            "SELECT {COLUMNS} FROM subscriptions s
             WHERE s.partner_id = $1 AND s.status <> 'DELETED' ORDER BY s.seq DESC"
        )))
        .bind(partner_id)
        .fetch_all(&self.readers)
        .await?;
        rows.iter().map(subscription).collect()
    }

    /// Deletes a partner's subscription: from the commit on nothing is claimed for it. Returns
    /// whether there was one. Its log goes with it, a little later.
    pub async fn unsubscribe(&self, partner_id: i64, id: &str) -> Result<bool> {
        let mut tx = self.write().await?;
        let done = sqlx::query(
            "UPDATE subscriptions SET status = 'DELETED', disabled_reason = NULL, secret = ''
             WHERE id = $1 AND partner_id = $2 AND status <> 'DELETED'",
        )
        .bind(id.to_owned())
        .bind(partner_id)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    /// Every subscription, newest first, with what is in its log.
    pub async fn list_subscriptions(&self) -> Result<Vec<ListedSubscription>> {
        self.listed(None).await
    }

    /// The subscription of this id.
    pub async fn find_subscription(&self, id: &str) -> Result<Option<ListedSubscription>> {
        Ok(self.listed(Some(id)).await?.pop())
    }

    async fn listed(&self, id: Option<&str>) -> Result<Vec<ListedSubscription>> {
        let rows = sqlx::query(sqlx::AssertSqlSafe(format!(
            "SELECT {COLUMNS}, s.seq, p.name, s.failing_since,
                    (SELECT count(*) FROM deliveries d
                     WHERE d.subscription_seq = s.seq AND d.status = 'PENDING'),
                    (SELECT count(*) FROM deliveries d
                     WHERE d.subscription_seq = s.seq AND d.status = 'DELIVERED'),
                    (SELECT count(*) FROM deliveries d
                     WHERE d.subscription_seq = s.seq AND d.status = 'FAILED')
             FROM subscriptions s JOIN partners p ON p.id = s.partner_id
             WHERE s.status <> 'DELETED' AND ($1 IS NULL OR s.id = $1) ORDER BY s.seq DESC"
        )))
        .bind(id.map(str::to_owned))
        .fetch_all(&self.readers)
        .await?;
        let listed = |row: &SqliteRow| {
            let failing_since: Option<i64> = row.try_get(9)?;
            Ok(ListedSubscription {
                subscription: subscription(row)?,
                seq: row.try_get(7)?,
                partner: row.try_get(8)?,
                failing_since: failing_since.map(|at| format_instant(instant_of_millis(at))),
                pending: row.try_get(10)?,
                delivered: row.try_get(11)?,
                failed: row.try_get(12)?,
            })
        };
        rows.iter().map(listed).collect()
    }

    /// Enables a disabled subscription and makes due what it missed: what waits, and what has failed
    /// for good since its failures began.
    pub async fn enable_subscription(&self, id: &str, now: DateTime<Utc>) -> Result<Enabled> {
        let mut tx = self.write().await?;
        let row = sqlx::query(
            "SELECT seq, status, failing_since FROM subscriptions
             WHERE id = $1 AND status <> 'DELETED'",
        )
        .bind(id.to_owned())
        .fetch_optional(&mut *tx)
        .await?;
        let Some(row) = row else { return Ok(Enabled::Unknown) };
        let (seq, failing_since): (i64, Option<i64>) = (row.try_get(0)?, row.try_get(2)?);
        if row.try_get::<&str, _>(1)? == "ACTIVE" {
            return Ok(Enabled::Before);
        }
        // One that is being tried at this moment stays with whoever tries it.
        let missed = sqlx::query(
            "UPDATE deliveries
             SET status = 'PENDING', failures = 0,
                 due_at = CASE WHEN lease IS NOT NULL AND due_at > $2 THEN due_at ELSE $2 END,
                 lease = CASE WHEN due_at > $2 THEN lease END
             WHERE subscription_seq = $1
               AND (status = 'PENDING'
                    OR (status = 'FAILED'
                        -- A test is over when it has failed.
                        AND (SELECT e.name FROM events e WHERE e.seq = deliveries.event_seq)
                            <> 'webhook.test'
                        AND (SELECT max(a.started_at) FROM attempts a
                             WHERE a.subscription_seq = deliveries.subscription_seq
                               AND a.event_seq = deliveries.event_seq) >= $3))",
        )
        .bind(seq)
        .bind(now.timestamp_millis())
        .bind(failing_since.unwrap_or(i64::MAX))
        .execute(&mut *tx)
        .await?
        .rows_affected();
        sqlx::query(
            "UPDATE subscriptions
             SET status = 'ACTIVE', disabled_reason = NULL, failing_since = NULL WHERE seq = $1",
        )
        .bind(seq)
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(Enabled::Now { missed })
    }
}
