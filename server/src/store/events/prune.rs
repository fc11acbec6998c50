//! Forgetting what is old, in steps that are so small that writers do not wait.

use chrono::{DateTime, Utc};
use sqlx::SqliteConnection;

use super::log;
use crate::store::{Store, error::Result};

/// Deliveries or events that one step removes, at most. Few have more than one attempt.
const AT_ONCE: i64 = if cfg!(test) { 4 } else { 1_000 };

/// What a step may remove.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Deliveries of a deleted subscription, and the subscription when it has none.
    Deleted(i64),
    /// Deliveries of one subscription up to an event.
    Deliveries { subscription: i64, up_to: i64 },
    /// Events up to one.
    Events(i64),
}

impl Store {
    /// Forgets some of what is over: events from before `cutoff` with their deliveries and attempts, and
    /// whatever deleted subscriptions still have. Returns whether there may be more.
    ///
    /// What an active subscription has not been sent is kept, however old.
    pub async fn prune(&self, cutoff: DateTime<Utc>) -> Result<bool> {
        let cutoff = cutoff.timestamp_millis();
        // What there is to do is looked for without keeping writers waiting.
        let step = self.read(move |tx| Box::pin(next_step(tx, cutoff))).await?;
        let Some(step) = step else { return Ok(false) };
        self.write(move |tx, _| {
            Box::pin(async move {
                match step {
                    Step::Deleted(seq) => prune_deleted(tx, seq).await,
                    Step::Deliveries { subscription, up_to } => {
                        prune_deliveries(tx, subscription, up_to).await
                    }
                    Step::Events(up_to) => prune_events(tx, up_to).await,
                }
            })
        })
        .await?;
        Ok(true)
    }
}

async fn next_step(tx: &mut SqliteConnection, cutoff: i64) -> Result<Option<Step>> {
    let deleted: Option<i64> =
        sqlx::query_scalar("SELECT seq FROM subscriptions WHERE status = 'DELETED' LIMIT 1")
            .fetch_optional(&mut *tx)
            .await?;
    if let Some(seq) = deleted {
        return Ok(Some(Step::Deleted(seq)));
    }
    let Some(old) = log::last_before(tx, cutoff).await? else { return Ok(None) };
    let with_old: Option<i64> = sqlx::query_scalar(
        "SELECT s.seq FROM subscriptions s
         WHERE EXISTS (SELECT 1 FROM deliveries d
                       WHERE d.subscription_seq = s.seq AND d.event_seq <= $1
                         AND (d.status <> 'PENDING' OR s.status <> 'ACTIVE'))
         LIMIT 1",
    )
    .bind(old)
    .fetch_optional(&mut *tx)
    .await?;
    if let Some(subscription) = with_old {
        return Ok(Some(Step::Deliveries { subscription, up_to: old }));
    }
    // By now, all deliveries up to that event wait to be tried again.
    let (cursor, retried): (Option<i64>, Option<i64>) = sqlx::query_as(
        "SELECT min(s.cursor),
                min((SELECT d.event_seq FROM deliveries d
                     WHERE d.subscription_seq = s.seq AND d.event_seq <= $1
                     ORDER BY d.event_seq LIMIT 1))
         FROM subscriptions s WHERE s.status = 'ACTIVE'",
    )
    .bind(old)
    .fetch_one(&mut *tx)
    .await?;
    let kept = cursor.into_iter().chain(retried.map(|retried| retried - 1)).min();
    let up_to = kept.map_or(old, |kept| old.min(kept));
    let oldest: Option<i64> =
        sqlx::query_scalar("SELECT min(seq) FROM events").fetch_one(&mut *tx).await?;
    Ok(oldest.filter(|oldest| *oldest <= up_to).map(|_| Step::Events(up_to)))
}

async fn prune_deleted(tx: &mut SqliteConnection, subscription: i64) -> Result<()> {
    if remove(tx, subscription, i64::MAX).await? {
        return Ok(());
    }
    sqlx::query("DELETE FROM subscriptions WHERE seq = $1 AND status = 'DELETED'")
        .bind(subscription)
        .execute(tx)
        .await?;
    Ok(())
}

async fn prune_deliveries(tx: &mut SqliteConnection, subscription: i64, up_to: i64) -> Result<()> {
    remove(tx, subscription, up_to).await?;
    Ok(())
}

/// Removes some deliveries of a subscription up to an event, with their attempts: those that are over, or
/// all if it is not active. Returns whether there were any.
async fn remove(tx: &mut SqliteConnection, subscription: i64, up_to: i64) -> Result<bool> {
    let over =
        "SELECT d.event_seq FROM deliveries d JOIN subscriptions s ON s.seq = d.subscription_seq
                WHERE d.subscription_seq = $1 AND d.event_seq <= $2
                  AND (d.status <> 'PENDING' OR s.status <> 'ACTIVE')
                ORDER BY d.event_seq LIMIT $3";
    let mut removed = 0;
    for table in ["attempts", "deliveries"] {
        let sql =
            format!("DELETE FROM {table} WHERE subscription_seq = $1 AND event_seq IN ({over})");
        removed = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(subscription)
            .bind(up_to)
            .bind(AT_ONCE)
            .execute(&mut *tx)
            .await?
            .rows_affected();
    }
    Ok(removed > 0)
}

async fn prune_events(tx: &mut SqliteConnection, up_to: i64) -> Result<()> {
    let last: Option<i64> = sqlx::query_scalar(
        "SELECT max(seq) FROM (SELECT seq FROM events WHERE seq <= $1 ORDER BY seq LIMIT $2) AS oldest",
    )
    .bind(up_to)
    .bind(AT_ONCE)
    .fetch_one(&mut *tx)
    .await?;
    let Some(last) = last else { return Ok(()) };
    log::prune_up_to(tx, last).await?;
    sqlx::query("DELETE FROM events WHERE seq <= $1").bind(last).execute(tx).await?;
    Ok(())
}
