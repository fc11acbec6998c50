//! Requests with an `Idempotency-Key`: repeating one has no further effect, and the same response.
//!
//! A request first claims its key, in a transaction of its own. The handle of the store that its handler gets contains
//! the [`Claim`], and every transaction of that handle notes, with its other changes, that the request had an effect
//! ([`Store::note_effect`]), provided that the claim still holds. Finally the response is stored
//! ([`finish`](areas::IdempotentRequests::finish)).
//!
//! So a key has at most one effect, even if the process is killed at any moment. If that was before the effect, the claim
//! ends after a minute, and a repeated request is handled like a new one. If it was between the effect and the response,
//! repeated requests learn that there was an effect. Only where the response is stored in the transaction of the effect
//! ([`Store::respond`]) is there nothing between them.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::idempotency::{IdempotentRequest, REMEMBERED};
use futures_util::TryFutureExt;

use crate::{
    Store, areas,
    engine::sql::{self, Connection},
    error::{Error, Result},
    secrets::{KeyId, Sealed},
};

/// Time for which a claim holds after it was made, or after its last effect.
const CLAIM_LASTS: TimeDelta = TimeDelta::seconds(60);
/// Maximum number of keys deleted per transaction, which takes a few milliseconds.
const BATCH: i64 = 1_000;
/// Maximum size of a stored response in bytes.
const MAX_RESPONSE: usize = 1 << 20;

/// Claim of a request on its key. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Claim(Arc<ClaimInner>);

#[derive(Debug)]
struct ClaimInner {
    owner: String,
    key: String,
    /// Random number that distinguishes this claim from later ones on the same key.
    number: i64,
}

impl Claim {
    /// Name that the encryption of a response is bound to.
    fn subject(&self) -> String {
        subject(&self.0.owner, &self.0.key)
    }
}

fn subject(owner: &str, key: &str) -> String {
    format!("the response to {owner}, {key}")
}

/// Response to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredResponse {
    pub status: u16,
    pub body: String,
    /// Whether the body contains a secret, so that it has to be encrypted.
    pub is_secret: bool,
}

/// Result of claiming a key.
#[derive(Clone, Debug)]
pub enum Claimed {
    /// The key is new: the request has to be handled.
    Now(Claim),
    /// A request with this key is being handled.
    Running,
    /// The key was used for another request.
    Other,
    /// A request with this key had its effect, but its response is not known.
    Lost,
    /// Response to an earlier request with this key.
    Before(StoredResponse),
}

#[derive(sqlx::FromRow)]
struct Row {
    request_hash: Vec<u8>,
    claimed_until: i64,
    status: Option<i64>,
    response: Option<Vec<u8>>,
    response_key: Option<String>,
}

