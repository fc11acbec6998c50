//! Backlog of each subscription, for monitoring.

use chrono::TimeDelta;

use crate::{areas, engine::sql, error::Result};

/// Maximum number of pending retries counted per subscription; those that are due first are
/// counted.
const MAX_COUNTED: i64 = if cfg!(test) { 4 } else { 10_000 };

/// Backlog of one subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// Id of the subscription.
    pub subscription: String,
    /// Name of the subscription's partner.
    pub partner: String,
    pub url: String,
    /// Number of logged events not sent yet, whether or not the subscription lists them, plus
    /// pending retries. At most 10,000 retries are counted.
    pub events: i64,
    /// Age of the oldest pending event; zero without pending events.
    pub age: TimeDelta,
    /// Whether the subscription is disabled.
    pub is_disabled: bool,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    partner: String,
    url: String,
    is_disabled: bool,
    unsent: i64,
    retried: i64,
    unsent_at: Option<i64>,
    retried_at: Option<i64>,
}

/// Selects the backlog of every subscription. `$1` is the maximum number of retries counted per
/// subscription.
pub(super) const BACKLOGS: &str = "
    SELECT s.id, p.name AS partner, s.url, s.status = 'DISABLED' AS is_disabled, CASE WHEN s.cursor < n.newest
           THEN n.newest - s.cursor - (SELECT CAST(coalesce(sum(next - last - 1), 0) AS BIGINT) FROM log_gaps
                                       WHERE last >= s.cursor AND next <= n.newest)
           ELSE 0 END AS unsent,
           (SELECT count(*) FROM (SELECT d.event_seq FROM deliveries d
                                  WHERE d.subscription_seq = s.seq AND d.due_at IS NOT NULL
                                  ORDER BY d.due_at LIMIT $1) AS waiting
            WHERE waiting.event_seq <= s.cursor) AS retried,
           (SELECT e.created_at FROM events e WHERE e.seq > s.cursor
            ORDER BY e.seq LIMIT 1) AS unsent_at,
           (SELECT e.created_at FROM events e
            WHERE e.seq = (SELECT min(event_seq) FROM (
                               SELECT d.event_seq FROM deliveries d
                               WHERE d.subscription_seq = s.seq AND d.due_at IS NOT NULL
                               ORDER BY d.due_at LIMIT $1) AS waiting)) AS retried_at
    FROM subscriptions s
    JOIN partners p ON p.id = s.partner_id
    CROSS JOIN (SELECT coalesce(max(seq), 0) AS newest FROM events) AS n
    WHERE s.status <> 'DELETED' ORDER BY s.seq";

impl areas::Deliveries<'_> {
    /// Returns the backlog of every subscription, including disabled ones. The query subtracts
    /// event numbers instead of counting events and limits the number of deliveries, so it is fast
    /// for large backlogs too.
    pub async fn backlogs(self) -> Result<Vec<Backlog>> {
        let rows: Vec<Row> =
            sql::query_as(BACKLOGS).bind(MAX_COUNTED).fetch_all(&self.store.readers).await?;
        let now = self.store.clock.now().timestamp_millis();
        let backlog = |row: Row| {
            let oldest = row.unsent_at.into_iter().chain(row.retried_at).min();
            Backlog {
                subscription: row.id,
                partner: row.partner,
                url: row.url,
                events: row.unsent + row.retried,
                age: TimeDelta::milliseconds(oldest.map_or(0, |oldest| (now - oldest).max(0))),
                is_disabled: row.is_disabled,
            }
        };
        Ok(rows.into_iter().map(backlog).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scratch;

    #[tokio::test]
    async fn of_very_many_retries_only_those_are_counted_that_are_due_first() {
        let store = Scratch::new().await;
        for sql in [
            "INSERT INTO partners (name, created_at) VALUES ('partner', 0)",
            "INSERT INTO subscriptions (id, partner_id, url, report_created, metrics_updated, status,
                                        created_at, cursor)
             VALUES ('sub_1', 1, 'http://127.0.0.1:9/', TRUE, FALSE, 'ACTIVE', 0, 10)",
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
             INSERT INTO events (id, name, body, created_at)
             SELECT 'evt_' || i, 'report.created', x'7b7d', i * 1000 FROM n",
            // The newest event is due first.
            "INSERT INTO deliveries (subscription_seq, event_seq, status, due_at)
             SELECT 1, seq, 'PENDING', 100 - seq FROM events",
        ] {
            store.run(sql).await;
        }
        let store = store.clone().with_clock(base::clock::Clock::stepped(
            chrono::DateTime::from_timestamp_millis(10_000).unwrap(),
        ));
        let backlog = |events, age| Backlog {
            subscription: "sub_1".to_owned(),
            partner: "partner".to_owned(),
            url: "http://127.0.0.1:9/".to_owned(),
            events,
            age: TimeDelta::milliseconds(age),
            is_disabled: false,
        };
        assert_eq!(store.deliveries().backlogs().await.unwrap(), [backlog(4, 3_000)]);
        store.run("UPDATE subscriptions SET cursor = 4").await;
        // The four counted retries are among the six events after the cursor.
        assert_eq!(store.deliveries().backlogs().await.unwrap(), [backlog(6, 5_000)]);
        store.close().await;
    }
}
