//! What there is to do for a dispatcher. One read, because it is asked very often.

use crate::store::{Store, error::Result, events::log};

/// See the [module](self).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The number of the newest event.
    pub newest: i64,
    /// Whether any subscription is active.
    pub is_anybody_there: bool,
    /// Subscriptions that have work and that nobody has leased, by their numbers.
    pub free: Vec<i64>,
    /// Those that the dispatcher has leased.
    pub held: Vec<Held>,
}

/// A subscription that the dispatcher has leased.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Held {
    pub seq: i64,
    /// Whether it is still to be sent to.
    pub is_active: bool,
    /// Differs from before if something was changed.
    pub revision: i64,
    /// Whether it has deliveries to be tried again now.
    pub is_due: bool,
}

/// How many subscriptions a dispatcher takes at once.
const MOST_TAKEN: i64 = 256;

impl Store {
    /// Looks what there is to do for the dispatcher that leases as `owner`.
    pub async fn look(&self, owner: i64) -> Result<Look> {
        let now = self.clock.now().timestamp_millis();
        self.read(move |tx| {
            Box::pin(async move {
                let newest = log::newest(tx).await?;
                // Of a paused endpoint nothing but the end of the pause is looked at, however much waits.
                let free = sqlx::query_scalar(
                    "SELECT s.seq FROM subscriptions s
                     WHERE s.status = 'ACTIVE' AND (s.lease_until IS NULL OR s.lease_until <= $1)
                       AND (s.paused_until IS NULL OR s.paused_until <= $1)
                       AND (s.cursor < $2 OR EXISTS (SELECT 1 FROM deliveries d
                                                     WHERE d.subscription_seq = s.seq
                                                       AND d.due_at <= $1))
                     ORDER BY s.seq LIMIT $3",
                )
                .bind(now)
                .bind(newest)
                .bind(MOST_TAKEN)
                .fetch_all(&mut **tx)
                .await?;
                let held = sqlx::query_as(
                    "SELECT s.seq, s.status = 'ACTIVE' AS is_active, s.revision,
                            EXISTS (SELECT 1 FROM deliveries d
                                    WHERE d.subscription_seq = s.seq AND d.due_at <= $1) AS is_due
                     FROM subscriptions s WHERE s.lease_owner = $2 ORDER BY s.seq",
                )
                .bind(now)
                .bind(owner)
                .fetch_all(&mut **tx)
                .await?;
                let is_anybody_there = sqlx::query_scalar(
                    "SELECT EXISTS (SELECT 1 FROM subscriptions WHERE status = 'ACTIVE')",
                )
                .fetch_one(&mut **tx)
                .await?;
                Ok(Look { newest, is_anybody_there, free, held })
            })
        })
        .await
    }
}
