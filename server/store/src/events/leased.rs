//! Subscriptions with decrypted secrets, for their dispatcher.

use base::time::instant_of_millis;
use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    endpoint_health::EndpointHealth, event::EventName, event_filter::EventFilter,
    signature::Secrets,
};
use sqlx::AssertSqlSafe;

use super::{
    event_selection::{EventSelection, selection_columns},
    secrets::{SECRET_COLUMNS, SealedSecrets},
};
use crate::{areas, engine::sql, error::Result};

/// Subscription that a dispatcher has leased.
#[derive(Clone, Debug)]
pub struct Leased {
    pub seq: i64,
    pub id: String,
    /// Name of the subscription's partner.
    pub partner: String,
    pub url: String,
    /// Secrets; `None` if they or the filter cannot be read. The reason is logged.
    pub secrets: Option<Secrets>,
    /// Time when the old secret expires, if there is one.
    pub secrets_until: Option<DateTime<Utc>>,
    /// Events of the log that are sent.
    pub events: Vec<EventName>,
    /// Filter for events about reports; `None` selects all.
    pub filter: Option<EventFilter>,
    /// Number of the event up to which every event is finished or has a delivery.
    pub cursor: i64,
    /// Number of the event up to which events are sent again even if they have a delivery.
    pub replayed_up_to: i64,
    /// Number of replays that have moved the cursor back.
    pub rewinds: i64,
    pub revision: i64,
    pub health: EndpointHealth,
}

impl areas::Deliveries<'_> {
    /// Reads a leased subscription again after a change.
    pub async fn leased_anew(self, seq: i64) -> Result<Option<Leased>> {
        let sql = format!(
            "SELECT {} FROM subscriptions WHERE seq = $1 AND secret IS NOT NULL",
            columns()
        );
        let row: Option<Row> =
            sql::query_as(AssertSqlSafe(sql)).bind(seq).fetch_optional(&self.store.readers).await?;
        Ok(row.map(|row| self.leased(row)))
    }

    pub(super) fn leased(self, row: Row) -> Leased {
        let now = self.store.clock.now();
        let waiting = |error: &dyn std::error::Error| {
            tracing::error!(%error, subscription = row.id, "webhooks are waiting");
        };
        let secrets = self.store.subscriptions().open_secrets(&row.id, &row.secrets, now);
        let secrets = secrets.inspect_err(|error| waiting(error)).ok();
        // Without its filter, the subscription would get events that it does not want.
        let filter = row.selection.filter.filter().inspect_err(|error| waiting(error));
        let secrets = secrets.filter(|_| filter.is_ok());
        let has_old = secrets.as_ref().is_some_and(|secrets| secrets.old.is_some());
        let unsigned = |number: i64| u32::try_from(number).unwrap_or_default();
        Leased {
            seq: row.seq,
            partner: row.partner,
            url: row.url,
            secrets,
            secrets_until: row.secrets.until().filter(|_| has_old).map(instant_of_millis),
            events: row.selection.sent,
            filter: filter.unwrap_or_default(),
            cursor: row.cursor,
            replayed_up_to: row.replayed_up_to,
            rewinds: row.rewinds,
            revision: row.revision,
            health: EndpointHealth {
                failures: unsigned(row.failures),
                failing_since: row.failing_since.map(instant_of_millis),
                last_failure_at: row.last_failure_at.map(instant_of_millis),
                observed: TimeDelta::milliseconds(row.failing_ms),
                paused_until: row.paused_until.map(instant_of_millis),
                probes: unsigned(row.probes),
            },
            id: row.id,
        }
    }
}

/// Returns the columns of a [`Row`].
pub(super) fn columns() -> String {
    format!(
        "seq, id, url,
         (SELECT p.name FROM partners p WHERE p.id = subscriptions.partner_id) AS partner, {}, cursor,
         replayed_up_to, rewinds, revision, failures, failing_since, failing_ms, last_failure_at,
         paused_until, probes, {SECRET_COLUMNS}",
        selection_columns()
    )
}

/// Row with these [`columns`].
#[derive(sqlx::FromRow)]
pub(super) struct Row {
    seq: i64,
    id: String,
    url: String,
    partner: String,
    #[sqlx(flatten)]
    secrets: SealedSecrets,
    #[sqlx(flatten)]
    selection: EventSelection,
    cursor: i64,
    replayed_up_to: i64,
    rewinds: i64,
    revision: i64,
    failures: i64,
    failing_since: Option<i64>,
    failing_ms: i64,
    last_failure_at: Option<i64>,
    paused_until: Option<i64>,
    probes: i64,
}
