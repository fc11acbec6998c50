//! Giving up what a lost key has encrypted.

use domain::action::Action;
use serde_json::json;
use sqlx::AssertSqlSafe;

use super::old;
use crate::{
    Store,
    audit_log::Entry,
    engine::sql,
    error::Result,
    events::stop::DELETE,
    secrets::{self, KeyId},
};

impl Store {
    /// Deletes the subscriptions whose secrets are encrypted with `key`, which is lost, and old secrets of
    /// others. Returns the ids of those deleted.
    ///
    /// # Errors
    /// [`secrets::Error::NotLost`].
    pub async fn give_up_key(&self, key: &KeyId) -> Result<Vec<String>> {
        self.administer(move |tx, now| {
            Box::pin(async move {
                if self.keyring.ids()?.contains(key) {
                    let place = self.keyring.place().clone();
                    return Err(secrets::Error::NotLost { key: key.clone(), place }.into());
                }
                let deleted: Vec<String> = sql::query_scalar(AssertSqlSafe(format!(
                    "UPDATE subscriptions {DELETE} WHERE secret_key = $1 RETURNING id"
                )))
                .bind(key.as_str().to_owned())
                .fetch_all(&mut **tx)
                .await?;
                for id in &deleted {
                    let entry = Entry::of(Action::DeleteWebhook, id)
                        .after(json!({ "lostKey": key.as_str() }));
                    self.note(tx, now, entry).await?;
                }
                old::forget_of_key(tx, key).await?;
                Ok(deleted)
            })
        })
        .await
    }
}
