//! Giving up what a lost key has encrypted.

use sqlx::AssertSqlSafe;

use super::old;
use crate::{
    secrets::{self, KeyId},
    store::{Store, engine::sql, error::Result, events::stop::DELETE},
};

impl Store {
    /// Deletes the subscriptions whose secrets are encrypted with `key`, which is lost, and old secrets of
    /// others. Returns the ids of those deleted.
    ///
    /// # Errors
    /// [`secrets::Error::NotLost`].
    pub async fn give_up_key(&self, key: &KeyId) -> Result<Vec<String>> {
        self.administer(move |tx, _| {
            Box::pin(async move {
                if self.keyring.ids()?.contains(key) {
                    let place = self.keyring.place().clone();
                    return Err(secrets::Error::NotLost { key: key.clone(), place }.into());
                }
                let deleted = sql::query_scalar(AssertSqlSafe(format!(
                    "UPDATE subscriptions {DELETE} WHERE secret_key = $1 RETURNING id"
                )))
                .bind(key.as_str().to_owned())
                .fetch_all(&mut **tx)
                .await?;
                old::forget_of_key(tx, key).await?;
                Ok(deleted)
            })
        })
        .await
    }
}
