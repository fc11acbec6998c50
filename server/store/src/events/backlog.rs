//! What subscriptions have yet to get through, for whoever watches the service.

use chrono::TimeDelta;

use crate::{areas, engine::sql, error::Result};

/// How many deliveries of a subscription that wait to be tried again are looked at, at most: those that are due
/// first.
const MOST_COUNTED: i64 = if cfg!(test) { 4 } else { 10_000 };

/// What one subscription has yet to get through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// The id of the subscription.
    pub subscription: String,
    /// Name of the partner that it belongs to.
    pub partner: String,
    pub url: String,
    /// Events of the log that it has not been sent, whether or not it lists them, and deliveries that wait to
    /// be tried again, of which no more than 10,000 are counted.
    pub events: i64,
    /// The age of the oldest of them; zero if there is none.
    pub age: TimeDelta,
    /// Whether nothing is sent to it any more.
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

/// Every subscription, with what it has yet to get through; `$1`: of its retries, how many are looked at.
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
    /// The backlog of every subscription, disabled ones included. Counts no event by itself, and only so many
    /// deliveries, so that it takes no time for very many.
    pub async fn backlogs(self) -> Result<Vec<Backlog>> {
        let rows: Vec<Row> =
            sql::query_as(BACKLOGS).bind(MOST_COUNTED).fetch_all(&self.store.readers).await?;
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
            // The newest first.
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
        // Those four are among the six that come after the cursor.
        assert_eq!(store.deliveries().backlogs().await.unwrap(), [backlog(6, 5_000)]);
        store.close().await;
    }
}
