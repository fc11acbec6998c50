use base::time::{Timestamp, instant_of_millis};
use chrono::{DateTime, Utc};
use domain::{action::Action, scope::Scope, tier::Tier};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

mod uses;

use super::{
    audit_log::Entry,
    engine::{
        announcements::Topic,
        sql::{self, Connection},
    },
    error::{Error, Result},
    events::stop,
};

pub use self::uses::{HourOfUse, KeyUse, hour_of};
use crate::areas;

/// Key to store, without its secret part.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub prefix: String,
    pub hash: [u8; 32],
    pub tier: Tier,
    /// Scope of an operator's key.
    pub scope: Option<Scope>,
    pub expires_at: Option<DateTime<Utc>>,
    pub settings: KeySettings,
}

/// Choices of the operator about a key.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct KeySettings {
    /// Note of the operator about the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Maximum number of requests per minute, instead of the tier's.
    #[serde(rename = "requestsPerMinute", skip_serializing_if = "Option::is_none")]
    pub rate: Option<u32>,
    /// Origins of the pages that may use the key. Left out if it is not for pages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<String>,
}

/// Key that is not revoked, but may have expired.
#[derive(Clone, Debug)]
pub struct StoredKey {
    pub id: i64,
    pub partner_id: i64,
    /// Name of the partner, or of the operator who owns the key.
    pub holder: String,
    pub prefix: String,
    pub hash: [u8; 32],
    pub tier: Tier,
    pub scope: Option<Scope>,
    pub expires_at: Option<DateTime<Utc>>,
    pub settings: KeySettings,
}

/// A key, without the part that is secret.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Key")]
pub struct ListedKey {
    /// First characters of the key, which identify it.
    pub prefix: String,
    /// Name of the partner, or of the person or tool of an operator's key.
    pub partner: String,
    /// Tier of the key, which decides what it allows.
    pub tier: Tier,
    /// Scope of an operator's key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Time of creation.
    pub created_at: Timestamp,
    /// End of its validity, if it has one.
    pub expires_at: Option<Timestamp>,
    /// Time of its revocation, if it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// Time of its last use, to the minute or so; `null` if it was never used.
    pub last_used_at: Option<Timestamp>,
    /// Number of requests in the last 24 hours, to the hour and the minute or so.
    pub requests_last_day: u64,
    #[serde(flatten)]
    pub settings: KeySettings,
}

impl ListedKey {
    /// Returns `active`, `expired` or `revoked`.
    pub fn status(&self, now: DateTime<Utc>) -> &'static str {
        if self.revoked_at.is_some() {
            "revoked"
        } else if self.expires_at.is_some_and(|end| end.0 <= now) {
            "expired"
        } else {
            "active"
        }
    }
}

/// Result of revoking a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revoked {
    Now {
        /// Ids of the partner's subscriptions if no other valid key is left: they are disabled.
        disabled: Vec<String>,
    },
    Before,
    Unknown,
}

#[derive(sqlx::FromRow)]
struct ListedRow {
    prefix: String,
    partner: String,
    tier: String,
    scope: Option<String>,
    created_at: i64,
    expires_at: Option<i64>,
    revoked_at: Option<i64>,
    last_used_at: Option<i64>,
    requests_last_day: i64,
    #[sqlx(flatten)]
    settings: SettingsRow,
}

/// Columns of a key's settings.
#[derive(sqlx::FromRow)]
struct SettingsRow {
    note: Option<String>,
    rate: Option<i64>,
    /// Separated by spaces.
    origins: Option<String>,
}

impl From<SettingsRow> for KeySettings {
    fn from(SettingsRow { note, rate, origins }: SettingsRow) -> Self {
        let origins = origins.iter().flat_map(|origins| origins.split(' ')).map(str::to_owned);
        let rate = rate.and_then(|rate| u32::try_from(rate).ok());
        Self { note, rate, origins: origins.collect() }
    }
}

