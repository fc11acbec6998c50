//! The dispatcher's side of deliveries: claims, and the ends of attempts. Ends and new claims share a
//! transaction, because a durable commit costs more than all that is in it.

use std::collections::{BTreeMap, HashMap};

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{
    Store, bulk,
    error::{Error, Result},
    outbox,
};
use crate::{
    time::{format_instant, instant_of_millis},
    webhooks::{event::Event, signature::Secret, subscription::DeliveryId},
};

/// A subscription is disabled after this time of nothing but failures.
const MAX_FAILING: TimeDelta = TimeDelta::days(5);

/// What a dispatcher asks for.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Tells these claims from all others.
    pub lease: i64,
    /// When they end: what has no end written down by then is due again.
    pub until: DateTime<Utc>,
    /// How many deliveries of which subscriptions.
    pub wanted: Vec<(i64, u32)>,
}

/// A delivery that the dispatcher has the lease of, with all that an attempt needs.
#[derive(Clone, Debug)]
pub struct Claimed {
    pub id: DeliveryId,
    pub lease: i64,
    /// Of the attempt, from 1 over the delivery's whole life.
    pub number: i64,
    /// In a row, before this attempt.
    pub failures: u32,
    pub event_id: String,
    pub body: Bytes,
    pub url: String,
    pub secret: Secret,
}

/// An attempt whose end is known.
#[derive(Clone, Debug)]
pub struct Ended {
    pub id: DeliveryId,
    pub lease: i64,
    pub number: i64,
    pub started_at: DateTime<Utc>,
    /// In milliseconds.
    pub duration: i64,
    /// The status of the answer, or why there was none.
    pub outcome: Result<u16, String>,
    pub then: Then,
}

/// What follows from the end of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    Delivered,
    /// Another attempt at this instant; the failures in a row, this one included.
    Retry {
        at: DateTime<Utc>,
        failures: u32,
    },
    Failed {
        failures: u32,
    },
}

/// What a round brought.
#[derive(Clone, Debug, Default)]
pub struct Round {
    pub claimed: Vec<Claimed>,
    /// The subscriptions that it disabled, by id, and why.
    pub disabled: Vec<(String, String)>,
}

impl Store {
    /// Writes down how attempts ended, disables what has failed too long, and claims what is due,
    /// in one transaction.
    ///
    /// An end whose lease another dispatcher has taken over is kept as an attempt and changes
    /// nothing else.
    pub async fn dispatch_round(
        &self,
        ended: &[Ended],
        claim: &Claim,
        now: DateTime<Utc>,
    ) -> Result<Round> {
        let mut tx = self.write().await?;
        let disabled = if ended.is_empty() { Vec::new() } else { end(&mut tx, ended, now).await? };
        let mut claims = Vec::new();
        for (subscription, limit) in &claim.wanted {
            claims.extend(take(&mut tx, *subscription, *limit, claim, now).await?);
        }
        tx.commit().await?;
        // Oldest first, as far as sending side by side leaves an order.
        claims.sort_unstable_by_key(|claim| claim.id.event);
        // What was claimed is this dispatcher's now: the rest can be read outside the transaction.
        let claimed = self.load(claims).await?;
        Ok(Round { claimed, disabled })
    }

