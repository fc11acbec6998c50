use chrono::{DateTime, Utc};
use sqlx::SqliteConnection;

use super::log;
use crate::store::{Store, error::Result};

/// Events in one transaction: few enough that writers do not wait.
const AT_ONCE: i64 = 1_000;

impl Store {
    /// Forgets a batch of what is over: deliveries of events from before `cutoff`, with their
    /// attempts and events, and whatever deleted subscriptions still have. Returns whether there may
    /// be more.
    ///
    /// What waits to be sent is kept, however old, unless its subscription is disabled.
    pub async fn prune(&self, cutoff: DateTime<Utc>) -> Result<bool> {
        // Where a batch has nothing but what waits, the next one is looked at.
        let mut after = 0;
        loop {
            let (of_deleted, batch) = self
                .write(move |tx, _| {
                    Box::pin(async move {
                        let of_deleted = prune_deleted(tx).await?;
                        Ok((of_deleted, prune_old(tx, after, cutoff.timestamp_millis()).await?))
                    })
                })
                .await?;
            match batch {
                Some((last, 0)) if !of_deleted => after = last,
                batch => return Ok(of_deleted || batch.is_some()),
            }
        }
    }
}

async fn prune_deleted(tx: &mut SqliteConnection) -> Result<bool> {
    let deleted: Option<i64> =
        sqlx::query_scalar("SELECT seq FROM subscriptions WHERE status = 'DELETED' LIMIT 1")
            .fetch_optional(&mut *tx)
            .await?;
    let Some(subscription) = deleted else { return Ok(false) };
    let last: Option<i64> = sqlx::query_scalar(
        "SELECT max(event_seq) FROM (SELECT event_seq FROM deliveries
                                     WHERE subscription_seq = $1 ORDER BY event_seq LIMIT $2) AS x",
    )
    .bind(subscription)
    .bind(AT_ONCE)
    .fetch_one(&mut *tx)
    .await?;
    let Some(last) = last else {
        sqlx::query("DELETE FROM subscriptions WHERE seq = $1")
            .bind(subscription)
            .execute(tx)
            .await?;
        return Ok(true);
    };
    for sql in [
        "DELETE FROM attempts WHERE subscription_seq = $1 AND event_seq <= $2",
        "DELETE FROM deliveries WHERE subscription_seq = $1 AND event_seq <= $2",
    ] {
        sqlx::query(sql).bind(subscription).bind(last).execute(&mut *tx).await?;
    }
    Ok(true)
}

/// Looks at a batch of old events after number `after`; returns the last one's number, and how many
/// rows it removed. `None` where there are no more.
async fn prune_old(
    tx: &mut SqliteConnection,
    after: i64,
    cutoff: i64,
) -> Result<Option<(i64, u64)>> {
    // Events are numbered in the order in which they were written.
    let last: Option<i64> = sqlx::query_scalar(
        "SELECT max(seq) FROM (SELECT seq, created_at FROM events WHERE seq > $3
                               ORDER BY seq LIMIT $1) AS oldest
         WHERE created_at < $2",
    )
    .bind(AT_ONCE)
    .bind(cutoff)
    .bind(after)
    .fetch_one(&mut *tx)
    .await?;
    let Some(last) = last else { return Ok(None) };
    log::prune_up_to(tx, last).await?;
    let mut removed = 0;
    let subscriptions: Vec<i64> =
        sqlx::query_scalar("SELECT seq FROM subscriptions").fetch_all(&mut *tx).await?;
    for subscription in subscriptions {
        sqlx::query(
            "DELETE FROM attempts
             WHERE subscription_seq = $1 AND event_seq > $3 AND event_seq <= $2
               AND EXISTS (SELECT 1 FROM deliveries d
                           JOIN subscriptions s ON s.seq = d.subscription_seq
                           WHERE d.subscription_seq = $1 AND d.event_seq = attempts.event_seq
                             AND (d.status <> 'PENDING' OR s.status <> 'ACTIVE'))",
        )
        .bind(subscription)
        .bind(last)
        .bind(after)
        .execute(&mut *tx)
        .await?;
        removed += sqlx::query(
            "DELETE FROM deliveries
             WHERE subscription_seq = $1 AND event_seq > $3 AND event_seq <= $2
               AND (status <> 'PENDING'
                    OR EXISTS (SELECT 1 FROM subscriptions WHERE seq = $1 AND status <> 'ACTIVE'))",
        )
        .bind(subscription)
        .bind(last)
        .bind(after)
        .execute(&mut *tx)
        .await?
        .rows_affected();
    }
    removed += sqlx::query(
        "DELETE FROM events WHERE seq > $2 AND seq <= $1
           AND NOT EXISTS (SELECT 1 FROM subscriptions s JOIN deliveries d
                           ON d.subscription_seq = s.seq AND d.event_seq = events.seq)",
    )
    .bind(last)
    .bind(after)
    .execute(tx)
    .await?
    .rows_affected();
    Ok(Some((last, removed)))
}
