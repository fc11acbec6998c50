//! Rounds of a dispatcher. One transaction writes the results of attempts and leases and releases
//! subscriptions, because a durable commit costs more than all of these writes.

use std::collections::{BTreeSet, HashSet};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{endpoint_health::EndpointHealth, subscription::DeliveryId};
use sqlx::AssertSqlSafe;

use super::{
    leased::{Leased, Row, columns},
    log,
    pending_work::LATEST_END,
    stop::DISABLE,
};
use crate::{
    areas,
    engine::{
        bulk,
        sql::{self, Builder, Connection, Engine, RowValues},
    },
    error::Result,
};

/// Finished attempt.
#[derive(Clone, Debug)]
pub struct Ended {
    pub id: DeliveryId,
    /// Number of the attempt, counted from 1 over the whole life of the delivery.
    pub number: i64,
    pub started_at: DateTime<Utc>,
    /// Duration in milliseconds.
    pub duration: i64,
    /// Status of the response, or the reason why there was none.
    pub outcome: Result<u16, String>,
    /// Beginning of the response, if it did not accept the event.
    pub response: Option<String>,
    pub next: NextStep,
}

/// Consequence of a finished attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    Delivered,
    /// Another attempt at this instant. `failures` is the number of failures so far while other
    /// events succeeded.
    Retry {
        at: DateTime<Utc>,
        failures: u32,
    },
    /// Another attempt after one that does not count, because it failed on this service's side. The
    /// next attempt replaces it, so an outage leaves one attempt regardless of its duration.
    Again {
        at: DateTime<Utc>,
        failures: u32,
    },
    Failed {
        failures: u32,
    },
}

/// Progress of a dispatcher with a leased subscription.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    pub seq: i64,
    /// Number of the event up to which every event is finished or has a delivery.
    pub cursor: i64,
    /// Number of rewinds that the dispatcher has seen. If there were more since, the cursor is not
    /// written.
    pub rewinds: i64,
    pub health: EndpointHealth,
    /// Revision that the dispatcher has seen. If the subscription was changed since, its health is
    /// not written.
    pub revision: i64,
    /// Reason for disabling the subscription, if it is to be disabled.
    pub disable: Option<String>,
}

/// Changes that a dispatcher writes in one transaction.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// Identifier of the dispatcher's leases.
    pub owner: i64,
    /// [History](super::pending_work::PendingWork::history) on which the round is based.
    pub history: i64,
    /// Duration of leases from now on.
    pub lease: TimeDelta,
    pub ended: Vec<Ended>,
    /// Progress with subscriptions that have results or are released.
    pub checkpoints: Vec<Checkpoint>,
    /// Whether leases are renewed.
    pub renew: bool,
    /// Numbers of the subscriptions to release.
    pub release: Vec<i64>,
    /// Numbers of the subscriptions to lease.
    pub take: Vec<i64>,
}

impl Round {
    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.ended.is_empty()
            && self.checkpoints.is_empty()
            && self.release.is_empty()
            && self.take.is_empty()
            && !self.renew
    }
}

/// Result of a [`Round`].
#[derive(Debug, Default)]
pub struct RoundDone {
    /// Whether history was rewound, so nothing of the round was written.
    pub is_outdated: bool,
    pub taken: Vec<Leased>,
    /// Numbers of the subscriptions that are still leased, if leases were renewed.
    pub kept: Option<HashSet<i64>>,
    /// Ids of the subscriptions that were disabled, with the reasons.
    pub disabled: Vec<(String, String)>,
}

impl areas::Deliveries<'_> {
    /// Writes a round. Changes to a subscription are skipped if its lease was lost; the whole round
    /// is skipped if history was rewound.
    pub async fn dispatch_round(self, round: &Round) -> Result<RoundDone> {
        let (done, taken) =
            self.store.write_rows(move |tx, now| Box::pin(write(tx, round, now))).await?;
        let taken = taken.into_iter().map(|row| self.leased(row)).collect();
        Ok(RoundDone { taken, ..done })
    }
}

async fn write(
    tx: &mut Connection,
    round: &Round,
    now: DateTime<Utc>,
) -> Result<(RoundDone, Vec<Row>)> {
    let until = now + round.lease;
    if log::history(tx).await? != round.history {
        return Ok((RoundDone { is_outdated: true, ..RoundDone::default() }, Vec::new()));
    }
    lock(tx, round).await?;
    write_attempts(tx, round).await?;
    write_deliveries(tx, round).await?;
    write_checkpoints(tx, round).await?;
    let disabled = disable(tx, round).await?;
    let kept = if round.renew { Some(renew(tx, round.owner, until).await?) } else { None };
    release(tx, round).await?;
    let taken = take(tx, round, until, now).await?;
    Ok((RoundDone { kept, disabled, ..RoundDone::default() }, taken))
}

