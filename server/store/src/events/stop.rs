//! Disabling and deleting subscriptions: by the operator or the partner, or because the partner has
//! no valid key left.

use chrono::{DateTime, Utc};
use domain::{action::Action, subscription::OPERATOR};
use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::{
    areas,
    audit_log::Entry,
    engine::sql::{self, Connection},
    error::Result,
};

/// Assignments that disable a subscription for the reason `$2`. Only valid for active
/// subscriptions.
pub(super) const DISABLE: &str =
    "SET status = 'DISABLED', disabled_reason = $2, revision = revision + 1";

/// Assignments that mark an endpoint as healthy.
pub(super) const HEALTHY: &str = "failing_since = NULL, failures = 0, failing_ms = 0, last_failure_at = NULL, \
    paused_until = NULL, probes = 0";

/// Assignments that delete a subscription.
pub(super) const DELETE: &str = "SET status = 'DELETED', disabled_reason = NULL, secret = NULL,
    secret_key = NULL, old_secret = NULL, old_secret_key = NULL, old_secret_until = NULL,
    lease_owner = NULL, lease_until = NULL";

/// Reason stored when the partner has no key left with which to manage its subscriptions.
pub const WITHOUT_KEY: &str = "The partner has no valid key any more.";

/// Result of disabling a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disabled {
    /// The subscription is disabled now.
    Now,
    /// The subscription was disabled already. It now has the new reason, and only the operator can
    /// enable it.
    Before,
    Unknown,
}

/// Default reason when the operator disables a subscription.
pub const DISABLED_BY_OPERATOR: &str = "The operator has disabled it.";

impl areas::Subscriptions<'_> {
    /// Disables a subscription until the operator enables it. Events in the meantime are kept and
    /// sent when it is enabled.
    pub async fn disable(self, id: &str, reason: &str) -> Result<Disabled> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    let disabled = disable(tx, id, reason).await?;
                    if disabled != Disabled::Unknown {
                        let entry = Entry::of(Action::DisableWebhook, id)
                            .after(json!({ "reason": reason }));
                        self.store.note(tx, now, entry).await?;
                    }
                    Ok(disabled)
                })
            })
            .await
    }

    /// Deletes a subscription of any partner. Returns whether it existed.
    pub async fn delete(self, id: &str) -> Result<bool> {
        self.remove(id, None).await
    }

    async fn remove(self, id: &str, partner_id: Option<i64>) -> Result<bool> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    let deleted = delete(tx, id, partner_id).await?;
                    if deleted {
                        self.store.note(tx, now, Entry::of(Action::DeleteWebhook, id)).await?;
                    }
                    Ok(deleted)
                })
            })
            .await
    }

    /// Deletes a partner's subscription. Its dispatcher stops sending as soon as it detects that;
    /// its deliveries are pruned a little later. Returns whether the subscription existed.
    pub async fn unsubscribe(self, partner_id: i64, id: &str) -> Result<bool> {
        self.remove(id, Some(partner_id)).await
    }
}

async fn disable(tx: &mut Connection, id: &str, reason: &str) -> Result<Disabled> {
    let status: Option<String> =
        sql::query_scalar("SELECT status FROM subscriptions WHERE id = $1 AND status <> 'DELETED'")
            .bind(id)
            .fetch_optional(&mut *tx)
            .await?;
    match status.as_deref() {
        None => return Ok(Disabled::Unknown),
        Some("DISABLED") => {
            sql::query("UPDATE subscriptions SET held = TRUE, disabled_reason = $2 WHERE id = $1")
                .bind(id)
                .bind(reason)
                .execute(tx)
                .await?;
            return Ok(Disabled::Before);
        }
        Some(_) => {}
    }
    sql::query(AssertSqlSafe(format!("UPDATE subscriptions {DISABLE}, held = TRUE WHERE id = $1")))
        .bind(id)
        .bind(reason)
        .execute(tx)
        .await?;
    Ok(Disabled::Now)
}

async fn delete(tx: &mut Connection, id: &str, partner_id: Option<i64>) -> Result<bool> {
    let sql = format!(
        "UPDATE subscriptions {DELETE}
         WHERE id = $1 AND ($2 IS NULL OR partner_id = $2) AND status <> 'DELETED'"
    );
    let deleted = sql::query(AssertSqlSafe(sql)).bind(id).bind(partner_id).execute(tx).await?;
    Ok(deleted == 1)
}

/// Disables a partner's subscriptions if no valid key is left to manage them. Returns the ids of
/// all its subscriptions in that case, including those disabled before, oldest first.
///
/// Must be called by all code that activates a subscription: the key of the request may have been
/// revoked in the meantime.
pub(crate) async fn disable_without_key(
    tx: &mut Connection,
    partner_id: i64,
    now: DateTime<Utc>,
) -> Result<Vec<String>> {
    // The operator always has keys: they can be created on the command line.
    if partner_id == OPERATOR {
        return Ok(Vec::new());
    }
    let sql = "SELECT EXISTS (SELECT 1 FROM keys
                        WHERE partner_id = $1 AND tier <> 'operator' AND revoked_at IS NULL
                          AND (expires_at IS NULL OR expires_at > $2))";
    let has_key: bool = sql::query_scalar(sql)
        .bind(partner_id)
        .bind(now.timestamp_millis())
        .fetch_one(&mut *tx)
        .await?;
    if has_key {
        return Ok(Vec::new());
    }
    let sql = format!("UPDATE subscriptions {DISABLE} WHERE partner_id = $1 AND status = 'ACTIVE'");
    sql::query(AssertSqlSafe(sql)).bind(partner_id).bind(WITHOUT_KEY).execute(&mut *tx).await?;
    let sql =
        "SELECT id FROM subscriptions WHERE partner_id = $1 AND status <> 'DELETED' ORDER BY seq";
    let left = sql::query_scalar(sql);
    Ok(left.bind(partner_id).fetch_all(tx).await?)
}
