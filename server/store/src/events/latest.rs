//! The newest events, for people who try a filter.

use domain::event::EventName;

use super::{log::Head, queue::QueuedEvent};
use crate::{areas, engine::sql, error::Result};

/// Maximum number of events scanned per call. In a long log, rare events may be far apart.
const MAX_EXAMINED: i64 = if cfg!(test) { 8 } else { 4_096 };

/// Selects the last events up to event `$1`, newest first. The bound is for the test of plans.
pub(super) const LATEST: &str = "
    SELECT seq, name, place, type, place_before, type_before
    FROM events WHERE seq <= $1 ORDER BY seq DESC LIMIT $2";

impl areas::EventLog<'_> {
    /// Returns the newest events with these names, newest first. There may be fewer than `limit` although there are
    /// older ones, because each call scans a limited number.
    pub async fn latest(self, names: &[EventName], limit: usize) -> Result<Vec<QueuedEvent>> {
        let heads: Vec<Head> = sql::query_as(LATEST)
            .bind(i64::MAX)
            .bind(MAX_EXAMINED)
            .fetch_all(&self.store.readers)
            .await?;
        let is_wanted = |head: &Head| EventName::is_listed(&head.name, names);
        let seqs = heads.into_iter().filter(is_wanted).map(|head| head.seq).take(limit);
        let seqs: Vec<i64> = seqs.collect();
        let mut events = self.store.deliveries().events_numbered(&seqs).await?;
        events.reverse();
        Ok(events)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scratch;

    #[tokio::test]
    async fn the_newest_events_of_some_names_come_first() {
        let store = Scratch::new().await;
        store
            .run(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
                 INSERT INTO events (id, name, body, created_at)
                 SELECT 'evt_' || i, CASE WHEN i % 3 = 0 THEN 'report.created' ELSE 'webhook.test' END, '{}', 0
                 FROM n",
            )
            .await;
        let latest = async |names: &[EventName], limit| {
            let events = store.event_log().latest(names, limit).await.unwrap();
            events.into_iter().map(|event| event.id).collect::<Vec<_>>()
        };
        assert_eq!(latest(&[EventName::ReportCreated], 2).await, ["evt_18", "evt_15"]);
        assert_eq!(latest(&EventName::ALL, 9).await, ["evt_18", "evt_15"], "of the last eight");
        assert!(latest(&[EventName::MetricsUpdated], 9).await.is_empty());
        store.close().await;
    }
}
