//! What subscriptions have yet to get through, for whoever watches the service.

use chrono::TimeDelta;

use crate::store::{Store, error::Result};

/// What one subscription has yet to get through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// The id of the subscription.
    pub subscription: String,
    /// Events of the log that it has not been sent, whether or not it lists them, and those that are to be
    /// sent again.
    pub events: i64,
    /// The age of the oldest of them; zero if there is none.
    pub age: TimeDelta,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    unsent: i64,
    retried: i64,
    unsent_at: Option<i64>,
    retried_at: Option<i64>,
}

impl Store {
    /// The backlog of every subscription, disabled ones included. Events are not counted one by one, so it
    /// is fast however many there are.
    pub async fn backlogs(&self) -> Result<Vec<Backlog>> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT s.id, CASE WHEN s.cursor < n.newest THEN n.newest - s.cursor ELSE 0 END AS unsent,
                    (SELECT count(*) FROM deliveries d
                     WHERE d.subscription_seq = s.seq AND d.due_at IS NOT NULL
                       AND d.event_seq <= s.cursor) AS retried,
                    (SELECT e.created_at FROM events e WHERE e.seq > s.cursor
                     ORDER BY e.seq LIMIT 1) AS unsent_at,
                    (SELECT e.created_at FROM events e
                     WHERE e.seq = (SELECT min(d.event_seq) FROM deliveries d
                                    WHERE d.subscription_seq = s.seq
                                      AND d.due_at IS NOT NULL)) AS retried_at
             FROM subscriptions s
             CROSS JOIN (SELECT coalesce(max(seq), 0) AS newest FROM events) n
             WHERE s.status <> 'DELETED' ORDER BY s.seq",
        )
        .fetch_all(&self.readers)
        .await?;
        let now = self.clock.now().timestamp_millis();
        let backlog = |row: Row| {
            let oldest = row.unsent_at.into_iter().chain(row.retried_at).min();
            Backlog {
                subscription: row.id,
                events: row.unsent + row.retried,
                age: TimeDelta::milliseconds(oldest.map_or(0, |oldest| (now - oldest).max(0))),
            }
        };
        Ok(rows.into_iter().map(backlog).collect())
    }
}