/// Locks the subscriptions of the round that the dispatcher still leases, so nothing changes them
/// until the round is written.
async fn lock(tx: &mut Connection, round: &Round) -> Result<()> {
    if tx.engine() == Engine::Sqlite {
        return Ok(());
    }
    let ended = round.ended.iter().map(|ended| ended.id.subscription);
    let moved = round.checkpoints.iter().map(|checkpoint| checkpoint.seq);
    let seqs: BTreeSet<i64> = ended.chain(moved).chain(round.release.iter().copied()).collect();
    let mut statement =
        Builder::new(tx.engine(), "SELECT seq FROM subscriptions WHERE lease_owner = ");
    statement.push_bind(round.owner);
    if !round.renew {
        if seqs.is_empty() {
            return Ok(());
        }
        statement.push(" AND seq IN (").push_rows(seqs, RowValues::bind).push(")");
    }
    statement.push(" ORDER BY seq ").push(tx.engine().lock_rows());
    statement.build().execute(tx).await?;
    Ok(())
}

/// Whether the dispatcher still leases the subscription of a row `e`.
const IS_LEASED: &str = "EXISTS (SELECT 1 FROM subscriptions s
     WHERE s.seq = e.subscription_seq AND s.lease_owner = e.owner AND s.status <> 'DELETED')";

async fn write_attempts(tx: &mut Connection, round: &Round) -> Result<()> {
    bulk::insert(
        tx,
        "WITH ended (owner, subscription_seq, event_seq, number, started_at, duration_ms,
                     status_code, error, response) AS (",
        &format!(
            ") INSERT INTO attempts (subscription_seq, event_seq, number, started_at, duration_ms,
                                     status_code, error, response)
               SELECT e.subscription_seq, e.event_seq, e.number, e.started_at, e.duration_ms,
                      e.status_code, e.error, e.response
               FROM ended e WHERE {IS_LEASED}
               ON CONFLICT (subscription_seq, event_seq, number) DO UPDATE
               SET started_at = excluded.started_at, duration_ms = excluded.duration_ms,
                   status_code = excluded.status_code, error = excluded.error,
                   response = excluded.response"
        ),
        &round.ended,
        |query, attempt| {
            let (status, error) = match &attempt.outcome {
                Ok(status) => (Some(i64::from(*status)), None),
                Err(error) => (None, Some(error.clone())),
            };
            query
                .bind(round.owner)
                .bind(attempt.id.subscription)
                .bind(attempt.id.event)
                .bind(attempt.number)
                .bind(attempt.started_at.timestamp_millis())
                .bind(attempt.duration)
                .bind(status)
                .bind(error)
                .bind(attempt.response.clone())
        },
    )
    .await
}

async fn write_deliveries(tx: &mut Connection, round: &Round) -> Result<()> {
    bulk::insert(
        tx,
        "WITH ended (owner, subscription_seq, event_seq, attempts, status, due_at, failures) AS (",
        &format!(
            ") INSERT INTO deliveries (subscription_seq, event_seq, attempts, status, due_at,
                                       failures)
               SELECT e.subscription_seq, e.event_seq, e.attempts, e.status, e.due_at, e.failures
               FROM ended e WHERE {IS_LEASED}
               ON CONFLICT (subscription_seq, event_seq) DO UPDATE
               SET attempts = excluded.attempts, status = excluded.status,
                   due_at = excluded.due_at, failures = excluded.failures"
        ),
        &round.ended,
        |query, attempt| {
            let (status, due_at, failures) = match attempt.next {
                NextStep::Delivered => ("DELIVERED", None, 0),
                NextStep::Retry { at, failures } | NextStep::Again { at, failures } => {
                    ("PENDING", Some(at.timestamp_millis()), failures)
                }
                NextStep::Failed { failures } => ("FAILED", None, failures),
            };
            let counts = !matches!(attempt.next, NextStep::Again { .. });
            query
                .bind(round.owner)
                .bind(attempt.id.subscription)
                .bind(attempt.id.event)
                .bind(attempt.number - i64::from(!counts))
                .bind(status)
                .bind(due_at)
                .bind(i64::from(failures))
        },
    )
    .await
}

/// Columns for the health of an endpoint.
const HEALTH: [&str; 6] =
    ["failures", "failing_since", "failing_ms", "last_failure_at", "paused_until", "probes"];