    /// Gives claims back: they are due again at once, as if they had never been claimed.
    pub async fn release(&self, claims: &[(DeliveryId, i64)], now: DateTime<Utc>) -> Result<()> {
        let mut tx = self.write().await?;
        bulk::insert(
            &mut tx,
            "WITH released (subscription_seq, event_seq, lease, due_at) AS (",
            4,
            ") UPDATE deliveries SET due_at = released.due_at, lease = NULL
               FROM released
               WHERE deliveries.subscription_seq = released.subscription_seq
                 AND deliveries.event_seq = released.event_seq
                 AND deliveries.lease = released.lease",
            claims,
            |query, (id, lease)| {
                query.bind(id.subscription).bind(id.event).bind(*lease).bind(now.timestamp_millis())
            },
        )
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Stores an event for one subscription, whatever that lists, and claims its delivery.
    pub async fn claim_single(
        &self,
        subscription: i64,
        event: &Event,
        lease: i64,
        until: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<Option<Claimed>> {
        let mut tx = self.write().await?;
        outbox::insert(&mut tx, std::slice::from_ref(event), now).await?;
        let taken = sqlx::query(
            "INSERT INTO deliveries (subscription_seq, event_seq, status, due_at, lease, attempts)
             SELECT $1, seq, 'PENDING', $3, $4, 1 FROM events WHERE id = $2
             RETURNING event_seq, attempts, failures",
        )
        .bind(subscription)
        .bind(event.id.clone())
        .bind(until.timestamp_millis())
        .bind(lease)
        .fetch_all(&mut *tx)
        .await?;
        let claims = taken.iter().map(|row| taken_claim(row, subscription, lease));
        let claims = claims.collect::<Result<Vec<_>>>()?;
        tx.commit().await?;
        Ok(self.load(claims).await?.pop())
    }

    async fn load(&self, claims: Vec<Taken>) -> Result<Vec<Claimed>> {
        if claims.is_empty() {
            return Ok(Vec::new());
        }
        let mut tx = self.read().await?;
        let distinct = |of: fn(&Taken) -> i64| {
            let mut keys: Vec<i64> = claims.iter().map(of).collect();
            keys.sort_unstable();
            keys.dedup();
            keys
        };
        let endpoints = endpoints(&mut tx, &distinct(|claim| claim.id.subscription)).await?;
        let events = events(&mut tx, &distinct(|claim| claim.id.event)).await?;
        let mut claimed = Vec::with_capacity(claims.len());
        for claim in claims {
            // Deleted by an operator's hand, or pruned this very moment: nothing to send.
            let (Some((url, secret)), Some((event_id, body))) =
                (endpoints.get(&claim.id.subscription), events.get(&claim.id.event))
            else {
                continue;
            };
            claimed.push(Claimed {
                id: claim.id,
                lease: claim.lease,
                number: claim.number,
                failures: claim.failures,
                event_id: event_id.clone(),
                body: body.clone(),
                url: url.clone(),
                secret: secret.clone(),
            });
        }
        Ok(claimed)
    }
}

/// A claim as the table has it.
#[derive(Clone, Copy, Debug)]
struct Taken {
    id: DeliveryId,
    lease: i64,
    number: i64,
    failures: u32,
}

fn taken_claim(row: &SqliteRow, subscription: i64, lease: i64) -> Result<Taken> {
    let failures: i64 = row.try_get(2)?;
    Ok(Taken {
        id: DeliveryId { subscription, event: row.try_get(0)? },
        lease,
        number: row.try_get(1)?,
        failures: u32::try_from(failures)
            .map_err(|_| Error::Damaged(format!("{failures} failures of a delivery")))?,
    })
}

async fn take(
    tx: &mut SqliteConnection,
    subscription: i64,
    limit: u32,
    claim: &Claim,
    now: DateTime<Utc>,
) -> Result<Vec<Taken>> {
    // The attempt is counted when it is claimed: a node that dies in it leaves a gap in the numbers,
    // which tells that something was tried.
    let rows = sqlx::query(
        "UPDATE deliveries SET due_at = $4, lease = $5, attempts = attempts + 1
         WHERE subscription_seq = $1
           AND event_seq IN (SELECT event_seq FROM deliveries
                             WHERE subscription_seq = $1 AND due_at <= $2
                             ORDER BY due_at, event_seq LIMIT $3)
           AND EXISTS (SELECT 1 FROM subscriptions WHERE seq = $1 AND status = 'ACTIVE')
         RETURNING event_seq, attempts, failures",
    )
    .bind(subscription)
    .bind(now.timestamp_millis())
    .bind(i64::from(limit))
    .bind(claim.until.timestamp_millis())
    .bind(claim.lease)
    .fetch_all(tx)
    .await?;
    rows.iter().map(|row| taken_claim(row, subscription, claim.lease)).collect()
}

async fn endpoints(
    tx: &mut SqliteConnection,
    subscriptions: &[i64],
) -> Result<HashMap<i64, (String, Secret)>> {
    let rows = bulk::select_matching(
        tx,
        "SELECT seq, url, secret FROM subscriptions WHERE status <> 'DELETED' AND seq",
        1,
        subscriptions,
        |query, seq| query.bind(*seq),
    )
    .await?;
    let endpoint = |row: &SqliteRow| {
        Ok((row.try_get(0)?, (row.try_get(1)?, Secret::from_stored(row.try_get(2)?))))
    };
    rows.iter().map(endpoint).collect()
}

async fn events(
    tx: &mut SqliteConnection,
    events: &[i64],
) -> Result<HashMap<i64, (String, Bytes)>> {
    let rows = bulk::select_matching(
        tx,
        "SELECT seq, id, body FROM events WHERE seq",
        1,
        events,
        |query, seq| query.bind(*seq),
    )
    .await?;
    let event = |row: &SqliteRow| {
        let body: Vec<u8> = row.try_get(2)?;
        Ok((row.try_get(0)?, (row.try_get(1)?, Bytes::from(body))))
    };
    rows.iter().map(event).collect()
}

async fn end(
    tx: &mut SqliteConnection,
    ended: &[Ended],
    now: DateTime<Utc>,
) -> Result<Vec<(String, String)>> {
    bulk::insert(
        tx,
        "WITH ended (subscription_seq, event_seq, number, started_at, duration_ms, status_code,
                     error) AS (",
        7,
        ") INSERT INTO attempts (subscription_seq, event_seq, number, started_at, duration_ms,
                                 status_code, error)
           SELECT e.* FROM ended e
           WHERE EXISTS (SELECT 1 FROM deliveries d
                         WHERE d.subscription_seq = e.subscription_seq
                           AND d.event_seq = e.event_seq)
           ON CONFLICT (subscription_seq, event_seq, number) DO NOTHING",
        ended,
        |query, attempt| {
            let (status, error) = match &attempt.outcome {
                Ok(status) => (Some(i64::from(*status)), None),
                Err(error) => (None, Some(error.clone())),
            };
            query
                .bind(attempt.id.subscription)
                .bind(attempt.id.event)
                .bind(attempt.number)
                .bind(attempt.started_at.timestamp_millis())
                .bind(attempt.duration)
                .bind(status)
                .bind(error)
        },
    )
    .await?;
    bulk::insert(
        tx,
        "WITH ended (subscription_seq, event_seq, lease, status, due_at, failures) AS (",
        6,
        ") UPDATE deliveries
           SET status = ended.status, due_at = ended.due_at, lease = NULL,
               failures = ended.failures
           FROM ended
           WHERE deliveries.subscription_seq = ended.subscription_seq
             AND deliveries.event_seq = ended.event_seq
             AND deliveries.lease = ended.lease",
        ended,
        |query, attempt| {
            let (status, due_at, failures) = match attempt.then {
                Then::Delivered => ("DELIVERED", None, 0),
                Then::Retry { at, failures } => ("PENDING", Some(at.timestamp_millis()), failures),
                Then::Failed { failures } => ("FAILED", None, failures),
            };
            query
                .bind(attempt.id.subscription)
                .bind(attempt.id.event)
                .bind(attempt.lease)
                .bind(status)
                .bind(due_at)
                .bind(i64::from(failures))
        },
    )
    .await?;
    let mut disabled = Vec::new();
    for (subscription, health) in health(ended) {
        disabled.extend(judge(tx, subscription, &health, now).await?);
    }
    Ok(disabled)
}

/// What the attempts of a batch say about one endpoint.
#[derive(Debug, Default)]
struct Health {
    succeeded: bool,
    /// The first failure's begin.
    failed_at: Option<DateTime<Utc>>,
    /// How the last failure is told.
    last_failure: String,
    /// It has answered 410.
    gone: bool,
}

fn health(ended: &[Ended]) -> BTreeMap<i64, Health> {
    let mut endpoints: BTreeMap<i64, Health> = BTreeMap::new();
    for attempt in ended {
        let health = endpoints.entry(attempt.id.subscription).or_default();
        if attempt.then == Then::Delivered {
            health.succeeded = true;
            continue;
        }
        let earliest = health.failed_at.map_or(attempt.started_at, |at| at.min(attempt.started_at));
        health.failed_at = Some(earliest);
        health.gone |= attempt.outcome == Ok(410);
        health.last_failure = match &attempt.outcome {
            Ok(status) => format!("the answer was {status}"),
            Err(error) => error.clone(),
        };
    }
    endpoints
}

/// Writes down an endpoint's health; returns the id and the reason where that disables it.
async fn judge(
    tx: &mut SqliteConnection,
    subscription: i64,
    health: &Health,
    now: DateTime<Utc>,
) -> Result<Option<(String, String)>> {
    if health.succeeded {
        sqlx::query(
            "UPDATE subscriptions SET failing_since = NULL
             WHERE seq = $1 AND status = 'ACTIVE' AND failing_since IS NOT NULL",
        )
        .bind(subscription)
        .execute(&mut *tx)
        .await?;
    }
    let Some(failed_at) = health.failed_at.filter(|_| health.gone || !health.succeeded) else {
        return Ok(None);
    };
    let row = sqlx::query(
        "UPDATE subscriptions SET failing_since = coalesce(failing_since, $2)
         WHERE seq = $1 AND status = 'ACTIVE' RETURNING id, failing_since",
    )
    .bind(subscription)
    .bind(failed_at.timestamp_millis())
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let (id, since): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
    let since = instant_of_millis(since);
    let reason = if health.gone {
        format!("The receiver answered 410 Gone at {}.", format_instant(now))
    } else if now - since >= MAX_FAILING {
        let last = health.last_failure.trim_end_matches('.');
        format!("Every delivery has failed since {}; the last time: {last}.", format_instant(since))
    } else {
        return Ok(None);
    };
    sqlx::query(
        "UPDATE subscriptions SET status = 'DISABLED', disabled_reason = $2 WHERE seq = $1",
    )
    .bind(subscription)
    .bind(reason.clone())
    .execute(tx)
    .await?;
    Ok(Some((id, reason)))
}
