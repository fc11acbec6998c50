//! Queue of a dispatcher: events after a cursor, and deliveries to retry.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use bytes::Bytes;
use domain::event::report_of;

use super::event_selection::EventAbout;
use crate::{
    areas,
    engine::{bulk, sql},
    error::Result,
};

/// Event with the body to send.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct QueuedEvent {
    pub seq: i64,
    pub id: String,
    pub name: String,
    #[sqlx(flatten)]
    pub about: EventAbout,
    #[sqlx(try_from = "Vec<u8>")]
    pub body: Bytes,
    /// Id of the report that the event is about.
    #[sqlx(skip)]
    pub report: Option<Arc<str>>,
}

impl QueuedEvent {
    fn with_report(self) -> Self {
        let report = report_of(&self.name, &self.body).map(Arc::from);
        Self { report, ..self }
    }
}

/// Delivery that is due for another attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Due {
    #[sqlx(rename = "event_seq")]
    pub event: i64,
    /// Number of attempts so far.
    pub attempts: i64,
    /// Number of failed attempts during which the endpoint accepted other events.
    pub failures: i64,
}

pub(super) const EVENTS_AFTER: &str = "
    SELECT seq, id, name, place, type, place_before, type_before, body
    FROM events WHERE seq > $1 AND seq <= $2 ORDER BY seq";

pub(super) const NEXT_EVENT: &str = "SELECT min(seq) FROM events WHERE seq > $1";

/// Head of a statement for [`bulk::select_matching`].
pub(super) const EVENTS_NUMBERED: &str =
    "SELECT seq, id, name, place, type, place_before, type_before, body FROM events WHERE (seq)";

pub(super) const DUE: &str = "
    SELECT event_seq, attempts, failures FROM deliveries
    WHERE subscription_seq = $1 AND due_at <= $2 ORDER BY due_at, event_seq LIMIT $3";

pub(super) const UNFINISHED: &str = "
    SELECT d.event_seq, e.name, e.body FROM deliveries d JOIN events e ON e.seq = d.event_seq
    WHERE d.subscription_seq = $1 AND d.due_at IS NOT NULL";

pub(super) const DELIVERED_AFTER: &str =
    "SELECT event_seq FROM deliveries WHERE subscription_seq = $1 AND event_seq > $2";

/// Head of a statement for [`bulk::select_matching`].
pub(super) const ATTEMPTS_OF: &str =
    "SELECT event_seq, attempts FROM deliveries WHERE (subscription_seq, event_seq)";

impl areas::Deliveries<'_> {
    /// Returns the events after number `after`, up to number `up_to`, in order.
    pub async fn events_after(self, after: i64, up_to: i64) -> Result<Vec<QueuedEvent>> {
        let events: Vec<QueuedEvent> = sql::query_as(EVENTS_AFTER)
            .bind(after)
            .bind(up_to)
            .fetch_all(&self.store.readers)
            .await?;
        Ok(events.into_iter().map(QueuedEvent::with_report).collect())
    }

    /// Returns the number of the first event after number `after`.
    pub async fn event_number_after(self, after: i64) -> Result<Option<i64>> {
        let next = sql::query_scalar(NEXT_EVENT).bind(after).fetch_one(&self.store.readers).await?;
        Ok(next)
    }

    /// Returns the existing events among these numbers, in order.
    pub async fn events_numbered(self, seqs: &[i64]) -> Result<Vec<QueuedEvent>> {
        let mut events: Vec<QueuedEvent> =
            bulk::select_matching(&self.store.readers, EVENTS_NUMBERED, seqs, |query, seq| {
                query.bind(*seq)
            })
            .await?;
        events.sort_unstable_by_key(|event| event.seq);
        Ok(events.into_iter().map(QueuedEvent::with_report).collect())
    }

    /// Returns a subscription's deliveries to retry now, longest waiting first.
    pub async fn due_deliveries(self, subscription: i64, limit: usize) -> Result<Vec<Due>> {
        let due = sql::query_as(DUE)
            .bind(subscription)
            .bind(self.store.clock.now().timestamp_millis())
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(&self.store.readers)
            .await?;
        Ok(due)
    }

    /// Returns a subscription's events that wait for another attempt, now or later, each with the
    /// id of its report. Omits events that are not about reports.
    pub async fn unfinished(self, subscription: i64) -> Result<Vec<(i64, String)>> {
        let rows: Vec<(i64, String, Vec<u8>)> =
            sql::query_as(UNFINISHED).bind(subscription).fetch_all(&self.store.readers).await?;
        let of_report = |(event, name, body): (i64, String, Vec<u8>)| {
            report_of(&name, &body).map(|report| (event, report))
        };
        Ok(rows.into_iter().filter_map(of_report).collect())
    }

    /// Returns the numbers of the events after `after` for which a subscription has a delivery.
    pub async fn delivered_after(self, subscription: i64, after: i64) -> Result<BTreeSet<i64>> {
        let events: Vec<i64> = sql::query_scalar(DELIVERED_AFTER)
            .bind(subscription)
            .bind(after)
            .fetch_all(&self.store.readers)
            .await?;
        Ok(events.into_iter().collect())
    }

    /// Returns the number of attempts so far by event, for a subscription's deliveries of these
    /// events.
    pub async fn attempts_of(self, subscription: i64, events: &[i64]) -> Result<HashMap<i64, i64>> {
        let rows: Vec<(i64, i64)> =
            bulk::select_matching(&self.store.readers, ATTEMPTS_OF, events, |query, event| {
                query.bind(subscription).bind(*event)
            })
            .await?;
        Ok(rows.into_iter().collect())
    }
}
