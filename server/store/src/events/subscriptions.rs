use base::time::Timestamp;
use chrono::{DateTime, Utc};
use domain::{
    action::Action,
    event::EventName,
    event_filter::EventFilter,
    subscription::{NewSubscription, SubscriptionStatus},
    tier::Tier,
};
use serde_json::json;
use sqlx::AssertSqlSafe;

use super::{
    event_selection::{EventSelection, IS_SANDBOX, column, selection_columns, set_filter},
    log,
    replay::MAX_COUNTED,
    stop::{self, HEALTHY},
};
use crate::{
    Store, areas,
    audit_log::Entry,
    engine::sql::{self, Connection, Target},
    error::{Error, Result},
    idempotency::StoredResponse,
    precondition::{Precondition, StateTag},
};

/// A subscription, without its secret. A partner has at most 25 subscriptions.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Id of the subscription.
    #[schemars(extend("pattern" = "^sub_"))]
    pub id: String,
    /// URL that events are sent to.
    pub url: String,
    /// Names of the events that are sent.
    #[schemars(length(min = 1))]
    pub events: Vec<EventName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<EventFilter>,
    /// Time of the subscription.
    pub created_at: Timestamp,
    /// `ACTIVE` or `DISABLED`.
    pub status: SubscriptionStatus,
    /// Reason why the subscription is disabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disabled_reason: Option<String>,
}

/// A partner's subscription.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Webhook")]
pub struct ListedSubscription {
    #[serde(flatten)]
    pub subscription: Subscription,
    /// Number of the subscription, part of the ids of its deliveries.
    #[serde(skip)]
    pub seq: i64,
    /// Name of the partner.
    pub partner: String,
    /// Whether the subscription belongs to the partner's sandbox: it receives tests only. Left out if it does not.
    #[serde(rename = "test", skip_serializing_if = "std::ops::Not::not")]
    pub is_sandbox: bool,
    /// Start of the current failures, if there was no success since.
    pub failing_since: Option<Timestamp>,
    /// Time of the next attempt, if the endpoint is paused after failures; it may be past.
    pub paused_until: Option<Timestamp>,
    /// Deliveries that wait for another attempt, and events that are still to be sent. Of the log, only the next
    /// 100,000 events are counted.
    pub pending: i64,
    /// Deliveries that succeeded, of those that are kept.
    pub delivered: i64,
    /// Deliveries that failed for good, of those that are kept.
    pub failed: i64,
}

/// Result of enabling a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enabled {
    /// The subscription is active, and its missed deliveries are due. `missed` is their number;
    /// events not sent yet are counted up to 100,000.
    Now {
        missed: u64,
    },
    /// The subscription was active already.
    Before,
    Unknown,
}

/// Returns the columns of a [`Row`] of a subscription `s`.
pub(super) fn columns() -> String {
    format!("s.id, s.url, s.created_at, s.status, s.disabled_reason, {}", selection_columns())
}

/// Returns a subquery that counts the unsent events of a subscription `s`, among the first
/// remaining events after its cursor, if the subscription lists them. Does not count events whose
/// delivery waits for another attempt, even if they are replayed.
pub(super) fn unsent() -> String {
    let is_listed: Vec<String> = EventName::ALL
        .into_iter()
        .filter(|event| event.is_for_all())
        .map(|event| format!("e.name = '{event}' AND s.{}", column(event)))
        .collect();
    format!(
        "CASE WHEN {IS_SANDBOX} THEN 0 ELSE
         (SELECT count(*)
          FROM (SELECT w.seq, w.name FROM events w WHERE w.seq > s.cursor
                ORDER BY w.seq LIMIT {MAX_COUNTED}) e
          WHERE ({})
            AND NOT EXISTS (SELECT 1 FROM deliveries d
                            WHERE d.subscription_seq = s.seq AND d.event_seq = e.seq
                              AND (e.seq > s.replayed_up_to OR d.status = 'PENDING'))) END",
        is_listed.join(" OR ")
    )
}

#[derive(sqlx::FromRow)]
pub(super) struct Row {
    id: String,
    url: String,
    #[sqlx(flatten)]
    selection: EventSelection,
    created_at: i64,
    status: String,
    disabled_reason: Option<String>,
}

#[derive(sqlx::FromRow)]
struct ListedRow {
    #[sqlx(flatten)]
    subscription: Row,
    seq: i64,
    partner: String,
    is_sandbox: bool,
    failing_since: Option<i64>,
    paused_until: Option<i64>,
    pending: i64,
    delivered: i64,
    failed: i64,
}

impl ListedSubscription {
    /// Text for people: the name of the partner, marked if this is its sandbox.
    pub fn holder(&self) -> String {
        let tier = self.is_sandbox.then(|| format!(" ({})", Tier::Test));
        format!("{}{}", self.partner, tier.unwrap_or_default())
    }
}

impl Subscription {
    /// Identifies the state of the members that clients can change.
    pub fn tag(&self) -> StateTag {
        let Self { url, events, filter, status, .. } = self;
        StateTag::of(&json!([url, events, filter, status]))
    }
}

