use crate::store::{Store, error::Result};

impl Store {
    /// The active subscriptions that have deliveries due, the one that waits longest first; `None`
    /// where no subscription is active. One statement, because it is asked very often.
    pub async fn subscriptions_due(&self) -> Result<Option<Vec<i64>>> {
        let active: Vec<(i64, Option<i64>)> = sqlx::query_as(
            "SELECT seq, due_at FROM (
                 SELECT s.seq, (SELECT min(d.due_at) FROM deliveries d
                                WHERE d.subscription_seq = s.seq AND d.due_at <= $1) AS due_at
                 FROM subscriptions s WHERE s.status = 'ACTIVE'
             ) AS waiting
             WHERE due_at IS NOT NULL
                OR seq = (SELECT min(seq) FROM subscriptions WHERE status = 'ACTIVE')
             ORDER BY due_at, seq",
        )
        .bind(self.clock.now().timestamp_millis())
        .fetch_all(&self.readers)
        .await?;
        if active.is_empty() {
            return Ok(None);
        }
        Ok(Some(active.into_iter().filter_map(|(seq, due_at)| due_at.map(|_| seq)).collect()))
    }
}
