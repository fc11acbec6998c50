//! Health of endpoints, for their partners.

use base::time::Timestamp;
use domain::subscription::{EndpointState, SubscriptionStatus};
use sqlx::AssertSqlSafe;

use super::subscriptions::{Row, Subscription, columns, unsent};
use crate::{
    areas,
    engine::sql::{self, Connection},
    error::Result,
};

/// Maximum number of pending deliveries searched for the reason of the last failure.
const MAX_EXAMINED: i64 = 100;

/// A subscription with the health of its endpoint.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct SubscriptionWithHealth {
    #[serde(flatten)]
    pub subscription: Subscription,
    /// Health of the endpoint.
    pub health: Health,
}

/// Health of a subscription's endpoint.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EndpointHealth")]
pub struct Health {
    /// `HEALTHY`; `FAILING`: the last attempts failed; `PAUSED`: nothing is sent but a probe now and then; `DISABLED`:
    /// nothing is sent.
    pub state: EndpointState,
    /// Start of the first of the current failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// Reason why the last attempt failed, or why the subscription is disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Time of the next attempt while the endpoint fails. Of a paused endpoint, that is the next probe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_attempt_at: Option<Timestamp>,
    /// Events that are still to be sent, or wait for another attempt. Of the log, only the next 100,000 are counted.
    pub backlog: i64,
}

#[derive(sqlx::FromRow)]
struct HealthRow {
    #[sqlx(flatten)]
    subscription: Row,
    seq: i64,
    failing_since: Option<i64>,
    last_failure_at: Option<i64>,
    paused_until: Option<i64>,
    due_at: Option<i64>,
    backlog: i64,
}

impl areas::Subscriptions<'_> {
    /// Returns a partner's subscriptions, newest first.
    pub async fn with_health(self, partner_id: i64) -> Result<Vec<SubscriptionWithHealth>> {
        self.of_partner(partner_id, None).await
    }

    /// Returns a partner's subscription with this id.
    pub async fn one_with_health(
        self,
        partner_id: i64,
        id: &str,
    ) -> Result<Option<SubscriptionWithHealth>> {
        Ok(self.of_partner(partner_id, Some(id)).await?.pop())
    }

    async fn of_partner(
        self,
        partner_id: i64,
        id: Option<&str>,
    ) -> Result<Vec<SubscriptionWithHealth>> {
        self.store.read(move |tx| {
            Box::pin(async move {
                let (columns, unsent) = (columns(), unsent());
                let sql = format!(
                    "SELECT {columns}, s.seq, s.failing_since, s.last_failure_at, s.paused_until,
                            (SELECT min(d.due_at) FROM deliveries d
                             WHERE d.subscription_seq = s.seq AND d.due_at IS NOT NULL) AS due_at,
                            (SELECT count(*) FROM deliveries d
                             WHERE d.subscription_seq = s.seq AND d.due_at IS NOT NULL) + {unsent} AS backlog
                     FROM subscriptions s
                     WHERE s.partner_id = $1 AND s.status <> 'DELETED' AND ($2 IS NULL OR s.id = $2)
                     ORDER BY s.seq DESC"
                );
                let rows: Vec<HealthRow> = sql::query_as(AssertSqlSafe(sql))
                .bind(partner_id)
                .bind(id)
                .fetch_all(&mut **tx)
                .await?;
                let mut subscriptions = Vec::with_capacity(rows.len());
                for row in rows {
                    subscriptions.push(with_health(tx, row).await?);
                }
                Ok(subscriptions)
            })
        })
        .await
    }
}

async fn with_health(tx: &mut Connection, row: HealthRow) -> Result<SubscriptionWithHealth> {
    let subscription = Subscription::try_from(row.subscription)?;
    let state = match (subscription.status, row.paused_until, row.failing_since) {
        (SubscriptionStatus::Disabled, ..) => EndpointState::Disabled,
        (_, Some(_), _) => EndpointState::Paused,
        (_, None, Some(_)) => EndpointState::Failing,
        _ => EndpointState::Healthy,
    };
    let (since, reason, next) = match state {
        EndpointState::Healthy => (None, None, None),
        EndpointState::Disabled => (None, subscription.disabled_reason.clone(), None),
        EndpointState::Failing | EndpointState::Paused => {
            let reason = match row.last_failure_at {
                Some(at) => last_failure(tx, row.seq, at).await?,
                None => None,
            };
            (
                row.failing_since.map(Timestamp::from_millis),
                reason,
                row.paused_until.or(row.due_at).map(Timestamp::from_millis),
            )
        }
    };
    let health = Health { state, since, reason, next_attempt_at: next, backlog: row.backlog };
    Ok(SubscriptionWithHealth { subscription, health })
}

/// Selects the last failed attempt. Searches the deliveries that are due last, because a pause ends
/// for all of them at once.
pub(super) const LAST_FAILURE: &str = "
    SELECT a.status_code, a.error
    FROM (SELECT event_seq FROM deliveries WHERE subscription_seq = $1 AND due_at IS NOT NULL
          ORDER BY due_at DESC LIMIT $3) d
    CROSS JOIN attempts a
    WHERE a.subscription_seq = $1 AND a.event_seq = d.event_seq AND a.started_at <= $2
    ORDER BY a.started_at DESC, a.number DESC LIMIT 1";

/// Returns the reason why the attempts of a subscription failed last, at the time `at`.
pub(super) async fn last_failure(
    tx: &mut Connection,
    subscription: i64,
    at: i64,
) -> Result<Option<String>> {
    let last: Option<(Option<i64>, Option<String>)> = sql::query_as(LAST_FAILURE)
        .bind(subscription)
        .bind(at)
        .bind(MAX_EXAMINED)
        .fetch_optional(tx)
        .await?;
    Ok(last.and_then(|(status, error)| {
        status.map(|status| format!("the response was {status}")).or(error)
    }))
}
