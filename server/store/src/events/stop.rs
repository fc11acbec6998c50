//! Assignments that disable and delete subscriptions, and disabling those of a partner without a valid
//! key.

use chrono::{DateTime, Utc};
use domain::subscription::OPERATOR;
use sqlx::AssertSqlSafe;

use crate::{
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
    // Keys of pages cannot manage subscriptions.
    let sql = "SELECT EXISTS (SELECT 1 FROM keys
                        WHERE partner_id = $1 AND tier <> 'operator' AND revoked_at IS NULL
                          AND origins IS NULL
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
