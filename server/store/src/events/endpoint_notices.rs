//! Notices to partners about endpoints that were paused or disabled.
//!
//! The transactions that pause and disable run often, for many subscriptions at once, and outside the order of the log.
//! So they write no events. Instead, each subscription has the state that was announced last; a worker compares it with
//! the real one, and writes the events of the differences. A crash between the two loses nothing.
//!
//! A notice is an event like others, but with deliveries from the start, to the partner's other subscriptions that list
//! it: it is not for anybody else, so it is not in the log that partners read. Partners with an address also get a mail.

use base::time::Timestamp;
use domain::{
    endpoint_health::MAX_FAILURES,
    event::{Event, EventName, StoppedEndpoint},
    subscription::EndpointState,
};
use sqlx::AssertSqlSafe;

use super::{
    change::DISABLED_BY_PARTNER, endpoint_mails, event_selection::column, health::last_failure,
    outbox, stop::WITHOUT_KEY,
};
use crate::{
    areas,
    engine::{
        sql::{self, Connection},
        transaction::{Times, Turn, Tx},
    },
    error::Result,
};

/// Maximum number of subscriptions of one transaction.
const AT_ONCE: i64 = 50;

/// Selects the state to announce, or the empty text. A pause that the endpoint requested is not announced.
fn state() -> String {
    format!(
        "CASE WHEN status = 'DISABLED' THEN 'DISABLED'
              WHEN paused_until IS NOT NULL AND failures >= {MAX_FAILURES} THEN 'PAUSED' ELSE '' END"
    )
}

#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    id: String,
    partner_id: i64,
    url: String,
    state: String,
    disabled_reason: Option<String>,
    failing_since: Option<i64>,
    last_failure_at: Option<i64>,
}

impl areas::Subscriptions<'_> {
    /// Notifies partners of endpoints that were paused or disabled since the last call. Returns the number of
    /// subscriptions whose state had changed, at most fifty: call it again until that is 0. `with_mails` is whether the
    /// service sends mails.
    pub async fn announce_endpoints(self, with_mails: bool) -> Result<u64> {
        let changed = format!(
            "SELECT EXISTS (SELECT 1 FROM subscriptions
                            WHERE status <> 'DELETED' AND announced_state <> {})",
            state()
        );
        let changed: bool =
            sql::query_scalar(AssertSqlSafe(changed)).fetch_one(&self.store.readers).await?;
        if !changed {
            return Ok(0);
        }
        let work = self.store.change(Turn::Publishing, move |tx, times| {
            Box::pin(self.announce(tx, times, with_mails))
        });
        Ok(work.await?.done)
    }

    async fn announce(self, tx: &mut Tx<'_>, times: Times, with_mails: bool) -> Result<u64> {
        let state = state();
        let sql = format!(
            "SELECT seq, id, partner_id, url, {state} AS state, disabled_reason, failing_since,
                    last_failure_at
             FROM subscriptions WHERE status <> 'DELETED' AND announced_state <> {state}
             ORDER BY seq LIMIT $1"
        );
        let rows: Vec<Row> =
            sql::query_as(AssertSqlSafe(sql)).bind(AT_ONCE).fetch_all(&mut **tx).await?;
        for row in &rows {
            sql::query("UPDATE subscriptions SET announced_state = $2 WHERE seq = $1")
                .bind(row.seq)
                .bind(row.state.as_str())
                .execute(&mut **tx)
                .await?;
            endpoint_mails::forget(tx, row.seq).await?;
            let event = match EndpointState::from_name(&row.state) {
                Some(EndpointState::Paused) => EventName::SubscriptionPaused,
                Some(EndpointState::Disabled) => EventName::SubscriptionDisabled,
                _ => continue,
            };
            if is_known(row, event) {
                continue;
            }
            if with_mails {
                endpoint_mails::notice(tx, row.seq, row.partner_id, times.clock).await?;
            }
            let recipients = recipients(tx, row, event).await?;
            if recipients.is_empty() {
                continue;
            }
            let reason = match (event, row.last_failure_at) {
                (EventName::SubscriptionPaused, Some(at)) => last_failure(tx, row.seq, at).await?,
                _ => row.disabled_reason.clone(),
            };
            let stopped = StoppedEndpoint {
                subscription: &row.id,
                url: &row.url,
                reason: reason.as_deref(),
                since: row.failing_since.map(Timestamp::from_millis),
            };
            let event = Event::subscription_stopped(event, &stopped, times.now, &self.store.random);
            deliver(tx, &event, &recipients, times).await?;
        }
        Ok(rows.len() as u64)
    }
}

/// Whether the partner disabled the subscription itself, or has no key with which it could do something about it.
fn is_known(row: &Row, event: EventName) -> bool {
    let reason = row.disabled_reason.as_deref();
    event == EventName::SubscriptionDisabled
        && [Some(DISABLED_BY_PARTNER), Some(WITHOUT_KEY)].contains(&reason)
}

/// Returns the partner's other subscriptions that list the event.
async fn recipients(tx: &mut Connection, row: &Row, event: EventName) -> Result<Vec<i64>> {
    let sql = format!(
        "SELECT seq FROM subscriptions
         WHERE partner_id = $1 AND seq <> $2 AND status = 'ACTIVE' AND {} ORDER BY seq",
        column(event)
    );
    let recipients = sql::query_scalar(AssertSqlSafe(sql)).bind(row.partner_id).bind(row.seq);
    Ok(recipients.fetch_all(tx).await?)
}

/// Writes an event with a delivery for each recipient, due now.
async fn deliver(
    tx: &mut Connection,
    event: &Event,
    recipients: &[i64],
    Times { now, clock }: Times,
) -> Result<()> {
    outbox::insert(tx, std::slice::from_ref(event), now).await?;
    for recipient in recipients {
        let sql = "INSERT INTO deliveries (subscription_seq, event_seq, status, due_at)
                   SELECT $1, seq, 'PENDING', $3 FROM events WHERE id = $2";
        sql::query(sql)
            .bind(*recipient)
            .bind(event.id.as_str())
            .bind(clock.timestamp_millis())
            .execute(&mut *tx)
            .await?;
    }
    Ok(())
}