async fn write_checkpoints(tx: &mut Connection, round: &Round) -> Result<()> {
    let health = HEALTH.map(|column| {
        format!("{column} = CASE WHEN s.revision = t.revision THEN t.{column} ELSE s.{column} END")
    });
    let health = health.join(", ");
    bulk::insert(
        tx,
        "WITH checkpoints (owner, seq, cursor, rewinds, revision, failures, failing_since, failing_ms,
                           last_failure_at, paused_until, probes) AS (",
        &format!(
            ") UPDATE subscriptions AS s
           SET cursor = CASE WHEN s.rewinds = t.rewinds THEN t.cursor ELSE s.cursor END, {health}
           FROM checkpoints t
           WHERE s.seq = t.seq AND s.lease_owner = t.owner"
        ),
        &round.checkpoints,
        |query, Checkpoint { seq, cursor, rewinds, health, revision, .. }| {
            let millis = |at: Option<DateTime<Utc>>| at.map(|at| at.timestamp_millis());
            query
                .bind(round.owner)
                .bind(*seq)
                .bind(*cursor)
                .bind(*rewinds)
                .bind(*revision)
                .bind(i64::from(health.failures))
                .bind(millis(health.failing_since))
                .bind(health.observed.num_milliseconds())
                .bind(millis(health.last_failure_at))
                .bind(millis(health.paused_until))
                .bind(i64::from(health.probes))
        },
    )
    .await
}

/// Disables subscriptions that are to be disabled. Returns their ids with the reasons.
async fn disable(tx: &mut Connection, round: &Round) -> Result<Vec<(String, String)>> {
    let mut disabled = Vec::new();
    for Checkpoint { seq, revision, disable, .. } in &round.checkpoints {
        let Some(reason) = disable else { continue };
        let sql = format!(
            "UPDATE subscriptions {DISABLE}
             WHERE seq = $1 AND lease_owner = $3 AND revision = $4 AND status = 'ACTIVE'
             RETURNING id"
        );
        let id: Option<String> = sql::query_scalar(AssertSqlSafe(sql))
            .bind(*seq)
            .bind(reason.clone())
            .bind(round.owner)
            .bind(*revision)
            .fetch_optional(&mut *tx)
            .await?;
        disabled.extend(id.map(|id| (id, reason.clone())));
    }
    Ok(disabled)
}

async fn renew(tx: &mut Connection, owner: i64, until: DateTime<Utc>) -> Result<HashSet<i64>> {
    let sql = "UPDATE subscriptions SET lease_until = $2 WHERE lease_owner = $1 RETURNING seq";
    let kept: Vec<i64> =
        sql::query_scalar(sql).bind(owner).bind(until.timestamp_millis()).fetch_all(tx).await?;
    Ok(kept.into_iter().collect())
}

async fn release(tx: &mut Connection, round: &Round) -> Result<()> {
    bulk::insert(
        tx,
        "WITH released (owner, seq) AS (",
        ") UPDATE subscriptions SET lease_owner = NULL, lease_until = NULL
           FROM released t
           WHERE subscriptions.seq = t.seq AND subscriptions.lease_owner = t.owner",
        &round.release,
        |query, seq| query.bind(round.owner).bind(*seq),
    )
    .await
}

async fn take(
    tx: &mut Connection,
    round: &Round,
    until: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<Vec<Row>> {
    if round.take.is_empty() {
        return Ok(Vec::new());
    }
    let pruned_up_to = log::pruned_up_to(tx).await?;
    let mut statement = Builder::new(
        tx.engine(),
        "WITH free AS MATERIALIZED (
             SELECT seq FROM subscriptions
             WHERE status = 'ACTIVE' AND (lease_until IS NULL OR lease_until <= ",
    );
    statement.push_bind(now.timestamp_millis()).push(" OR lease_until > ");
    statement.push_bind(now.timestamp_millis() + LATEST_END).push(") AND seq IN (");
    statement.push_rows(&round.take, |row, seq| row.bind(*seq)).push(") ORDER BY seq ");
    statement.push(tx.engine().lock_free_rows()).push(") UPDATE subscriptions SET lease_owner = ");
    statement.push_bind(round.owner).push(", lease_until = ").push_bind(until.timestamp_millis());
    // Pruned events cannot be sent any more.
    statement.push(", cursor = CASE WHEN cursor < ").push_bind(pruned_up_to).push(" THEN ");
    statement.push_bind(pruned_up_to).push(" ELSE cursor END WHERE seq IN (SELECT seq FROM free)");
    statement.push(" RETURNING ").push(&columns());
    Ok(statement.build_as().fetch_all(tx).await?)
}
