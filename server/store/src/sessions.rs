//! Sessions of the desk: who is signed in, whichever node they ask. A session ends with its time, when it is ended, and
//! with the key that it was begun with.

use base::time::Timestamp;
use chrono::{DateTime, Utc};
use domain::{action::Action, scope::Scope};
use sqlx::AssertSqlSafe;

use super::{
    audit_log::Entry,
    engine::sql::{self},
    error::{Error, Result},
    keys,
};

use crate::areas;

/// A session that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Whose it is, by name.
    pub holder: String,
    /// The prefix of the key that it was begun with.
    pub prefix: String,
    pub scope: Scope,
}

/// A session as operators see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSession {
    /// What is stored of its token.
    pub hash: Vec<u8>,
    pub holder: String,
    /// The prefix of the key that it was begun with.
    pub prefix: String,
    /// The address from which it was begun.
    pub origin: String,
    pub ends_at: Timestamp,
}

/// What holds for a session `s` of a key `k` that has not ended at the time `$1`.
const VALID: &str = "s.ends_at > $1 AND k.tier = 'operator' AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > $1)";

/// A session `s` with its key and the holder of that.
const SESSIONS: &str = "desk_sessions s JOIN keys k ON k.id = s.key_id
    JOIN partners p ON p.id = k.partner_id";

impl areas::Sessions<'_> {
    /// Begins a session for the holder of a key, which has this prefix. What has ended is forgotten.
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
                    sql::query("DELETE FROM desk_sessions WHERE ends_at <= $1")
                        .bind(now.timestamp_millis())
                        .execute(&mut **tx)
                        .await?;
                    let sql = "INSERT INTO desk_sessions (hash, key_id, origin, ends_at)
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

    /// Notes that somebody could not begin a session with the key of this prefix; without one, with no key at all.
    pub async fn note_refused(self, prefix: &str) -> Result<()> {
        let entry = || Entry::of(Action::RefuseSession, prefix);
        self.store.administer(|tx, now| Box::pin(self.store.note(tx, now, entry()))).await
    }

    /// The session of this hash, if it has not ended and its key is an operator's that is in force.
    pub async fn find(self, hash: [u8; 32]) -> Result<Option<Session>> {
        let sql = format!(
            "SELECT p.name, k.prefix, k.scope FROM {SESSIONS} WHERE {VALID} AND s.hash = $2"
        );
        let row: Option<(String, String, Option<String>)> = sql::query_as(AssertSqlSafe(sql))
            .bind(self.store.clock.now().timestamp_millis())
            .bind(hash.as_slice())
            .fetch_optional(&self.store.readers)
            .await?;
        let Some((holder, prefix, scope)) = row else { return Ok(None) };
        let scope = keys::scope(scope.as_deref())?;
        let scope = scope.ok_or_else(|| Error::Damaged(format!("the scope of key {prefix}")))?;
        Ok(Some(Session { holder, prefix, scope }))
    }

    /// The sessions that have not ended, those that end last first.
    pub async fn list(self) -> Result<Vec<OpenSession>> {
        let sql = format!(
            "SELECT s.hash, p.name, k.prefix, s.origin, s.ends_at FROM {SESSIONS} WHERE {VALID}
             ORDER BY s.ends_at DESC, s.hash"
        );
        let rows: Vec<(Vec<u8>, String, String, String, i64)> = sql::query_as(AssertSqlSafe(sql))
            .bind(self.store.clock.now().timestamp_millis())
            .fetch_all(&self.store.readers)
            .await?;
        let open = |(hash, holder, prefix, origin, ends_at)| {
            let ends_at = Timestamp::from_millis(ends_at);
            OpenSession { hash, holder, prefix, origin, ends_at }
        };
        Ok(rows.into_iter().map(open).collect())
    }

    /// Ends the session of this hash. Returns whether there was one.
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
                    sql::query("DELETE FROM desk_sessions WHERE hash = $1")
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
