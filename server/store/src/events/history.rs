//! Delivery history of a subscription, for its partner.

use std::collections::HashMap;

use base::time::Timestamp;
use domain::subscription::{DeliveryId, DeliveryStatus};
use futures_util::TryStreamExt;

use super::deliveries::status_of;
use crate::{
    areas,
    engine::{
        bulk,
        sql::{self, Connection, RowValues},
    },
    error::Result,
};

/// Maximum number of deliveries scanned per call. Deliveries with a rare status may be far apart.
const MAX_EXAMINED: i64 = if cfg!(test) { 8 } else { 4_096 };

/// Selection of a subscription's deliveries.
#[derive(Clone, Debug)]
pub struct HistoryQuery {
    pub partner_id: i64,
    /// Id of the subscription.
    pub subscription: String,
    pub status: Option<DeliveryStatus>,
    /// Number of an event; only deliveries of earlier events are returned.
    pub before: Option<i64>,
    /// Maximum number of deliveries.
    pub limit: usize,
}

/// Page of deliveries, newest event first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    pub deliveries: Vec<PastDelivery>,
    /// Number of the event before which the next page starts.
    pub next: i64,
    /// Whether there are more deliveries.
    pub more: bool,
}

/// A delivery with every attempt whose end is known.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Delivery")]
pub struct PastDelivery {
    /// Id of the delivery.
    #[schemars(extend("pattern" = "^dlv_"))]
    pub id: String,
    /// Name of the event.
    pub event: String,
    /// Id of the event, sent as `webhook-id`.
    #[schemars(extend("pattern" = "^evt_"))]
    pub event_id: String,
    /// Result so far.
    pub status: DeliveryStatus,
    /// Time of the event.
    pub created_at: Timestamp,
    /// Attempts, the oldest first.
    pub attempts: Vec<PastAttempt>,
}

/// An attempt, with the status of the response or the error for which there was none.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Attempt")]
pub struct PastAttempt {
    /// Start of the request.
    pub started_at: Timestamp,
    /// Duration of the request in milliseconds.
    pub duration_ms: i64,
    /// Status of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<i64>,
    /// Reason why there was no response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Beginning of the response, if it did not accept the event: at most 1,024 bytes as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
}

/// Selects the first event for which a subscription has a delivery.
pub(super) const FIRST_DELIVERY: &str =
    "SELECT min(event_seq) FROM deliveries WHERE subscription_seq = $1";

impl areas::Deliveries<'_> {
    /// Returns a page of deliveries of a partner's subscription; `None` if the partner has no such
    /// subscription. A page may have fewer deliveries than the limit, or none, even if more follow,
    /// because each call scans a limited number.
    pub async fn history(self, query: &HistoryQuery) -> Result<Option<History>> {
        self.store.read(move |tx| Box::pin(history(tx, query))).await
    }
}

async fn history(tx: &mut Connection, query: &HistoryQuery) -> Result<Option<History>> {
    let sql =
        "SELECT seq FROM subscriptions WHERE id = $1 AND partner_id = $2 AND status <> 'DELETED'";
    let subscription: Option<i64> = sql::query_scalar(sql)
        .bind(query.subscription.as_str())
        .bind(query.partner_id)
        .fetch_optional(&mut *tx)
        .await?;
    let Some(subscription) = subscription else { return Ok(None) };
    let before = query.before.unwrap_or(i64::MAX);
    let (mut wanted, mut examined) = (Vec::new(), None);
    {
        let mut rows = sql::query_as::<(i64, String)>(
            "SELECT event_seq, status FROM deliveries
             WHERE subscription_seq = $1 AND event_seq < $2 ORDER BY event_seq DESC LIMIT $3",
        )
        .bind(subscription)
        .bind(before)
        .bind(MAX_EXAMINED)
        .fetch(&mut *tx);
        while wanted.len() < query.limit
            && let Some((event, status)) = rows.try_next().await?
        {
            examined = Some(event);
            let status = status_of(&status)?;
            if query.status.is_none_or(|wanted| wanted == status) {
                wanted.push((event, status));
            }
        }
    }
    // Without rows, there are no deliveries before the place where the page begins.
    let next = examined.or(query.before).unwrap_or_default();
    let first: Option<i64> =
        sql::query_scalar(FIRST_DELIVERY).bind(subscription).fetch_one(&mut *tx).await?;
    let more = first.is_some_and(|first| first < next);
    let deliveries = described(tx, subscription, &wanted).await?;
    Ok(Some(History { deliveries, next, more }))
}

#[derive(sqlx::FromRow)]
struct AttemptRow {
    event_seq: i64,
    number: i64,
    started_at: i64,
    duration_ms: i64,
    status_code: Option<i64>,
    error: Option<String>,
    response: Option<String>,
}

/// Loads the events and attempts of deliveries. `deliveries` contains event numbers with statuses.
async fn described(
    tx: &mut Connection,
    subscription: i64,
    deliveries: &[(i64, DeliveryStatus)],
) -> Result<Vec<PastDelivery>> {
    let bind = |query: RowValues, (event, _): &(i64, DeliveryStatus)| query.bind(*event);
    let events: Vec<(i64, String, String, i64)> = bulk::select_matching(
        &mut *tx,
        "SELECT seq, id, name, created_at FROM events WHERE (seq)",
        deliveries,
        bind,
    )
    .await?;
    let mut attempts: Vec<AttemptRow> = bulk::select_matching(
        tx,
        "SELECT event_seq, number, started_at, duration_ms, status_code, error, response
         FROM attempts WHERE (subscription_seq, event_seq)",
        deliveries,
        |query, (event, _)| query.bind(subscription).bind(*event),
    )
    .await?;
    attempts.sort_unstable_by_key(|attempt| attempt.number);
    let mut events: HashMap<i64, _> =
        events.into_iter().map(|(seq, id, name, at)| (seq, (id, name, at))).collect();
    let mut by_event: HashMap<i64, Vec<PastAttempt>> = HashMap::new();
    for attempt in attempts {
        by_event.entry(attempt.event_seq).or_default().push(PastAttempt {
            started_at: Timestamp::from_millis(attempt.started_at),
            duration_ms: attempt.duration_ms,
            status: attempt.status_code,
            error: attempt.error,
            response: attempt.response,
        });
    }
    let described = deliveries.iter().filter_map(|(seq, status)| {
        let (event_id, event, created_at) = events.remove(seq)?;
        Some(PastDelivery {
            id: DeliveryId { subscription, event: *seq }.to_string(),
            event,
            event_id,
            status: *status,
            created_at: Timestamp::from_millis(created_at),
            attempts: by_event.remove(seq).unwrap_or_default(),
        })
    });
    Ok(described.collect())
}