impl areas::IdempotentRequests<'_> {
    /// Claims the key of a request for its owner.
    pub async fn claim(self, owner: &str, request: &IdempotentRequest) -> Result<Claimed> {
        let number = self.store.random.number().cast_signed();
        self.store
            .write_rows(move |tx, now| {
                Box::pin(async move {
                    // A key that was claimed without effect is free when the claim has ended.
                    let sql = "INSERT INTO idempotency_keys
                             (owner, key, request_hash, claim, started_at, claimed_until)
                         VALUES ($1, $2, $3, $4, $5, $6)
                         ON CONFLICT (owner, key) DO UPDATE
                         SET request_hash = excluded.request_hash, claim = excluded.claim,
                             started_at = excluded.started_at, claimed_until = excluded.claimed_until,
                             had_effect = FALSE, status = NULL, response = NULL, response_key = NULL
                         WHERE idempotency_keys.started_at <= $7
                            OR (NOT idempotency_keys.had_effect AND idempotency_keys.status IS NULL
                                AND idempotency_keys.claimed_until <= $5)";
                    let claimed = sql::query(sql)
                        .bind(owner)
                        .bind(request.key.as_str())
                        .bind(request.hash.as_slice())
                        .bind(number)
                        .bind(now.timestamp_millis())
                        .bind((now + CLAIM_LASTS).timestamp_millis())
                        .bind((now - REMEMBERED).timestamp_millis())
                        .execute(&mut **tx)
                        .await?;
                    if claimed == 1 {
                        let (owner, key) = (owner.to_owned(), request.key.clone());
                        return Ok(Claimed::Now(Claim(Arc::new(ClaimInner { owner, key, number }))));
                    }
                    self.earlier(tx, owner, request, now).await
                })
            })
            .await
    }

    /// Returns the state of an earlier request with the same key.
    async fn earlier(
        self,
        tx: &mut Connection,
        owner: &str,
        request: &IdempotentRequest,
        now: DateTime<Utc>,
    ) -> Result<Claimed> {
        let sql = "SELECT request_hash, claimed_until, status, response, response_key
             FROM idempotency_keys WHERE owner = $1 AND key = $2";
        let row: Option<Row> =
            sql::query_as(sql).bind(owner).bind(request.key.as_str()).fetch_optional(tx).await?;
        // Released a moment ago: the client tries again.
        let Some(row) = row else { return Ok(Claimed::Running) };
        if row.request_hash != request.hash {
            return Ok(Claimed::Other);
        }
        let Some(status) = row.status else {
            let is_running = row.claimed_until > now.timestamp_millis();
            return Ok(if is_running { Claimed::Running } else { Claimed::Lost });
        };
        let damaged = || Error::Damaged("a response to an idempotent request".to_owned());
        let Some(bytes) = row.response else { return Ok(Claimed::Lost) };
        let is_secret = row.response_key.is_some();
        let body = match row.response_key {
            None => String::from_utf8(bytes).map_err(|_| damaged())?,
            Some(key) => {
                let sealed = Sealed { key: KeyId::from_stored(key), bytes };
                self.store.keyring.open(&sealed, &subject(owner, &request.key))?
            }
        };
        let status = u16::try_from(status).map_err(|_| damaged())?;
        Ok(Claimed::Before(StoredResponse { status, body, is_secret }))
    }

    /// Ends a request: stores its response, or releases the key after an error without effect.
    pub async fn finish(self, claim: &Claim, response: &StoredResponse) -> Result<()> {
        self.store
            .write_rows(move |tx, _| {
                Box::pin(async move {
                    let ClaimInner { owner, key, number } = &*claim.0;
                    if response.status >= 400 {
                        let sql = "DELETE FROM idempotency_keys
                             WHERE owner = $1 AND key = $2 AND claim = $3 AND NOT had_effect";
                        let release = sql::query(sql).bind(owner.as_str()).bind(key.as_str());
                        if release.bind(*number).execute(&mut **tx).await? == 1 {
                            return Ok(());
                        }
                    }
                    self.store_response(tx, claim, response).await
                })
            })
            .await
    }

    /// Stores the response to a request, unless it is stored already. Of a response that is too large, only the status
    /// is stored.
    async fn store_response(
        self,
        tx: &mut Connection,
        claim: &Claim,
        StoredResponse { status, body, is_secret }: &StoredResponse,
    ) -> Result<()> {
        let (bytes, sealed_with) = match is_secret {
            _ if body.len() > MAX_RESPONSE => (None, None),
            false => (Some(body.clone().into_bytes()), None),
            true => {
                let subscriptions = self.store.subscriptions();
                let Sealed { key, bytes } = subscriptions.seal(tx, body, &claim.subject()).await?;
                (Some(bytes), Some(key))
            }
        };
        let ClaimInner { owner, key, number } = &*claim.0;
        let sql = "UPDATE idempotency_keys SET status = $4, response = $5, response_key = $6
             WHERE owner = $1 AND key = $2 AND claim = $3 AND status IS NULL";
        sql::query(sql)
            .bind(owner.as_str())
            .bind(key.as_str())
            .bind(*number)
            .bind(i64::from(*status))
            .bind(bytes)
            .bind(sealed_with.as_ref().map(KeyId::as_str))
            .execute(tx)
            .await?;
        Ok(())
    }

    /// Deletes some of the keys that have expired at `now`. Returns whether there may be more.
    pub async fn forget(self, now: DateTime<Utc>) -> Result<bool> {
        let forget = || {
            let sql = "DELETE FROM idempotency_keys
                 WHERE (owner, key) IN (SELECT owner, key FROM idempotency_keys
                                        WHERE started_at <= $1 ORDER BY started_at LIMIT $2)";
            sql::query(sql).bind((now - REMEMBERED).timestamp_millis()).bind(BATCH)
        };
        let forgotten =
            self.store.administer(|tx, _| Box::pin(forget().execute(tx).err_into())).await?;
        Ok(forgotten >= BATCH.unsigned_abs())
    }

    /// Encrypts some of the responses that do not use the key `newest` with it. Returns their number.
    pub(crate) async fn rotate_some(
        self,
        tx: &mut Connection,
        newest: &KeyId,
        limit: i64,
    ) -> Result<u64> {
        let sql = "SELECT owner, key, response, response_key FROM idempotency_keys
             WHERE response_key <> $1 ORDER BY owner, key LIMIT $2";
        let rows: Vec<(String, String, Vec<u8>, String)> =
            sql::query_as(sql).bind(newest.as_str()).bind(limit).fetch_all(&mut *tx).await?;
        let mut rotated = 0;
        for (owner, key, bytes, sealed_with) in rows {
            let sealed = Sealed { key: KeyId::from_stored(sealed_with), bytes };
            let subject = subject(&owner, &key);
            let sealed = match self.store.keyring.open(&sealed, &subject) {
                // The effect of the request stays; only this copy of the response is lost.
                Err(crate::secrets::Error::Damaged { .. }) => None,
                opened => Some(self.store.subscriptions().seal(tx, &opened?, &subject).await?),
            };
            let (bytes, sealed_with) = sealed.map(|sealed| (sealed.bytes, sealed.key)).unzip();
            let sql = "UPDATE idempotency_keys SET response = $3, response_key = $4
                 WHERE owner = $1 AND key = $2";
            sql::query(sql)
                .bind(owner.as_str())
                .bind(key.as_str())
                .bind(bytes)
                .bind(sealed_with.as_ref().map(KeyId::as_str))
                .execute(&mut *tx)
                .await?;
            rotated += 1;
        }
        Ok(rotated)
    }
}

