//! Rotation of a subscription's secret. The old secret stays valid for a while.

use chrono::{DateTime, Utc};
use domain::{
    action::Action,
    signature::{OLD_SECRET_LASTS, Secret},
};
use futures_util::TryFutureExt;
use sqlx::AssertSqlSafe;

use crate::{
    areas,
    audit_log::Entry,
    engine::sql::{self, Connection},
    error::Result,
    events::subscriptions::{self, Subscription},
};

/// Head of a statement that removes old secrets; a condition follows.
pub(super) const FORGET: &str = "UPDATE subscriptions
    SET old_secret = NULL, old_secret_key = NULL, old_secret_until = NULL WHERE ";

/// Maximum number of old secrets removed per transaction, which takes a few milliseconds.
const BATCH: i64 = 1_000;

impl areas::Subscriptions<'_> {
    /// Gives a partner's subscription a new secret. Webhooks are also signed with the previous
    /// secret for [`OLD_SECRET_LASTS`]; an even older one is removed. Returns the subscription, if
    /// it exists.
    ///
    /// # Errors [`Error::Secrets`](crate::Error::Secrets).
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
                    subscriptions::check_state(self.store, tx, id).await?;
                    let sealed = self.seal(tx, new.as_str(), id).await?;
                    let sql = "UPDATE subscriptions SET secret = $2, secret_key = $3 WHERE id = $1";
                    sql::query(sql)
                        .bind(id)
                        .bind(sealed.bytes)
                        .bind(sealed.key.as_str())
                        .execute(&mut **tx)
                        .await?;
                    let entry = Entry::of(Action::RotateWebhook, id);
                    self.store.note(tx, now, entry).await?;
                    subscriptions::find(tx, id).await
                })
            })
            .await
    }

    /// Removes some of the old secrets that have expired at `now`. Returns whether there may be
    /// more.
    pub async fn forget_old_secrets(self, now: DateTime<Utc>) -> Result<bool> {
        let forget = || {
            let sql = format!(
                "{FORGET} seq IN (SELECT seq FROM subscriptions
                                  WHERE old_secret_until <= $1 ORDER BY seq LIMIT $2)"
            );
            sql::query(AssertSqlSafe(sql)).bind(now.timestamp_millis()).bind(BATCH)
        };
        let forgotten =
            self.store.administer(|tx, _| Box::pin(forget().execute(tx).err_into())).await?;
        Ok(forgotten >= BATCH.unsigned_abs())
    }
}

/// Makes the secret of a partner's subscription its old one. Returns whether the subscription
/// exists.
async fn keep_as_old(
    tx: &mut Connection,
    partner_id: i64,
    id: &str,
    until: DateTime<Utc>,
) -> Result<bool> {
    let sql = "UPDATE subscriptions
         SET old_secret = secret, old_secret_key = secret_key, old_secret_until = $3,
             revision = revision + 1
         WHERE id = $1 AND partner_id = $2 AND status <> 'DELETED'";
    let kept = sql::query(sql)
        .bind(id)
        .bind(partner_id)
        .bind(until.timestamp_millis())
        .execute(tx)
        .await?;
    Ok(kept == 1)
}
