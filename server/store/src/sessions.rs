//! Sessions of the desk and the portal, shared by all nodes. A session ends when it expires, when it is ended, or
//! when its key expires or is revoked.

use base::time::Timestamp;
use chrono::{DateTime, Utc};
use domain::{action::Action, scope::Scope, tier::Tier};
use sqlx::AssertSqlSafe;

use super::{
    audit_log::Entry,
    engine::sql::{self},
    error::Result,
    keys,
};

use crate::areas;

/// Active session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Name of the key's holder.
    pub holder: String,
    /// Number of the key with which the session was started.
    pub key_id: i64,
    /// Prefix of that key.
    pub prefix: String,
    pub partner_id: i64,
    pub tier: Tier,
    /// Scope of an operator's key.
    pub scope: Option<Scope>,
    /// End of the key's validity.
    pub key_expires_at: Option<Timestamp>,
}

/// Active session, as listed for operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSession {
    /// Stored hash of its token.
    pub hash: Vec<u8>,
    pub holder: String,
    /// Prefix of the key with which the session was started.
    pub prefix: String,
    pub tier: Tier,
    /// Scope of an operator's key.
    pub scope: Option<Scope>,
    /// Address from which the session was started.
    pub origin: String,
    pub ends_at: Timestamp,
}

/// Condition on a session `s` with key `k` that is still valid at time `$1`.
const VALID: &str = "s.ends_at > $1 AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > $1)";

/// Join of a session `s` with its key `k` and the key's holder `p`.
const SESSIONS: &str = "sessions s JOIN keys k ON k.id = s.key_id
    JOIN partners p ON p.id = k.partner_id";

type SessionRow = (String, i64, String, i64, String, Option<String>, Option<i64>);
type OpenSessionRow = (Vec<u8>, String, String, String, Option<String>, String, i64);

impl areas::Sessions<'_> {
    /// Starts a session for the holder of the key with this id and prefix. Removes expired
    /// sessions.
    pub async fn begin(
        self,
        hash: [u8; 32],
        key_id: i64,
        prefix: &str,
        origin: &str,
        ends_at: DateTime<Utc>,
    ) -> Result<()> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    sql::query("DELETE FROM sessions WHERE ends_at <= $1")
                        .bind(now.timestamp_millis())
                        .execute(&mut **tx)
                        .await?;
                    let sql = "INSERT INTO sessions (hash, key_id, origin, ends_at)
                           VALUES ($1, $2, $3, $4)";
                    sql::query(sql)
                        .bind(hash.as_slice())
                        .bind(key_id)
                        .bind(origin)
                        .bind(ends_at.timestamp_millis())
                        .execute(&mut **tx)
                        .await?;
                    self.store.note(tx, now, Entry::of(Action::BeginSession, prefix)).await
                })
            })
            .await
    }

    /// Records a refused sign-in with the key with this prefix; the prefix is empty if there was no
    /// key.
    pub async fn note_refused(self, prefix: &str) -> Result<()> {
        let entry = || Entry::of(Action::RefuseSession, prefix);
        self.store.administer(|tx, now| Box::pin(self.store.note(tx, now, entry()))).await
    }

    /// Returns the session with this hash, if it is active and its key is valid.
    pub async fn find(self, hash: [u8; 32]) -> Result<Option<Session>> {
        let sql = format!(
            "SELECT p.name, k.id, k.prefix, k.partner_id, k.tier, k.scope, k.expires_at
             FROM {SESSIONS} WHERE {VALID} AND s.hash = $2"
        );
        let row: Option<SessionRow> = sql::query_as(AssertSqlSafe(sql))
            .bind(self.store.clock.now().timestamp_millis())
            .bind(hash.as_slice())
            .fetch_optional(&self.store.readers)
            .await?;
        let Some((holder, key_id, prefix, partner_id, tier, scope, expires_at)) = row else {
            return Ok(None);
        };
        let (tier, scope) = (keys::tier(&tier)?, keys::scope(scope.as_deref())?);
        let key_expires_at = expires_at.map(Timestamp::from_millis);
        Ok(Some(Session { holder, key_id, prefix, partner_id, tier, scope, key_expires_at }))
    }

    /// Returns the active sessions, longest remaining first.
    pub async fn list(self) -> Result<Vec<OpenSession>> {
        let sql = format!(
            "SELECT s.hash, p.name, k.prefix, k.tier, k.scope, s.origin, s.ends_at
             FROM {SESSIONS} WHERE {VALID}
             ORDER BY s.ends_at DESC, s.hash"
        );
        let rows: Vec<OpenSessionRow> = sql::query_as(AssertSqlSafe(sql))
            .bind(self.store.clock.now().timestamp_millis())
            .fetch_all(&self.store.readers)
            .await?;
        let open = |(hash, holder, prefix, tier, scope, origin, ends_at): OpenSessionRow| {
            let (tier, scope) = (keys::tier(&tier)?, keys::scope(scope.as_deref())?);
            let ends_at = Timestamp::from_millis(ends_at);
            Ok(OpenSession { hash, holder, prefix, tier, scope, origin, ends_at })
        };
        rows.into_iter().map(open).collect()
    }

    /// Ends the session with this hash. Returns whether it existed.
    pub async fn end(self, hash: [u8; 32]) -> Result<bool> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    let sql = format!("SELECT k.prefix FROM {SESSIONS} WHERE s.hash = $1");
                    let prefix: Option<String> = sql::query_scalar(AssertSqlSafe(sql))
                        .bind(hash.as_slice())
                        .fetch_optional(&mut **tx)
                        .await?;
                    let Some(prefix) = prefix else { return Ok(false) };
                    sql::query("DELETE FROM sessions WHERE hash = $1")
                        .bind(hash.as_slice())
                        .execute(&mut **tx)
                        .await?;
                    self.store.note(tx, now, Entry::of(Action::EndSession, &prefix)).await?;
                    Ok(true)
                })
            })
            .await
    }
}