impl Store {
    /// Returns a handle for the request with this claim.
    #[must_use]
    pub fn within(self, claim: Claim) -> Self {
        Self { claim: Some(claim), ..self }
    }

    /// Notes that the request of this handle had an effect. Part of every change.
    ///
    /// # Errors
    /// [`Error::ClaimLost`] if a repeated request has claimed the key since.
    pub(crate) async fn note_effect(&self, tx: &mut Connection, now: DateTime<Utc>) -> Result<()> {
        let Some(claim) = &self.claim else { return Ok(()) };
        let ClaimInner { owner, key, number } = &*claim.0;
        let sql = "UPDATE idempotency_keys SET had_effect = TRUE, claimed_until = $4
             WHERE owner = $1 AND key = $2 AND claim = $3";
        let noted = sql::query(sql)
            .bind(owner.as_str())
            .bind(key.as_str())
            .bind(*number)
            .bind((now + CLAIM_LASTS).timestamp_millis())
            .execute(tx)
            .await?;
        if noted == 1 { Ok(()) } else { Err(Error::ClaimLost) }
    }

    /// Stores the response to the request of this handle, if it has a claim, in the transaction of its effect.
    pub(crate) async fn respond(
        &self,
        tx: &mut Connection,
        response: impl FnOnce() -> StoredResponse,
    ) -> Result<()> {
        match &self.claim {
            Some(claim) => self.idempotent_requests().store_response(tx, claim, &response()).await,
            None => Ok(()),
        }
    }
}
