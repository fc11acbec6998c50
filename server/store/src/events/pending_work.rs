//! Finds subscriptions with pending work. A single statement, because dispatchers poll it very
//! often.

use sqlx::AssertSqlSafe;

use super::log::HISTORY;
use crate::{
    areas,
    engine::sql::{self, Engine},
    error::Result,
};

/// Result of a poll; see the [module](self).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PendingWork {
    /// Number of the newest event.
    pub newest: i64,
    /// Identifier of the current history, which changes with each rewind.
    pub history: i64,
    /// Whether any subscription is active.
    pub is_anybody_there: bool,
    /// Numbers of the subscriptions with pending work that no dispatcher has leased.
    pub free: Vec<i64>,
    /// Subscriptions that the dispatcher has leased.
    pub held: Vec<LeasedSubscription>,
}

/// Subscription that the dispatcher has leased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeasedSubscription {
    pub seq: i64,
    /// Whether the subscription is still active.
    pub is_active: bool,
    /// Revision, which changes with the subscription.
    pub revision: i64,
    /// Whether retries are due now.
    pub is_due: bool,
}

/// Latest possible end of a valid lease, in milliseconds from now. A lease that ends later was
/// taken before the clock was set back.
pub(super) const LATEST_END: i64 = 60_000;

/// Maximum number of subscriptions that a dispatcher takes at once.
const MAX_TAKEN: usize = 256;

/// Returns the statement for the dispatcher `$1` at time `$2`. Selects the newest event, each
/// subscription that the dispatcher has leased or may lease, and whether any subscription is
/// active.
///
/// For a paused endpoint, only the end of the pause is checked, so the size of its backlog does not
/// matter. Retries are due if the earliest one is, which an index contains. With `EXISTS`,
/// PostgreSQL would read the table from the start if there are many retries, and all of it for a
/// subscription without any.
///
/// Leases expire by the [clock](Engine::clock) that all dispatchers share; `$3` can override it.
pub(super) fn statement(engine: Engine) -> String {
    let clock = engine.clock("$3");
    format!(
        "WITH newest (event) AS (SELECT coalesce(max(seq), 0) FROM events),
    known AS (
        SELECT s.*, coalesce((SELECT min(d.due_at) FROM deliveries d
                              WHERE d.subscription_seq = s.seq AND d.due_at IS NOT NULL) <= $2, FALSE) AS is_due
        FROM subscriptions s
        WHERE s.lease_owner = $1
           OR (s.status = 'ACTIVE'
               AND (s.lease_until IS NULL OR s.lease_until <= {clock}
                    OR s.lease_until > {clock} + {LATEST_END})
               AND (s.paused_until IS NULL OR s.paused_until <= $2)))
    SELECT n.event AS newest, ({HISTORY}) AS history, k.seq, k.revision, k.status = 'ACTIVE' AS is_active,
           coalesce(k.lease_owner = $1, FALSE) AS is_held, k.is_due,
           EXISTS (SELECT 1 FROM subscriptions WHERE status = 'ACTIVE') AS is_anybody_there
    FROM newest n
    LEFT JOIN known k ON k.lease_owner = $1 OR k.cursor < n.event OR k.is_due
    ORDER BY k.seq"
    )
}

#[derive(sqlx::FromRow)]
struct Row {
    newest: i64,
    history: i64,
    seq: Option<i64>,
    revision: Option<i64>,
    is_active: Option<bool>,
    is_held: bool,
    is_due: Option<bool>,
    is_anybody_there: bool,
}

impl areas::Deliveries<'_> {
    /// Finds the pending work for the dispatcher that leases as `owner`.
    pub async fn pending_work(self, owner: i64) -> Result<PendingWork> {
        let now = self.store.clock.now();
        let clock = (self.store.engine() == Engine::Sqlite || self.store.clock.is_stepped())
            .then(|| now.timestamp_millis());
        let rows: Vec<Row> = sql::query_as(AssertSqlSafe(statement(self.store.engine())))
            .bind(owner)
            .bind(now.timestamp_millis())
            .bind(clock)
            .fetch_all(&self.store.readers)
            .await?;
        let mut pending_work = PendingWork::default();
        for row in rows {
            pending_work.newest = row.newest;
            pending_work.history = row.history;
            pending_work.is_anybody_there = row.is_anybody_there;
            let Some(seq) = row.seq else { continue };
            if row.is_held {
                pending_work.held.push(LeasedSubscription {
                    seq,
                    is_active: row.is_active.unwrap_or_default(),
                    revision: row.revision.unwrap_or_default(),
                    is_due: row.is_due.unwrap_or_default(),
                });
            } else if pending_work.free.len() < MAX_TAKEN {
                pending_work.free.push(seq);
            }
        }
        Ok(pending_work)
    }
}
