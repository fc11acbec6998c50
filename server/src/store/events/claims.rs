//! Deliveries as the dispatcher uses them. Results of attempts and new claims share a transaction, because a
//! durable commit costs more than everything in it.

use std::collections::HashMap;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::SqliteConnection;

use super::{
    ends::{self, Ended},
    outbox,
    secrets::{SECRET_COLUMNS, SealedSecrets},
    subscriptions::ListedSubscription,
};
use crate::{
    domain::{event::Event, signature::Secrets, subscription::DeliveryId},
    store::{
        Store,
        engine::bulk,
        error::{Error, Result},
    },
};

/// The deliveries that a dispatcher claims.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Tells these claims from all others.
    pub lease: i64,
    /// How long they last, counted from when they are recorded. Deliveries without a recorded end by
    /// then are due again.
    pub duration: TimeDelta,
    /// By subscription: the maximum number of deliveries.
    pub wanted: Vec<(i64, u32)>,
}

impl Claim {
    /// No claim, for rounds that only record ends.
    pub const NOTHING: Claim = Claim { lease: 0, duration: TimeDelta::zero(), wanted: Vec::new() };
}

/// A delivery that the dispatcher has leased, with all that an attempt needs.
#[derive(Clone, Debug)]
pub struct Claimed {
    pub id: DeliveryId,
    pub lease: i64,
    /// Of the attempt, counted from 1 over the delivery's whole life.
    pub number: i64,
    /// Failures in a row before this attempt.
    pub failures: u32,
    pub event_id: String,
    pub body: Bytes,
    pub url: String,
    pub secrets: Secrets,
}

/// The result of a round.
#[derive(Clone, Debug, Default)]
pub struct Round {
    pub claimed: Vec<Claimed>,
    /// When the claims end.
    pub until: DateTime<Utc>,
    /// The ids of the subscriptions that it disabled, with the reasons.
    pub disabled: Vec<(String, String)>,
}

impl Store {
    /// In one transaction, records how attempts ended, disables endpoints that have failed too
    /// long, and claims deliveries that are due.
    ///
    /// If another dispatcher has taken over an attempt's lease, the attempt is recorded and nothing
    /// else changes.
    pub async fn dispatch_round(&self, ended: &[Ended], claim: &Claim) -> Result<Round> {
        let clock = &self.clock;
        let (mut claims, until, disabled) = self
            .write(move |tx, _| {
                Box::pin(async move {
                    let now = clock.now();
                    let disabled = match ended {
                        [] => Vec::new(),
                        ended => ends::write(tx, ended, now).await?,
                    };
                    let until = now + claim.duration;
                    let mut claims = Vec::new();
                    for (subscription, limit) in &claim.wanted {
                        let lease = Lease { id: claim.lease, until };
                        claims.extend(claim_due(tx, *subscription, *limit, lease, now).await?);
                    }
                    Ok((claims, until, disabled))
                })
            })
            .await?;
        // Oldest first, as far as concurrent sending keeps an order.
        claims.sort_unstable_by_key(|claim| claim.id.event);
        // The claimed deliveries are this dispatcher's now, so the rest can be read outside the
        // transaction.
        let claimed = self.load(claims).await?;
        Ok(Round { claimed, until, disabled })
    }

    /// Releases claims: their deliveries are due again at once, as if they had never been claimed.
    pub async fn release(&self, claims: &[(DeliveryId, i64)]) -> Result<()> {
        let clock = &self.clock;
        self.write(move |tx, _| {
            let due_at = clock.now().timestamp_millis();
            Box::pin(bulk::insert(
                tx,
                "WITH released (subscription_seq, event_seq, lease, due_at) AS (",
                4,
                ") UPDATE deliveries SET due_at = released.due_at, lease = NULL
                   FROM released
                   WHERE deliveries.subscription_seq = released.subscription_seq
                     AND deliveries.event_seq = released.event_seq
                     AND deliveries.lease = released.lease",
                claims,
                move |query, (id, lease)| {
                    query.bind(id.subscription).bind(id.event).bind(*lease).bind(due_at)
                },
            ))
        })
        .await
    }

    /// Stores a test event for one subscription, whichever events that wants, and claims its delivery
    /// for `duration`.
    pub async fn claim_test(
        &self,
        subscription: &ListedSubscription,
        duration: TimeDelta,
    ) -> Result<Option<Claimed>> {
        let (clock, random, seq) = (&self.clock, &self.random, subscription.seq);
        let lease = random.number().cast_signed();
        // Without it nothing can be sent.
        self.check_secret(&subscription.subscription.id).await?;
        let claims = self
            .write(move |tx, now| {
                Box::pin(async move {
                    let event = Event::test(&subscription.subscription.id, now, random);
                    outbox::insert(tx, std::slice::from_ref(&event), now).await?;
                    let rows: Vec<ClaimedRow> = sqlx::query_as(
                        "INSERT INTO deliveries
                             (subscription_seq, event_seq, status, due_at, lease, attempts)
                         SELECT $1, seq, 'PENDING', $3, $4, 1 FROM events WHERE id = $2
                         RETURNING event_seq, attempts, failures",
                    )
                    .bind(seq)
                    .bind(event.id)
                    .bind((clock.now() + duration).timestamp_millis())
                    .bind(lease)
                    .fetch_all(&mut **tx)
                    .await?;
                    rows.into_iter().map(|row| row.claim(seq, lease)).collect()
                })
            })
            .await?;
        Ok(self.load(claims).await?.pop())
    }

