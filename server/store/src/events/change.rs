//! Changes that partners make to their subscriptions.

use domain::{
    action::Action, event::EventName, event_filter::EventFilter, subscription::SubscriptionStatus,
};
use serde_json::json;
use sqlx::AssertSqlSafe;

use super::{
    event_selection::{set_events, set_filter},
    stop::{self, DISABLE},
    subscriptions::{self, Subscription, enable},
};
use crate::{
    areas,
    audit_log::Entry,
    engine::sql::{self, Connection},
    error::Result,
};

/// Reason stored when the partner disables a subscription.
pub const DISABLED_BY_PARTNER: &str = "The partner has disabled it.";

/// Requested change; `None` keeps the current value.
#[derive(Clone, Debug, Default)]
pub struct Change {
    pub url: Option<String>,
    /// Event names, without duplicates.
    pub events: Option<Vec<EventName>>,
    /// New filter; `Some(None)` removes it.
    pub filter: Option<Option<EventFilter>>,
    pub status: Option<SubscriptionStatus>,
}

/// The result of changing a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// The subscription after the change.
    Now(Box<Subscription>),
    /// The operator has disabled the subscription; nothing was changed.
    Held,
    Unknown,
}

impl areas::Subscriptions<'_> {
    /// Changes a partner's subscription, or one of the operator's own. Pending events are then sent to the new URL, and only if
    /// the new list contains them. An enabled subscription is sent the events that it missed.
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
                    subscriptions::check_state(self.store, tx, id).await?;
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
                            disable.bind(DISABLED_BY_PARTNER).execute(&mut **tx).await?;
                        }
                        _ => {}
                    }
                    self.store.note(tx, now, noted(id, change)).await?;
                    let changed = subscriptions::find(tx, id).await?;
                    Ok(changed.map_or(Changed::Unknown, |now| Changed::Now(Box::new(now))))
                })
            })
            .await
    }
}

fn noted<'e>(id: &str, Change { url, events, filter, status }: &Change) -> Entry<'e> {
    let filter = filter.as_ref().map(|filter| json!(filter.as_ref()));
    let host = url.as_deref().map(subscriptions::host);
    let after = json!({ "host": host, "events": events, "filter": filter, "status": status });
    Entry::of(Action::ChangeWebhook, id).after(after)
}

async fn set_url(tx: &mut Connection, id: &str, url: &str) -> Result<()> {
    // Clears the failures of the previous endpoint. A disabled subscription keeps `failing_since`,
    // from which `enable` determines the missed deliveries.
    let sql = "UPDATE subscriptions
         SET url = $2, revision = revision + 1, failures = 0, failing_ms = 0, last_failure_at = NULL,
             paused_until = NULL, probes = 0,
             failing_since = CASE WHEN status <> 'ACTIVE' THEN failing_since END
         WHERE id = $1 AND url <> $2";
    sql::query(sql).bind(id).bind(url).execute(tx).await?;
    Ok(())
}
