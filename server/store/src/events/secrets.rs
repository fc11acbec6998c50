//! Webhook secrets in the database: encrypted in the transaction that writes them, and decrypted
//! after reading. See [`secrets`](crate::secrets) for the encryption.

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

/// Columns of a subscription's secrets.
pub(super) const SECRET_COLUMNS: &str =
    "secret, secret_key, old_secret, old_secret_key, old_secret_until";

/// Row with these [`SECRET_COLUMNS`]. Requires that there is a secret, so the subscription is not
/// deleted.
#[derive(Clone, Debug, sqlx::FromRow)]
pub(super) struct SealedSecrets {
    secret: Vec<u8>,
    secret_key: String,
    old_secret: Option<Vec<u8>>,
    old_secret_key: Option<String>,
    old_secret_until: Option<i64>,
}

impl SealedSecrets {
    /// Returns the time in milliseconds until which webhooks are signed with an old secret.
    pub(super) fn until(&self) -> Option<i64> {
        self.old_secret_until
    }

    fn current(&self) -> Sealed {
        Sealed { key: KeyId::from_stored(self.secret_key.clone()), bytes: self.secret.clone() }
    }

    /// Returns the old secret and the time in milliseconds until which webhooks are signed with it.
    fn old(&self) -> Option<(Sealed, i64)> {
        let (bytes, key) = self.old_secret.clone().zip(self.old_secret_key.clone())?;
        Some((Sealed { key: KeyId::from_stored(key), bytes }, self.old_secret_until?))
    }
}

impl areas::Subscriptions<'_> {
    /// Deletes the subscriptions whose secrets are encrypted with the lost `key`. Removes old
    /// secrets encrypted with it from other subscriptions. Returns the ids of the deleted
    /// subscriptions. Stored responses encrypted with it are forgotten.
    ///
    /// # Errors [`secrets::Error::NotLost`].
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
                    let forget_responses = "UPDATE idempotency_keys
                         SET response = NULL, response_key = NULL WHERE response_key = $1";
                    let forget_old = format!("{FORGET} old_secret_key = $1");
                    for forget in [&*forget_old, forget_responses] {
                        let forget = sql::query(AssertSqlSafe(forget.to_owned()));
                        forget.bind(key.as_str()).execute(&mut **tx).await?;
                    }
                    Ok(deleted)
                })
            })
            .await
    }

    /// Decrypts the secrets that sign a subscription's webhooks at `now`. Omits a damaged old
    /// secret, so that receivers with the new one still get webhooks.
    ///
    /// # Errors [`secrets::Error::Unknown`], [`secrets::Error::Damaged`].
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

    /// Checks that the key file or variable is valid and contains the keys of all secrets.
    ///
    /// # Errors [`Error::Secrets`](crate::Error::Secrets).
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
        // Loads the keys now, so a key that a rotation is about to remove can still be used.
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

    /// Encrypts a secret of a subscription, or a response with a secret, that `tx` is going to store. Creates the key for the first secret of a
    /// database.
    pub(crate) async fn seal(
        self,
        tx: &mut Connection,
        secret: &str,
        subject: &str,
    ) -> Result<Sealed> {
        if let Some(sealed) = self.store.keyring.seal(secret, subject, &self.store.random)? {
            return Ok(sealed);
        }
        // Creating a new key would hide that the key of existing secrets is missing.
        if let Some(key) = keys_in_use(tx).await?.pop() {
            return Err(self.unknown(key).into());
        }
        let key = self.store.keyring.create(&self.store.random, self.store.file())?;
        let sealed = self.store.keyring.seal(secret, subject, &self.store.random)?;
        Ok(sealed.ok_or_else(|| self.unknown(key))?)
    }

    fn unknown(self, key: KeyId) -> secrets::Error {
        secrets::Error::Unknown { key, place: self.store.keyring.place().clone() }
    }
}

/// Returns the ids of the keys with which secrets are encrypted.
pub(crate) async fn keys_in_use<'c>(target: impl Into<Target<'c>>) -> Result<Vec<KeyId>> {
    let sql = "SELECT secret_key FROM subscriptions WHERE secret_key IS NOT NULL
         UNION SELECT old_secret_key FROM subscriptions WHERE old_secret_key IS NOT NULL
         UNION SELECT response_key FROM idempotency_keys WHERE response_key IS NOT NULL
         ORDER BY 1";
    let keys: Vec<String> = sql::query_scalar(sql).fetch_all(target).await?;
    Ok(keys.into_iter().map(KeyId::from_stored).collect())
}
