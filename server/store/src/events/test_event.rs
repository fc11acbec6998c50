//! Test events: each is sent once to one subscription, regardless of the events that it lists.

use domain::{
    event::{Event, Sample},
    subscription::DeliveryId,
};
use sqlx::AssertSqlSafe;

use super::{
    outbox,
    rounds::{Ended, NextStep},
    stop::{DISABLE, HEALTHY},
};
use crate::{
    Store,
    engine::sql::{self, Connection},
    error::Result,
};

/// Stored test event that is about to be sent.
#[derive(Clone, Debug)]
pub struct TestEvent {
    pub id: DeliveryId,
    pub event: Event,
}

/// Subscription found by its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Known {
    pub seq: i64,
    /// Whether the operator has disabled the subscription.
    pub is_held: bool,
}

impl Store {
    /// Returns a partner's subscription by its id.
    pub async fn subscription_of(&self, partner_id: i64, id: &str) -> Result<Option<Known>> {
        let sql = "SELECT seq, held AS is_held FROM subscriptions
             WHERE id = $1 AND partner_id = $2 AND status <> 'DELETED'";
        let known = sql::query_as(sql);
        Ok(known.bind(id).bind(partner_id).fetch_optional(&self.readers).await?)
    }

    /// Stores a test event for the subscription with this number and id: `sample`, or else a
    /// `webhook.test`.
    pub async fn begin_test(
        &self,
        seq: i64,
        id: &str,
        sample: Option<&Sample>,
    ) -> Result<TestEvent> {
        let random = &self.random;
        self.write(move |tx, now| {
            Box::pin(async move {
                let event = match sample {
                    Some(sample) => Event::sample(sample, now, random),
                    None => Event::test(id, now, random),
                };
                outbox::insert(tx, std::slice::from_ref(&event), now).await?;
                let number = sql::query_scalar("SELECT seq FROM events WHERE id = $1")
                    .bind(event.id.as_str())
                    .fetch_one(&mut **tx)
                    .await?;
                Ok(TestEvent { id: DeliveryId { subscription: seq, event: number }, event })
            })
        })
        .await
    }

    /// Stores the result of a test. An accepted test marks the endpoint as healthy; a failed one
    /// does not change its health. After a response of 410, `gone` contains the reason for
    /// disabling the subscription. Returns whether it was disabled.
    pub async fn end_test(&self, ended: &Ended, gone: Option<&str>) -> Result<bool> {
        self.administer(move |tx, _| Box::pin(write(tx, ended, gone))).await
    }
}

async fn write(tx: &mut Connection, ended: &Ended, gone: Option<&str>) -> Result<bool> {
    let is_delivered = ended.next == NextStep::Delivered;
    let sql = "INSERT INTO deliveries (subscription_seq, event_seq, status, attempts)
         SELECT seq, $2, $3, 1 FROM subscriptions WHERE seq = $1 AND status <> 'DELETED'";
    let written = sql::query(sql)
        .bind(ended.id.subscription)
        .bind(ended.id.event)
        .bind(if is_delivered { "DELIVERED" } else { "FAILED" })
        .execute(&mut *tx)
        .await?;
    if written == 0 {
        return Ok(false);
    }
    let sql = "INSERT INTO attempts (subscription_seq, event_seq, number, started_at, duration_ms,
                               status_code, error, response)
         VALUES ($1, $2, 1, $3, $4, $5, $6, $7)";
    sql::query(sql)
        .bind(ended.id.subscription)
        .bind(ended.id.event)
        .bind(ended.started_at.timestamp_millis())
        .bind(ended.duration)
        .bind(ended.outcome.as_ref().ok().map(|status| i64::from(*status)))
        .bind(ended.outcome.as_ref().err().cloned())
        .bind(ended.response.clone())
        .execute(&mut *tx)
        .await?;
    if is_delivered {
        let sql = format!(
            "UPDATE subscriptions SET {HEALTHY}, revision = revision + 1
             WHERE seq = $1 AND status = 'ACTIVE' AND failures > 0"
        );
        sql::query(AssertSqlSafe(sql)).bind(ended.id.subscription).execute(&mut *tx).await?;
    }
    let Some(reason) = gone else { return Ok(false) };
    let sql = format!("UPDATE subscriptions {DISABLE} WHERE seq = $1 AND status = 'ACTIVE'");
    let disabled =
        sql::query(AssertSqlSafe(sql)).bind(ended.id.subscription).bind(reason).execute(tx).await?;
    Ok(disabled > 0)
}
