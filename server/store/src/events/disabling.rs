//! Disabling and deleting subscriptions, by the operator or the partner.

use domain::action::Action;
use serde_json::json;
use sqlx::AssertSqlSafe;

use super::{
    stop::{DELETE, DISABLE},
    subscriptions::check_state,
};
use crate::{
    areas,
    audit_log::Entry,
    engine::sql::{self, Connection},
    error::Result,
};

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
                    check_state(self.store, tx, id).await?;
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
                    if !exists(tx, id, partner_id).await? {
                        return Ok(false);
                    }
                    check_state(self.store, tx, id).await?;
                    let deleted = delete(tx, id).await?;
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

async fn exists(tx: &mut Connection, id: &str, partner_id: Option<i64>) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM subscriptions
                        WHERE id = $1 AND ($2 IS NULL OR partner_id = $2) AND status <> 'DELETED')";
    Ok(sql::query_scalar(sql).bind(id).bind(partner_id).fetch_one(tx).await?)
}

async fn delete(tx: &mut Connection, id: &str) -> Result<bool> {
    let sql = format!("UPDATE subscriptions {DELETE} WHERE id = $1 AND status <> 'DELETED'");
    Ok(sql::query(AssertSqlSafe(sql)).bind(id).execute(tx).await? == 1)
}
