//! Rotation of the encryption key. Each step can be repeated after a crash and leaves a usable
//! database.

use sqlx::AssertSqlSafe;

use super::{SECRET_COLUMNS, SealedSecrets, keys_in_use, old::FORGET};
use crate::{
    areas,
    engine::sql::{self, Connection},
    engine::transaction::TURN,
    error::Result,
    secrets::{self, KeyId},
};

/// Maximum number of subscriptions whose secrets one transaction encrypts, which takes a few
/// milliseconds.
const BATCH: i64 = 100;

/// Result of a rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotated {
    /// Key with which all secrets are encrypted now.
    pub key: KeyId,
    /// Number of secrets that were encrypted with another key before.
    pub secrets: u64,
    /// Keys that are no longer needed. They are removed from a key file.
    pub retired: Vec<KeyId>,
    /// Whether the key already existed, from an interrupted rotation or from the environment.
    pub continued: bool,
}

/// Keys at the start of a rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotating {
    pub newest: KeyId,
    pub others: Vec<KeyId>,
    /// Whether the newest key was created for this rotation.
    pub added: bool,
}

/// Result of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RotationStep {
    pub secrets: u64,
    /// Subscription number at which the next step starts; `None` after the last step.
    pub next: Option<i64>,
    /// Id of the first subscription whose secret is damaged.
    pub damaged: Option<String>,
}

impl areas::Subscriptions<'_> {
    /// Encrypts all secrets with a new key, or with the newest key if there are several. Returns
    /// `None` if there is no key yet.
    ///
    /// # Errors [`Error::Secrets`](crate::Error::Secrets). All secrets can still be decrypted then;
    /// a new key stays beside the old one.
    pub async fn rotate_master(self) -> Result<Option<Rotated>> {
        let Some(Rotating { newest: key, others: retired, added }) = self.begin_rotation().await?
        else {
            return Ok(None);
        };
        let mut secrets = 0;
        loop {
            let (mut from, mut damaged) = (Some(0), None);
            while let Some(first) = from {
                let step = self.rotate_some(first).await?;
                secrets += step.secrets;
                damaged = damaged.or(step.damaged);
                from = step.next;
                tokio::time::sleep(TURN).await;
            }
            if let Some(subscription) = damaged {
                return Err(secrets::Error::Damaged { subscription }.into());
            }
            if self.end_rotation().await? {
                return Ok(Some(Rotated { key, secrets, retired, continued: !added }));
            }
        }
    }

    /// First step: adds a key, unless there are several already.
    pub async fn begin_rotation(self) -> Result<Option<Rotating>> {
        self.store
            .administer(move |tx, _| {
                Box::pin(async move {
                    let mut others = self.store.keyring.ids()?;
                    let used = keys_in_use(tx).await?;
                    if let Some(key) = used.into_iter().find(|key| !others.contains(key)) {
                        return Err(self.unknown(key).into());
                    }
                    Ok(match others.len() {
                        0 => None,
                        1 => {
                            let newest =
                                self.store.keyring.add(&self.store.random, self.store.file())?;
                            Some(Rotating { newest, others, added: true })
                        }
                        _ => Some(Rotating { newest: others.remove(0), others, added: false }),
                    })
                })
            })
            .await
    }

    /// Second step, repeated: encrypts some of the secrets that do not use the newest key, starting
    /// at subscription number `from`; after the last subscription, those in stored responses.
    pub async fn rotate_some(self, from: i64) -> Result<RotationStep> {
        self.store
            .administer(move |tx, _| {
                Box::pin(async move {
                    let Some(newest) = self.store.keyring.ids()?.into_iter().next() else {
                        return Ok(RotationStep::default());
                    };
                    let sql = format!(
                        "SELECT seq, id, {SECRET_COLUMNS} FROM subscriptions
                     WHERE (secret_key <> $1 OR old_secret_key <> $1) AND seq >= $2
                     ORDER BY seq LIMIT $3"
                    );
                    let rows: Vec<Row> = sql::query_as(AssertSqlSafe(sql))
                        .bind(newest.as_str())
                        .bind(from)
                        .bind(BATCH)
                        .fetch_all(&mut **tx)
                        .await?;
                    let mut step = RotationStep {
                        next: rows.last().map(|row| row.seq + 1),
                        ..RotationStep::default()
                    };
                    if rows.is_empty() {
                        let responses = self.store.idempotent_requests();
                        let rotated = responses.rotate_some(tx, &newest, BATCH).await?;
                        step.secrets += rotated;
                        step.next = (rotated > 0).then_some(from);
                    }
                    for row in rows {
                        self.rotate_row(tx, &row, &newest, &mut step).await?;
                    }
                    Ok(step)
                })
            })
            .await
    }

    async fn rotate_row(
        self,
        tx: &mut Connection,
        Row { seq, id, secrets }: &Row,
        newest: &KeyId,
        step: &mut RotationStep,
    ) -> Result<()> {
        let old = secrets.old().map(|(old, _)| old);
        for (prefix, sealed) in [("", Some(secrets.current())), ("old_", old)] {
            let Some(sealed) = sealed.filter(|sealed| sealed.key != *newest) else { continue };
            let sealed = match self.store.keyring.open(&sealed, id) {
                Err(secrets::Error::Damaged { .. }) if prefix.is_empty() => {
                    step.damaged.get_or_insert_with(|| id.clone());
                    continue;
                }
                // A damaged old secret cannot sign anything and would soon expire anyway.
                Err(secrets::Error::Damaged { .. }) => {
                    let sql = format!("{FORGET} seq = $1");
                    sql::query(AssertSqlSafe(sql)).bind(*seq).execute(&mut *tx).await?;
                    continue;
                }
                opened => self.seal(tx, &opened?, id).await?,
            };
            let sql = format!(
                "UPDATE subscriptions SET {prefix}secret = $1, {prefix}secret_key = $2
                 WHERE seq = $3"
            );
            let store = sql::query(AssertSqlSafe(sql)).bind(sealed.bytes);
            store.bind(sealed.key.as_str()).bind(*seq).execute(&mut *tx).await?;
            step.secrets += 1;
        }
        Ok(())
    }

    /// Last step: removes all keys but the newest from the file, unless a secret still needs one of
    /// them. Returns whether the other keys were removed.
    pub async fn end_rotation(self) -> Result<bool> {
        // Secrets are encrypted within transactions too, so no old key is used during this one.
        self.store
            .administer(move |tx, _| {
                Box::pin(async move {
                    let newest = self.store.keyring.ids()?.into_iter().next();
                    if keys_in_use(tx).await?.into_iter().any(|key| Some(key) != newest) {
                        return Ok(false);
                    }
                    self.store.keyring.keep_newest(self.store.file())?;
                    Ok(true)
                })
            })
            .await
    }
}

/// Subscription with a secret to encrypt again.
#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    id: String,
    #[sqlx(flatten)]
    secrets: SealedSecrets,
}
