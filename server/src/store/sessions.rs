//! Sessions of the desk: who is signed in, whichever node they ask. A session ends with its time, when it is ended, and
//! with the key that it was begun with.

use chrono::{DateTime, Utc};

use super::{
    Store,
    engine::sql::{self},
    error::{Error, Result},
    keys,
};
use crate::domain::scope::Scope;

/// A session that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Whose it is, by name.
    pub holder: String,
    /// The prefix of the key that it was begun with.
    pub prefix: String,
    pub scope: Scope,
}

#[derive(sqlx::FromRow)]
struct Row {
    holder: String,
    prefix: String,
    scope: Option<String>,
}

impl Store {
    /// Begins a session for the holder of a key. What has ended is forgotten.
    pub async fn begin_session(
        &self,
        hash: [u8; 32],
        key_id: i64,
        origin: &str,
        ends_at: DateTime<Utc>,
    ) -> Result<()> {
        self.administer(move |tx, times| {
            Box::pin(async move {
                sql::query("DELETE FROM desk_sessions WHERE ends_at <= $1")
                    .bind(times.clock.timestamp_millis())
                    .execute(&mut **tx)
                    .await?;
                sql::query(
                    "INSERT INTO desk_sessions (hash, key_id, origin, ends_at) VALUES ($1, $2, $3, $4)",
                )
                .bind(hash.to_vec())
                .bind(key_id)
                .bind(origin.to_owned())
                .bind(ends_at.timestamp_millis())
                .execute(&mut **tx)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// The session of this hash, if it has not ended and its key is an operator's that is in force.
    pub async fn session(&self, hash: [u8; 32]) -> Result<Option<Session>> {
        let row: Option<Row> = sql::query_as(
            "SELECT p.name AS holder, k.prefix, k.scope
             FROM desk_sessions s JOIN keys k ON k.id = s.key_id JOIN partners p ON p.id = k.partner_id
             WHERE s.hash = $1 AND s.ends_at > $2 AND k.tier = 'operator' AND k.revoked_at IS NULL
               AND (k.expires_at IS NULL OR k.expires_at > $2)",
        )
        .bind(hash.to_vec())
        .bind(self.clock.now().timestamp_millis())
        .fetch_optional(&self.readers)
        .await?;
        let Some(Row { holder, prefix, scope }) = row else { return Ok(None) };
        let scope = keys::scope(scope.as_deref())?;
        let scope = scope.ok_or_else(|| Error::Damaged(format!("the scope of key {prefix}")))?;
        Ok(Some(Session { holder, prefix, scope }))
    }

    /// Ends the session of this hash, if there is one.
    pub async fn end_session(&self, hash: [u8; 32]) -> Result<()> {
        self.administer(move |tx, _| {
            Box::pin(async move {
                sql::query("DELETE FROM desk_sessions WHERE hash = $1")
                    .bind(hash.to_vec())
                    .execute(&mut **tx)
                    .await?;
                Ok(())
            })
        })
        .await
    }
}
