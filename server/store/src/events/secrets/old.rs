//! A new secret for a subscription, and the old one beside it for a while.

use chrono::{DateTime, Utc};
use domain::signature::{OLD_SECRET_LASTS, Secret};

use crate::{
    areas,
    engine::sql::{self, Connection},
    error::Result,
    events::subscriptions::{self, Subscription},
    secrets::KeyId,
};

/// Subscriptions whose old secrets one transaction forgets: some milliseconds.
const BATCH: i64 = 1_000;

impl areas::Subscriptions<'_> {
    /// Gives a partner's subscription a new secret. Webhooks are signed with the one before, too, for
    /// [`OLD_SECRET_LASTS`]; a still older one is forgotten. Returns the subscription, if there is one.
    ///
    /// # Errors
    /// [`Error::Secrets`](crate::Error::Secrets).
    pub async fn rotate_secret(
        self,
        partner_id: i64,
        id: &str,
        new: &Secret,
    ) -> Result<Option<Subscription>> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    let until = now + OLD_SECRET_LASTS;
                    if !keep_as_old(tx, partner_id, id, until).await? {
                        return Ok(None);
                    }
                    let sealed = self.seal(tx, new.as_str(), id).await?;
                    sql::query(
                        "UPDATE subscriptions SET secret = $2, secret_key = $3 WHERE id = $1",
                    )
                    .bind(id.to_owned())
                    .bind(sealed.bytes)
                    .bind(sealed.key.as_str().to_owned())
                    .execute(&mut **tx)
                    .await?;
                    subscriptions::find(tx, id).await
                })
            })
            .await
    }

    /// Forgets some of the old secrets that no webhook is signed with any more at `now`. Returns whether
    /// there may be more.
    pub async fn forget_old_secrets(self, now: DateTime<Utc>) -> Result<bool> {
        let forgotten = self
            .store
            .administer(move |tx, _| {
                Box::pin(async move {
                    let forgotten = sql::query(
                        "UPDATE subscriptions
                         SET old_secret = NULL, old_secret_key = NULL, old_secret_until = NULL
                         WHERE seq IN (SELECT seq FROM subscriptions
                                       WHERE old_secret_until <= $1 ORDER BY seq LIMIT $2)",
                    )
                    .bind(now.timestamp_millis())
                    .bind(BATCH)
                    .execute(&mut **tx)
                    .await?;
                    Ok(forgotten)
                })
            })
            .await?;
        Ok(forgotten >= BATCH.unsigned_abs())
    }
}

/// Makes the secret of a partner's subscription its old one. Returns whether there is one.
async fn keep_as_old(
    tx: &mut Connection,
    partner_id: i64,
    id: &str,
    until: DateTime<Utc>,
) -> Result<bool> {
    let kept = sql::query(
        "UPDATE subscriptions
         SET old_secret = secret, old_secret_key = secret_key, old_secret_until = $3,
             revision = revision + 1
         WHERE id = $1 AND partner_id = $2 AND status <> 'DELETED'",
    )
    .bind(id.to_owned())
    .bind(partner_id)
    .bind(until.timestamp_millis())
    .execute(tx)
    .await?;
    Ok(kept == 1)
}

/// Forgets the old secret of the subscription with this number.
pub(super) async fn forget_of(tx: &mut Connection, seq: i64) -> Result<()> {
    sql::query(
        "UPDATE subscriptions
         SET old_secret = NULL, old_secret_key = NULL, old_secret_until = NULL WHERE seq = $1",
    )
    .bind(seq)
    .execute(tx)
    .await?;
    Ok(())
}

/// Forgets old secrets that are encrypted with this key.
pub(super) async fn forget_of_key(tx: &mut Connection, key: &KeyId) -> Result<()> {
    sql::query(
        "UPDATE subscriptions
         SET old_secret = NULL, old_secret_key = NULL, old_secret_until = NULL
         WHERE old_secret_key = $1",
    )
    .bind(key.as_str().to_owned())
    .execute(tx)
    .await?;
    Ok(())
}