impl TryFrom<Row> for Subscription {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let status = SubscriptionStatus::from_name(&row.status);
        let status = status
            .ok_or_else(|| Error::Damaged(format!("status {:?} of a subscription", row.status)))?;
        Ok(Self {
            events: row.selection.listed,
            filter: row.selection.filter.filter()?,
            created_at: Timestamp::from_millis(row.created_at),
            status,
            id: row.id,
            url: row.url,
            disabled_reason: row.disabled_reason,
        })
    }
}

impl areas::Subscriptions<'_> {
    /// Stores a subscription, unless its partner already has `limit` of them. Returns the time of
    /// creation.
    pub async fn create(self, new: &NewSubscription, limit: u32) -> Result<Option<DateTime<Utc>>> {
        self.create_with(new, limit, |_| String::new()).await
    }

    /// Stores a subscription like [`create`](Self::create). If the request has an
    /// `Idempotency-Key`, the body that `respond` returns for the time of creation is stored in the
    /// same transaction.
    pub async fn create_with(
        self,
        new: &NewSubscription,
        limit: u32,
        respond: impl Fn(DateTime<Utc>) -> String + Send + Sync,
    ) -> Result<Option<DateTime<Utc>>> {
        let respond = &respond;
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    if !insert(self.store, tx, new, limit, now).await? {
                        return Ok(None);
                    }
                    let response =
                        || StoredResponse { status: 201, body: respond(now), is_secret: true };
                    self.store.respond(tx, response).await?;
                    Ok(Some(now))
                })
            })
            .await
    }

    /// Returns whether a partner already has `limit` subscriptions.
    /// [`areas::Subscriptions::create`] has the final check; this one avoids needless work.
    pub async fn any(self, partner_id: i64, limit: u32) -> Result<bool> {
        Ok(count(&self.store.readers, partner_id).await? >= i64::from(limit))
    }

    /// Returns all subscriptions, newest first, with the number of their deliveries by status.
    pub async fn list(self) -> Result<Vec<ListedSubscription>> {
        self.listed(None).await
    }

    /// Returns the subscription with this id.
    pub async fn find(self, id: &str) -> Result<Option<ListedSubscription>> {
        Ok(self.listed(Some(id)).await?.pop())
    }

    async fn listed(self, id: Option<&str>) -> Result<Vec<ListedSubscription>> {
        let (columns, unsent) = (columns(), unsent());
        let sql = format!(
            "SELECT {columns}, s.seq, p.name AS partner, s.failing_since,
                    CASE WHEN s.status = 'ACTIVE' THEN s.paused_until END AS paused_until,
                    (SELECT count(*) FROM deliveries d
                     WHERE d.subscription_seq = s.seq AND d.status = 'PENDING') + {unsent} AS pending,
                    (SELECT count(*) FROM deliveries d
                     WHERE d.subscription_seq = s.seq AND d.status = 'DELIVERED') AS delivered,
                    (SELECT count(*) FROM deliveries d
                     WHERE d.subscription_seq = s.seq AND d.status = 'FAILED') AS failed
             FROM subscriptions s JOIN partners p ON p.id = s.partner_id
             WHERE s.status <> 'DELETED' AND ($1 IS NULL OR s.id = $1) ORDER BY s.seq DESC"
        );
        let rows: Vec<ListedRow> =
            sql::query_as(AssertSqlSafe(sql)).bind(id).fetch_all(&self.store.readers).await?;
        let listed = |row: ListedRow| {
            Ok(ListedSubscription {
                subscription: row.subscription.try_into()?,
                seq: row.seq,
                partner: row.partner,
                is_sandbox: row.is_sandbox,
                failing_since: row.failing_since.map(Timestamp::from_millis),
                paused_until: row.paused_until.map(Timestamp::from_millis),
                pending: row.pending,
                delivered: row.delivered,
                failed: row.failed,
            })
        };
        rows.into_iter().map(listed).collect()
    }

    /// Enables a disabled subscription. Sending continues where it stopped. Deliveries that wait
    /// for another attempt, or have permanently failed since the failures began, are retried now.
    pub async fn enable(self, id: &str) -> Result<Enabled> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    check_state(self.store, tx, id).await?;
                    match enable(tx, id, now).await? {
                        Enabled::Now { missed } => {
                            self.store.note(tx, now, Entry::of(Action::EnableWebhook, id)).await?;
                            let sql =
                                format!("SELECT {} FROM subscriptions s WHERE s.id = $1", unsent());
                            let unsent: i64 = sql::query_scalar(AssertSqlSafe(sql))
                                .bind(id)
                                .fetch_one(&mut **tx)
                                .await?;
                            Ok(Enabled::Now { missed: missed + unsent.cast_unsigned() })
                        }
                        other => Ok(other),
                    }
                })
            })
            .await
    }
}

async fn count<'c>(target: impl Into<Target<'c>>, partner_id: i64) -> Result<i64, sqlx::Error> {
    let count = "SELECT count(*) FROM subscriptions WHERE partner_id = $1 AND status <> 'DELETED'";
    sql::query_scalar(count).bind(partner_id).fetch_one(target).await
}

