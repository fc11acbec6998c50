//! Changing the key. Every step can be repeated after a kill, and leaves a database that a service can use.

use sqlx::AssertSqlSafe;

use super::{SECRET_COLUMNS, SealedSecrets, keys_in_use, old::FORGET};
use crate::{
    areas,
    engine::sql::{self, Connection},
    engine::transaction::TURN,
    error::Result,
    secrets::{self, KeyId},
};

/// Secrets that one transaction encrypts: some milliseconds.
const BATCH: i64 = 100;

/// The result of a rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotated {
    /// What all secrets are encrypted with now.
    pub key: KeyId,
    /// How many were encrypted with another before.
    pub secrets: u64,
    /// The keys that nothing needs any more. Those of a file are removed from it.
    pub retired: Vec<KeyId>,
    /// The key was there already: it is that of a rotation that was interrupted, or of the environment.
    pub continued: bool,
}

/// The keys at the beginning of a rotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rotating {
    pub newest: KeyId,
    pub others: Vec<KeyId>,
    /// Whether the newest one was made for this rotation.
    pub added: bool,
}

/// What a step has encrypted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RotationStep {
    pub secrets: u64,
    /// Where the next step begins; `None` after the last one.
    pub next: Option<i64>,
    /// The first subscription whose secret is damaged.
    pub damaged: Option<String>,
}

impl areas::Subscriptions<'_> {
    /// Encrypts all secrets with a new key, or with the newest one if there are several. Returns `None` if
    /// there is no key yet.
    ///
    /// # Errors
    /// [`Error::Secrets`](crate::Error::Secrets). All secrets can be decrypted as before then; a new
    /// key stays beside the old one.
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

    /// The first step: adds a key, unless there are several already.
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

    /// The second step, repeated: encrypts some of the secrets that are not encrypted with the newest key,
    /// from the subscription of this number on.
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
                // Nothing can be signed with it, and it would soon be forgotten anyway.
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

    /// The last step: removes all keys but the newest from the file, unless a secret needs one. Returns
    /// whether none does.
    pub async fn end_rotation(self) -> Result<bool> {
        // Who encrypts does so in a transaction, too: while this one lasts, nobody uses an old key.
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

/// A subscription with a secret that is to be encrypted anew.
#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    id: String,
    #[sqlx(flatten)]
    secrets: SealedSecrets,
}