#[derive(sqlx::FromRow)]
struct StoredRow {
    id: i64,
    partner_id: i64,
    holder: String,
    prefix: String,
    hash: Vec<u8>,
    tier: String,
    scope: Option<String>,
    expires_at: Option<i64>,
    #[sqlx(flatten)]
    settings: SettingsRow,
}

/// Result of creating a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CreatedKey {
    pub at: DateTime<Utc>,
    /// Whether the partner was created too.
    pub is_new_partner: bool,
}

impl areas::Keys<'_> {
    /// Stores a key for the partner with this name, and creates the partner if necessary. Keys of the
    /// tier `test` belong to the sandbox of this name, which is a partner of its own. Returns `None` if
    /// another key has the same prefix.
    pub async fn create(self, partner: &str, key: &NewKey) -> Result<Option<CreatedKey>> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    let Some(created) = create(tx, partner, key, now).await? else {
                        return Ok(None);
                    };
                    let mut after = json!({
                        "partner": partner,
                        "tier": key.tier,
                        "scope": key.scope,
                        "expiresAt": key.expires_at.map(Timestamp),
                    });
                    if let (Some(after), Value::Object(settings)) =
                        (after.as_object_mut(), json!(key.settings))
                    {
                        after.extend(settings);
                    }
                    let entry = Entry::of(Action::CreateKey, &key.prefix).after(after);
                    self.store.note(tx, now, entry).await?;
                    Ok(Some(created))
                })
            })
            .await
    }

    /// Revokes the key with this prefix.
    pub async fn revoke(self, prefix: &str) -> Result<Revoked> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    let revoked = revoke(tx, prefix, now).await?;
                    if let Revoked::Now { disabled } = &revoked {
                        let entry = Entry::of(Action::RevokeKey, prefix)
                            .after(json!({ "disabledSubscriptions": disabled }));
                        self.store.note(tx, now, entry).await?;
                    }
                    Ok(revoked)
                })
            })
            .await
    }

    /// Returns all keys, newest first.
    pub async fn list(self) -> Result<Vec<ListedKey>> {
        let sql = "SELECT k.prefix, p.name AS partner, k.tier, k.scope, k.created_at, k.expires_at,
                    k.revoked_at, k.last_used_at, k.note, k.rate, k.origins,
                    CAST(coalesce((SELECT sum(u.requests) FROM key_requests u
                                   WHERE u.key_id = k.id AND u.hour > $1), 0) AS BIGINT)
                        AS requests_last_day
             FROM keys k JOIN partners p ON p.id = k.partner_id
             ORDER BY k.created_at DESC, k.id DESC";
        let a_day_ago = uses::hour_before(self.store.clock.now(), 24);
        let rows: Vec<ListedRow> =
            sql::query_as(sql).bind(a_day_ago).fetch_all(&self.store.readers).await?;
        let listed = |row: ListedRow| {
            Ok(ListedKey {
                tier: tier(&row.tier)?,
                scope: scope(row.scope.as_deref())?,
                created_at: Timestamp::from_millis(row.created_at),
                expires_at: row.expires_at.map(Timestamp::from_millis),
                revoked_at: row.revoked_at.map(Timestamp::from_millis),
                last_used_at: row.last_used_at.map(Timestamp::from_millis),
                requests_last_day: row.requests_last_day.unsigned_abs(),
                settings: row.settings.into(),
                prefix: row.prefix,
                partner: row.partner,
            })
        };
        rows.into_iter().map(listed).collect()
    }

    /// Returns the version of the keys, which increases with every change by any process.
    pub async fn version(self) -> Result<i64> {
        Ok(sql::query_scalar("SELECT version FROM keys_version WHERE id = 1")
            .fetch_one(&self.store.readers)
            .await?)
    }

    /// Returns the keys that are not revoked.
    pub async fn in_force(self) -> Result<Vec<StoredKey>> {
        let sql = "SELECT k.id, k.partner_id, p.name AS holder, k.prefix, k.hash, k.tier, k.scope,
                    k.expires_at, k.note, k.rate, k.origins
             FROM keys k JOIN partners p ON p.id = k.partner_id
             WHERE k.revoked_at IS NULL";
        let rows: Vec<StoredRow> = sql::query_as(sql).fetch_all(&self.store.readers).await?;
        let stored = |row: StoredRow| {
            let StoredRow { id, partner_id, holder, prefix, .. } = row;
            let hash = row.hash.try_into();
            let hash = hash.map_err(|_| Error::Damaged(format!("the hash of key {prefix}")))?;
            let (tier, scope) = (tier(&row.tier)?, scope(row.scope.as_deref())?);
            let expires_at = row.expires_at.map(instant_of_millis);
            let settings = row.settings.into();
            Ok(StoredKey {
                id,
                partner_id,
                holder,
                prefix,
                hash,
                tier,
                scope,
                expires_at,
                settings,
            })
        };
        rows.into_iter().map(stored).collect()
    }
}

