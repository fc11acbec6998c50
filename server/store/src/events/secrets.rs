//! Webhook secrets in the database: encrypted in the transaction that writes them, decrypted after they were
//! read. What encrypts them is in [`secrets`](crate::secrets).

mod old;
pub(crate) mod rotation;

use chrono::{DateTime, Utc};
use domain::{
    action::Action,
    signature::{Secret, Secrets},
};
use serde_json::json;
use sqlx::AssertSqlSafe;

use self::old::FORGET;
use super::stop::DELETE;
use crate::{
    areas,
    audit_log::Entry,
    engine::sql::{self, Connection, Target},
    error::Result,
    secrets::{self, KeyId, Sealed},
};

/// The columns of a subscription's secrets.
pub(super) const SECRET_COLUMNS: &str =
    "secret, secret_key, old_secret, old_secret_key, old_secret_until";

/// A row's [`SECRET_COLUMNS`], where there is a secret: the subscription is not deleted.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct SealedSecrets {
    secret: Vec<u8>,
    secret_key: String,
    old_secret: Option<Vec<u8>>,
    old_secret_key: Option<String>,
    old_secret_until: Option<i64>,
}

impl SealedSecrets {
    /// The time in milliseconds until which webhooks are signed with an old secret.
    pub(super) fn until(&self) -> Option<i64> {
        self.old_secret_until
    }

    fn current(&self) -> Sealed {
        Sealed { key: KeyId::from_stored(self.secret_key.clone()), bytes: self.secret.clone() }
    }

    /// The old secret, and the time in milliseconds until which webhooks are signed with it.
    fn old(&self) -> Option<(Sealed, i64)> {
        let (bytes, key) = self.old_secret.clone().zip(self.old_secret_key.clone())?;
        Some((Sealed { key: KeyId::from_stored(key), bytes }, self.old_secret_until?))
    }
}

impl areas::Subscriptions<'_> {
    /// Deletes the subscriptions whose secrets are encrypted with `key`, which is lost, and old secrets of
    /// others. Returns the ids of those deleted.
    ///
    /// # Errors
    /// [`secrets::Error::NotLost`].
    pub async fn give_up_key(self, key: &KeyId) -> Result<Vec<String>> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    if self.store.keyring.ids()?.contains(key) {
                        let place = self.store.keyring.place().clone();
                        return Err(secrets::Error::NotLost { key: key.clone(), place }.into());
                    }
                    let sql =
                        format!("UPDATE subscriptions {DELETE} WHERE secret_key = $1 RETURNING id");
                    let deleted: Vec<String> = sql::query_scalar(AssertSqlSafe(sql))
                        .bind(key.as_str())
                        .fetch_all(&mut **tx)
                        .await?;
                    for id in &deleted {
                        let entry = Entry::of(Action::DeleteWebhook, id)
                            .after(json!({ "lostKey": key.as_str() }));
                        self.store.note(tx, now, entry).await?;
                    }
                    let sql = format!("{FORGET} old_secret_key = $1");
                    sql::query(AssertSqlSafe(sql)).bind(key.as_str()).execute(&mut **tx).await?;
                    Ok(deleted)
                })
            })
            .await
    }

    /// Decrypts what the webhooks of a subscription are signed with at `now`. An old secret that is damaged
    /// is left out: receivers that know the new one need not wait for it.
    ///
    /// # Errors
    /// [`secrets::Error::Unknown`], [`secrets::Error::Damaged`].
    pub(super) fn open_secrets(
        self,
        subscription: &str,
        sealed: &SealedSecrets,
        now: DateTime<Utc>,
    ) -> secrets::Result<Secrets> {
        let open = |sealed: &Sealed| {
            self.store.keyring.open(sealed, subscription).map(Secret::from_stored)
        };
        let current = open(&sealed.current())?;
        let old = match sealed.old() {
            Some((old, until)) if until > now.timestamp_millis() => match open(&old) {
                Err(secrets::Error::Damaged { .. }) => {
                    tracing::warn!(
                        subscription,
                        "the old secret cannot be decrypted: webhooks are signed with the new one only"
                    );
                    None
                }
                opened => Some(opened?),
            },
            _ => None,
        };
        Ok(Secrets { current, old })
    }

    /// Checks that the key file or variable is as it should be, and has the keys of all secrets.
    ///
    /// # Errors
    /// [`Error::Secrets`](crate::Error::Secrets).
    pub async fn check_secrets(self) -> Result<()> {
        let known = self.store.keyring.ids()?;
        match keys_in_use(&self.store.readers).await?.into_iter().find(|key| !known.contains(key)) {
            None => Ok(()),
            Some(key) => Err(self.unknown(key).into()),
        }
    }

    /// Checks that the secret of a subscription can be decrypted.
    ///
    /// # Errors
    /// [`Error::Secrets`](crate::Error::Secrets).
    pub async fn check_secret(self, subscription: &str) -> Result<()> {
        // A key that a rotation is about to remove is known from here on.
        self.store.keyring.ids()?;
        let sql = format!(
            "SELECT {SECRET_COLUMNS} FROM subscriptions WHERE id = $1 AND secret IS NOT NULL"
        );
        let row: Option<SealedSecrets> = sql::query_as(AssertSqlSafe(sql))
            .bind(subscription)
            .fetch_optional(&self.store.readers)
            .await?;
        if let Some(sealed) = row {
            self.open_secrets(subscription, &sealed, self.store.clock.now())?;
        }
        Ok(())
    }

    /// Encrypts a secret that `tx` is going to store. The first one of a database makes the key.
    pub(crate) async fn seal(
        self,
        tx: &mut Connection,
        secret: &str,
        subscription: &str,
    ) -> Result<Sealed> {
        if let Some(sealed) = self.store.keyring.seal(secret, subscription, &self.store.random)? {
            return Ok(sealed);
        }
        // A new key would make it look as if the one that is missing had never been.
        if let Some(key) = keys_in_use(tx).await?.pop() {
            return Err(self.unknown(key).into());
        }
        let key = self.store.keyring.create(&self.store.random, self.store.file())?;
        let sealed = self.store.keyring.seal(secret, subscription, &self.store.random)?;
        Ok(sealed.ok_or_else(|| self.unknown(key))?)
    }

    fn unknown(self, key: KeyId) -> secrets::Error {
        secrets::Error::Unknown { key, place: self.store.keyring.place().clone() }
    }
}

/// The keys that secrets are encrypted with.
pub(crate) async fn keys_in_use<'c>(target: impl Into<Target<'c>>) -> Result<Vec<KeyId>> {
    let sql = "SELECT secret_key FROM subscriptions WHERE secret_key IS NOT NULL
         UNION SELECT old_secret_key FROM subscriptions WHERE old_secret_key IS NOT NULL
         ORDER BY 1";
    let keys: Vec<String> = sql::query_scalar(sql).fetch_all(target).await?;
    Ok(keys.into_iter().map(KeyId::from_stored).collect())
}
