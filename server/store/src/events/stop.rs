//! Stopping subscriptions: because the operator says so, or because their partner has no key left.

use chrono::{DateTime, Utc};
use domain::action::Action;
use serde_json::json;
use sqlx::AssertSqlSafe;

use crate::{
    areas,
    audit_log::Entry,
    engine::sql::{self, Connection},
    error::Result,
};

/// What a subscription is set to that is disabled for the reason `$2`. Only an active one is.
pub(super) const DISABLE: &str =
    "SET status = 'DISABLED', disabled_reason = $2, revision = revision + 1";

/// What a subscription is set to whose endpoint is well.
pub(super) const HEALTHY: &str = "failing_since = NULL, failures = 0, failing_ms = 0, last_failure_at = NULL, \
    paused_until = NULL, probes = 0";

/// What a subscription is set to that is deleted.
pub(super) const DELETE: &str = "SET status = 'DELETED', disabled_reason = NULL, secret = NULL,
    secret_key = NULL, old_secret = NULL, old_secret_key = NULL, old_secret_until = NULL,
    lease_owner = NULL, lease_until = NULL";

/// Why a subscription is disabled whose partner could no longer end it.
const WITHOUT_KEY: &str = "The partner has no valid key any more.";

/// The result of disabling a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disabled {
    /// Nothing is sent to it any more.
    Now,
    /// It was disabled already. It has the new reason now, and only the operator can enable it.
    Before,
    Unknown,
}

/// Why a subscription is disabled, unless the operator gives another reason.
pub const DISABLED_BY_OPERATOR: &str = "The operator has disabled it.";

impl areas::Subscriptions<'_> {
    /// Disables a subscription, for this reason, until the operator enables it. What it misses waits, and is
    /// sent then.
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

    /// Deletes a subscription, whoever its partner is. Returns whether there was one.
    pub async fn delete(self, id: &str) -> Result<bool> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    let deleted = delete(tx, id, None).await?;
                    if deleted {
                        self.store.note(tx, now, Entry::of(Action::DeleteWebhook, id)).await?;
                    }
                    Ok(deleted)
                })
            })
            .await
    }

    /// Deletes a partner's subscription. Nothing more is sent to it once its dispatcher sees that; its log
    /// is pruned a little later. Returns whether there was one.
    pub async fn unsubscribe(self, partner_id: i64, id: &str) -> Result<bool> {
        self.store.administer(move |tx, _| Box::pin(delete(tx, id, Some(partner_id)))).await
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

/// Disables the subscriptions of a partner that has no valid key left with which it could manage them. Returns
/// the ids of all its subscriptions then, also of those that were disabled before, the oldest first.
///
/// To be called by everything that activates a subscription: the key that a request came with may have been
/// revoked meanwhile.
pub(crate) async fn disable_without_key(
    tx: &mut Connection,
    partner_id: i64,
    now: DateTime<Utc>,
) -> Result<Vec<String>> {
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
