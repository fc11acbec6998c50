use chrono::{DateTime, Utc};
use sqlx::{Row, SqliteConnection, sqlite::SqliteRow};

use super::{
    Store, bulk,
    error::{Error, Result},
};
use crate::{
    keys::Tier,
    time::{format_instant, instant_of_millis},
};

/// A key to be stored: everything but the key itself.
#[derive(Clone, Debug)]
pub struct NewKey {
    pub prefix: String,
    pub hash: [u8; 32],
    pub tier: Tier,
    pub created_at: DateTime<Utc>,
    pub expires_at: Option<DateTime<Utc>>,
}

/// A key that is not revoked; it may have expired.
#[derive(Clone, Debug)]
pub struct StoredKey {
    pub id: i64,
    pub partner_id: i64,
    pub prefix: String,
    pub hash: [u8; 32],
    pub tier: Tier,
    pub expires_at: Option<DateTime<Utc>>,
}

/// A key as the operator sees it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedKey {
    pub prefix: String,
    pub partner: String,
    pub tier: Tier,
    pub created_at: String,
    pub expires_at: Option<String>,
    pub revoked_at: Option<String>,
    /// To the minute or so; `None` for one that was never used.
    pub last_used_at: Option<String>,
}

/// What became of a key that was to be revoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revoked {
    Now,
    Before,
    Unknown,
}

impl Store {
    /// Stores a key of the partner of this name, who is made if there is none. Returns whether it
    /// is stored: another key may have the same prefix.
    pub async fn create_key(&self, partner: &str, key: &NewKey) -> Result<bool> {
        let mut tx = self.write().await?;
        let created_at = key.created_at.timestamp_millis();
        sqlx::query(
            "INSERT INTO partners (name, created_at) VALUES ($1, $2)
             ON CONFLICT (name) DO NOTHING",
        )
        .bind(partner.to_owned())
        .bind(created_at)
        .execute(&mut *tx)
        .await?;
        let stored = sqlx::query(
            "INSERT INTO keys (partner_id, prefix, hash, tier, created_at, expires_at)
             SELECT id, $2, $3, $4, $5, $6 FROM partners WHERE name = $1
             ON CONFLICT (prefix) DO NOTHING",
        )
        .bind(partner.to_owned())
        .bind(key.prefix.clone())
        .bind(key.hash.to_vec())
        .bind(key.tier.as_str())
        .bind(created_at)
        .bind(key.expires_at.map(|at| at.timestamp_millis()))
        .execute(&mut *tx)
        .await?
        .rows_affected()
            == 1;
        move_on(&mut tx).await?;
        tx.commit().await?;
        Ok(stored)
    }

    /// Revokes the key of this prefix.
    pub async fn revoke_key(&self, prefix: &str, now: DateTime<Utc>) -> Result<Revoked> {
        let mut tx = self.write().await?;
        let revoked_at: Option<Option<i64>> =
            sqlx::query_scalar("SELECT revoked_at FROM keys WHERE prefix = $1")
                .bind(prefix.to_owned())
                .fetch_optional(&mut *tx)
                .await?;
        match revoked_at {
            None => return Ok(Revoked::Unknown),
            Some(Some(_)) => return Ok(Revoked::Before),
            Some(None) => {}
        }
        sqlx::query("UPDATE keys SET revoked_at = $2 WHERE prefix = $1")
            .bind(prefix.to_owned())
            .bind(now.timestamp_millis())
            .execute(&mut *tx)
            .await?;
        move_on(&mut tx).await?;
        tx.commit().await?;
        Ok(Revoked::Now)
    }

    /// All keys, newest first.
    pub async fn list_keys(&self) -> Result<Vec<ListedKey>> {
        let rows = sqlx::query(
            "SELECT k.prefix, p.name, k.tier, k.created_at, k.expires_at, k.revoked_at,
                    k.last_used_at
             FROM keys k JOIN partners p ON p.id = k.partner_id
             ORDER BY k.created_at DESC, k.id DESC",
        )
        .fetch_all(&self.readers)
        .await?;
        let shown = |millis: Option<i64>| millis.map(|at| format_instant(instant_of_millis(at)));
        let listed = |row: &SqliteRow| {
            Ok(ListedKey {
                prefix: row.try_get(0)?,
                partner: row.try_get(1)?,
                tier: tier(row.try_get(2)?)?,
                created_at: format_instant(instant_of_millis(row.try_get(3)?)),
                expires_at: shown(row.try_get(4)?),
                revoked_at: shown(row.try_get(5)?),
                last_used_at: shown(row.try_get(6)?),
            })
        };
        rows.iter().map(listed).collect()
    }

    /// Moves with every change of a key, whichever process made it.
    pub async fn keys_version(&self) -> Result<i64> {
        Ok(sqlx::query_scalar("SELECT version FROM keys_version WHERE id = 1")
            .fetch_one(&self.readers)
            .await?)
    }

    /// The keys that are not revoked.
    pub async fn keys_in_force(&self) -> Result<Vec<StoredKey>> {
        let rows = sqlx::query(
            "SELECT id, partner_id, prefix, hash, tier, expires_at FROM keys
             WHERE revoked_at IS NULL",
        )
        .fetch_all(&self.readers)
        .await?;
        let stored = |row: &SqliteRow| {
            let prefix: String = row.try_get(2)?;
            let hash: Vec<u8> = row.try_get(3)?;
            let hash =
                hash.try_into().map_err(|_| Error::Damaged(format!("the hash of key {prefix}")))?;
            let expires_at: Option<i64> = row.try_get(5)?;
            Ok(StoredKey {
                id: row.try_get(0)?,
                partner_id: row.try_get(1)?,
                prefix,
                hash,
                tier: tier(row.try_get(4)?)?,
                expires_at: expires_at.map(instant_of_millis),
            })
        };
        rows.iter().map(stored).collect()
    }

    /// Writes down the last use of keys: pairs of id and milliseconds since 1970.
    pub async fn note_key_uses(&self, uses: &[(i64, i64)]) -> Result<()> {
        let mut tx = self.write().await?;
        bulk::insert(
            &mut tx,
            "WITH used (id, used_at) AS (",
            2,
            ") UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), used.used_at)
               FROM used WHERE keys.id = used.id",
            uses,
            |query, (id, used_at)| query.bind(*id).bind(*used_at),
        )
        .await?;
        tx.commit().await?;
        Ok(())
    }
}

async fn move_on(tx: &mut SqliteConnection) -> Result<()> {
    sqlx::query("UPDATE keys_version SET version = version + 1 WHERE id = 1").execute(tx).await?;
    Ok(())
}

fn tier(name: &str) -> Result<Tier> {
    Tier::ALL
        .into_iter()
        .find(|tier| tier.as_str() == name)
        .ok_or_else(|| Error::Damaged(format!("tier {name:?} of a key")))
}