async fn create(
    tx: &mut Connection,
    partner: &str,
    key: &NewKey,
    now: DateTime<Utc>,
) -> Result<Option<CreatedKey>> {
    let created_at = now.timestamp_millis();
    let is_sandbox = key.tier.is_sandbox();
    let sql = "INSERT INTO partners (name, is_sandbox, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (name, is_sandbox) DO NOTHING";
    let partners = sql::query(sql).bind(partner).bind(is_sandbox).bind(created_at);
    let partners = partners.execute(&mut *tx).await?;
    let KeySettings { note, rate, origins } = &key.settings;
    let sql = "INSERT INTO keys (partner_id, prefix, hash, tier, created_at, expires_at, scope, note, rate, origins)
         SELECT id, $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM partners
         WHERE name = $1 AND is_sandbox = $11
         ON CONFLICT (prefix) DO NOTHING";
    let stored = sql::query(sql)
        .bind(partner)
        .bind(key.prefix.as_str())
        .bind(key.hash.as_slice())
        .bind(key.tier.as_str())
        .bind(created_at)
        .bind(key.expires_at.map(|at| at.timestamp_millis()))
        .bind(key.scope.map(Scope::as_str))
        .bind(note.clone())
        .bind(rate.map(i64::from))
        .bind((!origins.is_empty()).then(|| origins.join(" ")))
        .bind(is_sandbox)
        .execute(&mut *tx)
        .await?
        == 1;
    bump(tx).await?;
    Ok(stored.then_some(CreatedKey { at: now, is_new_partner: partners == 1 }))
}

async fn revoke(tx: &mut Connection, prefix: &str, now: DateTime<Utc>) -> Result<Revoked> {
    let key: Option<(i64, Option<i64>)> =
        sql::query_as("SELECT partner_id, revoked_at FROM keys WHERE prefix = $1")
            .bind(prefix)
            .fetch_optional(&mut *tx)
            .await?;
    let partner_id = match key {
        None => return Ok(Revoked::Unknown),
        Some((_, Some(_))) => return Ok(Revoked::Before),
        Some((partner_id, None)) => partner_id,
    };
    sql::query("UPDATE keys SET revoked_at = $2 WHERE prefix = $1")
        .bind(prefix)
        .bind(now.timestamp_millis())
        .execute(&mut *tx)
        .await?;
    bump(tx).await?;
    let disabled = stop::disable_without_key(tx, partner_id, now).await?;
    Ok(Revoked::Now { disabled })
}

async fn bump(tx: &mut Connection) -> Result<()> {
    let announcing = tx.engine().announcing(Topic::Keys);
    let sql = format!("UPDATE keys_version SET version = version + 1 WHERE id = 1 {announcing}");
    sql::query(AssertSqlSafe(sql)).execute(tx).await?;
    Ok(())
}

pub(super) fn tier(name: &str) -> Result<Tier> {
    Tier::from_name(name).ok_or_else(|| Error::Damaged(format!("tier {name:?} of a key")))
}

pub(super) fn scope(name: Option<&str>) -> Result<Option<Scope>> {
    let Some(name) = name else { return Ok(None) };
    let known = Scope::from_name(name);
    known.map(Some).ok_or_else(|| Error::Damaged(format!("scope {name:?} of a key")))
}
