//! Changing a subscription, by its partner.

use domain::{event::EventName, event_filter::EventFilter, subscription::SubscriptionStatus};
use sqlx::AssertSqlSafe;

use super::{
    stop::{self, DISABLE},
    subscriptions::{self, Subscription, enable},
    wanted::{set_events, set_filter},
};
use crate::{
    areas,
    engine::sql::{self, Connection},
    error::Result,
};

/// Why a subscription is disabled that its partner has disabled.
const BY_PARTNER: &str = "The partner has disabled it.";

/// What to change; `None` stays as it is.
#[derive(Clone, Debug, Default)]
pub struct Change {
    pub url: Option<String>,
    /// Each once.
    pub events: Option<Vec<EventName>>,
    /// `Some(None)` removes it.
    pub filter: Option<Option<EventFilter>>,
    pub status: Option<SubscriptionStatus>,
}

/// The result of changing a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// How it is now.
    Now(Box<Subscription>),
    /// The operator has disabled it, and nothing was changed.
    Held,
    Unknown,
}

impl areas::Subscriptions<'_> {
    /// Changes a partner's subscription. What it has not been sent yet goes to its new URL, and is what its
    /// new list says. Enabled, it gets what it missed.
    pub async fn change(self, partner_id: i64, id: &str, change: &Change) -> Result<Changed> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    let sql = "SELECT held, status FROM subscriptions
                     WHERE id = $1 AND partner_id = $2 AND status <> 'DELETED'";
                    let known: Option<(bool, String)> = sql::query_as(sql)
                        .bind(id)
                        .bind(partner_id)
                        .fetch_optional(&mut **tx)
                        .await?;
                    let Some((held, status)) = known else { return Ok(Changed::Unknown) };
                    if held && change.status == Some(SubscriptionStatus::Active) {
                        return Ok(Changed::Held);
                    }
                    if let Some(url) = &change.url {
                        set_url(tx, id, url).await?;
                    }
                    if let Some(events) = &change.events {
                        set_events(tx, id, events).await?;
                    }
                    if let Some(filter) = &change.filter {
                        set_filter(tx, id, filter.as_ref()).await?;
                    }
                    match change.status {
                        Some(SubscriptionStatus::Active) => {
                            enable(tx, id, now).await?;
                            stop::disable_without_key(tx, partner_id, now).await?;
                        }
                        Some(SubscriptionStatus::Disabled) if status == "ACTIVE" => {
                            let sql = format!("UPDATE subscriptions {DISABLE} WHERE id = $1");
                            let disable = sql::query(AssertSqlSafe(sql)).bind(id);
                            disable.bind(BY_PARTNER).execute(&mut **tx).await?;
                        }
                        _ => {}
                    }
                    let changed = subscriptions::find(tx, id).await?;
                    Ok(changed.map_or(Changed::Unknown, |now| Changed::Now(Box::new(now))))
                })
            })
            .await
    }
}

async fn set_url(tx: &mut Connection, id: &str, url: &str) -> Result<()> {
    // Failures were those of the endpoint before. What was missed by a disabled one is known by them.
    let sql = "UPDATE subscriptions
         SET url = $2, revision = revision + 1, failures = 0, failing_ms = 0, last_failure_at = NULL,
             paused_until = NULL, probes = 0,
             failing_since = CASE WHEN status <> 'ACTIVE' THEN failing_since END
         WHERE id = $1 AND url <> $2";
    sql::query(sql).bind(id).bind(url).execute(tx).await?;
    Ok(())
}