/// Stores a subscription, unless its partner already has `limit` of them. Returns whether it was
/// stored.
async fn insert(
    store: &Store,
    tx: &mut Connection,
    new: &NewSubscription,
    limit: u32,
    now: DateTime<Utc>,
) -> Result<bool> {
    if count(&mut *tx, new.partner_id).await? >= i64::from(limit) {
        return Ok(false);
    }
    let sealed = store.subscriptions().seal(tx, &new.secret, &new.id).await?;
    // A new subscription gets only future events.
    let cursor = log::newest(tx).await?;
    let sql = format!(
        "INSERT INTO subscriptions (id, partner_id, url, secret, secret_key, status, created_at,
                                    cursor, {})
         VALUES ($1, $2, $3, $4, $5, 'ACTIVE', $6, $7, {})",
        EventName::ALL.map(column).join(", "),
        EventName::ALL.map(|event| new.events.contains(&event).to_string()).join(", "),
    );
    sql::query(AssertSqlSafe(sql))
        .bind(new.id.as_str())
        .bind(new.partner_id)
        .bind(new.url.as_str())
        .bind(sealed.bytes)
        .bind(sealed.key.as_str())
        .bind(now.timestamp_millis())
        .bind(cursor)
        .execute(&mut *tx)
        .await?;
    set_filter(tx, &new.id, new.filter.as_ref()).await?;
    stop::disable_without_key(tx, new.partner_id, now).await?;
    let after = json!({ "host": host(&new.url), "events": new.events, "filter": new.filter });
    store.note(tx, now, Entry::of(Action::CreateWebhook, &new.id).after(after)).await?;
    Ok(true)
}

/// Host and port in the URL of an endpoint, for the audit log: the path of a URL may be a secret.
pub(super) fn host(url: &str) -> &str {
    let (_, rest) = url.split_once("://").unwrap_or(("", url));
    rest.split(['/', '?']).next().unwrap_or(rest)
}

/// Returns the subscription with this id.
pub(super) async fn find(tx: &mut Connection, id: &str) -> Result<Option<Subscription>> {
    let sql = format!(
        "SELECT {} FROM subscriptions s WHERE s.id = $1 AND s.status <> 'DELETED'",
        columns()
    );
    let row: Option<Row> = sql::query_as(AssertSqlSafe(sql)).bind(id).fetch_optional(tx).await?;
    row.map(Subscription::try_from).transpose()
}

/// Checks the condition of the store's handle on the subscription with this id, and locks its row. A subscription that
/// does not exist meets all conditions.
pub(super) async fn check_state(store: &Store, tx: &mut Connection, id: &str) -> Result<()> {
    if store.precondition == Precondition::Exists {
        return Ok(());
    }
    let lock = format!("SELECT seq FROM subscriptions WHERE id = $1 {}", tx.engine().lock_rows());
    let _: Option<i64> =
        sql::query_scalar(AssertSqlSafe(lock)).bind(id).fetch_optional(&mut *tx).await?;
    match find(tx, id).await? {
        Some(subscription) => store.check_state(|| subscription.tag()),
        None => Ok(()),
    }
}

/// Enables a disabled subscription. Counts only the missed deliveries, not the events, so that a
/// long log does not block writers.
pub(super) async fn enable(tx: &mut Connection, id: &str, now: DateTime<Utc>) -> Result<Enabled> {
    let sql = "SELECT seq, status, failing_since FROM subscriptions
         WHERE id = $1 AND status <> 'DELETED'";
    let row: Option<(i64, String, Option<i64>)> =
        sql::query_as(sql).bind(id).fetch_optional(&mut *tx).await?;
    let Some((seq, status, failing_since)) = row else { return Ok(Enabled::Unknown) };
    if status == "ACTIVE" {
        return Ok(Enabled::Before);
    }
    // Deliveries that permanently failed since the failures began are retried too, except tests,
    // which are sent only once.
    let sql = "UPDATE deliveries SET status = 'PENDING', failures = 0, due_at = $2
         WHERE subscription_seq = $1
           AND (status = 'PENDING'
                OR (status = 'FAILED'
                    AND (SELECT e.name FROM events e WHERE e.seq = deliveries.event_seq)
                        <> 'webhook.test'
                    AND (SELECT max(a.started_at) FROM attempts a
                         WHERE a.subscription_seq = deliveries.subscription_seq
                           AND a.event_seq = deliveries.event_seq) >= $3))";
    let retried = sql::query(sql)
        .bind(seq)
        .bind(now.timestamp_millis())
        .bind(failing_since.unwrap_or(i64::MAX))
        .execute(&mut *tx)
        .await?;
    let sql = format!(
        "UPDATE subscriptions
         SET status = 'ACTIVE', disabled_reason = NULL, held = FALSE, revision = revision + 1, {HEALTHY}
         WHERE seq = $1"
    );
    sql::query(AssertSqlSafe(sql)).bind(seq).execute(&mut *tx).await?;
    Ok(Enabled::Now { missed: retried })
}
