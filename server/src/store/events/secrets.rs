//! Webhook secrets in the database: encrypted in the transaction that writes them, decrypted after they were
//! read. What encrypts them is in [`secrets`](crate::secrets).

mod lost;
pub(in crate::store) mod plain;
pub(in crate::store) mod rotation;

use sqlx::SqliteConnection;

use crate::{
    secrets::{self, KeyId, Sealed},
    store::{Store, error::Result},
};

impl Store {
    /// Checks that the key file or variable is as it should be, and has the keys of all secrets.
    ///
    /// # Errors
    /// [`Error::Secrets`](crate::store::Error::Secrets).
    pub async fn check_secrets(&self) -> Result<()> {
        let known = self.keyring.ids()?;
        let mut connection = self.readers.acquire().await?;
        match keys_in_use(&mut connection).await?.into_iter().find(|key| !known.contains(key)) {
            None => Ok(()),
            Some(key) => Err(self.unknown(key).into()),
        }
    }

    /// Checks that the secret of a subscription can be decrypted.
    ///
    /// # Errors
    /// [`Error::Secrets`](crate::store::Error::Secrets).
    pub async fn check_secret(&self, subscription: &str) -> Result<()> {
        // A key that a rotation is about to remove is known from here on.
        self.keyring.ids()?;
        let row: Option<(Vec<u8>, String)> = sqlx::query_as(
            "SELECT secret, secret_key FROM subscriptions WHERE id = $1 AND secret IS NOT NULL",
        )
        .bind(subscription.to_owned())
        .fetch_optional(&self.readers)
        .await?;
        if let Some((bytes, key)) = row {
            let sealed = Sealed { key: KeyId::from_stored(key), bytes };
            self.keyring.open(&sealed, subscription)?;
        }
        Ok(())
    }

    /// Encrypts a secret that `tx` is going to store. The first one of a database makes the key.
    pub(in crate::store) async fn seal(
        &self,
        tx: &mut SqliteConnection,
        secret: &str,
        subscription: &str,
    ) -> Result<Sealed> {
        let seal = || self.keyring.seal(secret, subscription, &self.random);
        if let Some(sealed) = seal()? {
            return Ok(sealed);
        }
        // A new key would make it look as if the one that is missing had never been.
        if let Some(key) = keys_in_use(tx).await?.pop() {
            return Err(self.unknown(key).into());
        }
        let key = self.keyring.create(&self.random, &self.path)?;
        Ok(seal()?.ok_or_else(|| self.unknown(key))?)
    }

    fn unknown(&self, key: KeyId) -> secrets::Error {
        secrets::Error::Unknown { key, place: self.keyring.place().clone() }
    }
}

/// The keys that secrets are encrypted with.
async fn keys_in_use(connection: &mut SqliteConnection) -> Result<Vec<KeyId>> {
    let keys: Vec<String> = sqlx::query_scalar(
        "SELECT DISTINCT secret_key FROM subscriptions
         WHERE secret_key IS NOT NULL ORDER BY secret_key",
    )
    .fetch_all(connection)
    .await?;
    Ok(keys.into_iter().map(KeyId::from_stored).collect())
}