    async fn load(&self, claims: Vec<RowClaim>) -> Result<Vec<Claimed>> {
        if claims.is_empty() {
            return Ok(Vec::new());
        }
        let distinct = |of: fn(&RowClaim) -> i64| {
            let mut keys: Vec<i64> = claims.iter().map(of).collect();
            keys.sort_unstable();
            keys.dedup();
            keys
        };
        let (subscriptions, events) =
            (&distinct(|claim| claim.id.subscription), &distinct(|claim| claim.id.event));
        let (endpoints, events) = self
            .read(move |tx| {
                Box::pin(async move {
                    Ok((endpoints_of(tx, subscriptions).await?, bodies_of(tx, events).await?))
                })
            })
            .await?;
        let endpoints = self.decrypted(endpoints);
        let mut claimed = Vec::with_capacity(claims.len());
        for claim in claims {
            // Deleted or pruned a moment ago: there is nothing to send.
            let (Some((url, secrets)), Some((event_id, body))) =
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
                secrets: secrets.clone(),
            });
        }
        Ok(claimed)
    }

    /// URL and secrets by the number of the subscription. One whose secret cannot be decrypted is left
    /// out: what it has due is tried again when the claims end.
    fn decrypted(&self, endpoints: Vec<Endpoint>) -> HashMap<i64, (String, Secrets)> {
        let mut decrypted = HashMap::with_capacity(endpoints.len());
        let now = self.clock.now();
        for Endpoint { seq, id, url, secrets } in endpoints {
            match self.open_secrets(&id, &secrets, now) {
                Ok(secrets) => _ = decrypted.insert(seq, (url, secrets)),
                Err(error) => tracing::error!(%error, subscription = id, "webhooks are waiting"),
            }
        }
        decrypted
    }
}

#[derive(Clone, Copy, Debug)]
struct Lease {
    id: i64,
    until: DateTime<Utc>,
}

/// A claim as stored.
#[derive(Clone, Copy, Debug)]
struct RowClaim {
    id: DeliveryId,
    lease: i64,
    number: i64,
    failures: u32,
}

#[derive(sqlx::FromRow)]
struct ClaimedRow {
    event_seq: i64,
    attempts: i64,
    failures: i64,
}

impl ClaimedRow {
    fn claim(self, subscription: i64, lease: i64) -> Result<RowClaim> {
        let failures = u32::try_from(self.failures)
            .map_err(|_| Error::Damaged(format!("{} failures of a delivery", self.failures)))?;
        let id = DeliveryId { subscription, event: self.event_seq };
        Ok(RowClaim { id, lease, number: self.attempts, failures })
    }
}

async fn claim_due(
    tx: &mut SqliteConnection,
    subscription: i64,
    limit: u32,
    lease: Lease,
    now: DateTime<Utc>,
) -> Result<Vec<RowClaim>> {
    // An attempt is counted when it is claimed: if the node dies during it, the gap in the numbers
    // shows that something was tried.
    let rows: Vec<ClaimedRow> = sqlx::query_as(
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
    .bind(lease.until.timestamp_millis())
    .bind(lease.id)
    .fetch_all(tx)
    .await?;
    rows.into_iter().map(|row| row.claim(subscription, lease.id)).collect()
}

/// Where to send to, with the secrets as they are stored.
#[derive(sqlx::FromRow)]
struct Endpoint {
    seq: i64,
    id: String,
    url: String,
    #[sqlx(flatten)]
    secrets: SealedSecrets,
}

async fn endpoints_of(tx: &mut SqliteConnection, subscriptions: &[i64]) -> Result<Vec<Endpoint>> {
    bulk::select_matching(
        tx,
        &format!(
            "SELECT seq, id, url, {SECRET_COLUMNS} FROM subscriptions
             WHERE secret IS NOT NULL AND seq"
        ),
        1,
        subscriptions,
        |query, seq| query.bind(*seq),
    )
    .await
}

async fn bodies_of(
    tx: &mut SqliteConnection,
    events: &[i64],
) -> Result<HashMap<i64, (String, Bytes)>> {
    let rows: Vec<(i64, String, Vec<u8>)> = bulk::select_matching(
        tx,
        "SELECT seq, id, body FROM events WHERE seq",
        1,
        events,
        |query, seq| query.bind(*seq),
    )
    .await?;
    Ok(rows.into_iter().map(|(seq, id, body)| (seq, (id, Bytes::from(body)))).collect())
}
