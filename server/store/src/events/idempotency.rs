//! Idempotent creation of subscriptions.

use base::time::instant_of_millis;
use chrono::{DateTime, Utc};
use domain::{
    event::EventName,
    idempotency::{IdempotentRequest, REMEMBERED},
    subscription::NewSubscription,
};
use futures_util::TryFutureExt;
use sqlx::AssertSqlSafe;

use super::{
    event_selection::{FILTER_COLUMNS, FilterColumns},
    secrets::{SECRET_COLUMNS, SealedSecrets},
    subscriptions,
};
use crate::{
    Store, areas,
    engine::sql::{self, Connection},
    error::{Error, Result},
};

/// Maximum number of keys deleted per transaction, which takes a few milliseconds.
const BATCH: i64 = 1_000;

/// Result of an earlier request with the same key.
#[derive(Clone, Debug)]
pub enum Earlier {
    /// The subscription as it was created, but with its current secret, and the time of its
    /// creation.
    Created(Box<NewSubscription>, DateTime<Utc>),
    /// The subscription has been deleted since.
    Deleted,
    /// The earlier request had another body.
    Other,
}

impl areas::Subscriptions<'_> {
    /// Returns the result of an earlier request of the partner with the same key; `None` if there
    /// was none.
    pub async fn earlier(
        self,
        partner_id: i64,
        request: &IdempotentRequest,
    ) -> Result<Option<Earlier>> {
        // Loads the keys now, so a key that a rotation is about to remove can still be used.
        self.store.keyring.ids()?;
        let now = self.store.clock.now();
        self.store.read(move |tx| Box::pin(earlier(self.store, tx, partner_id, request, now))).await
    }

    /// Creates a subscription like [`areas::Subscriptions::create`], unless there was an earlier
    /// request with the same key.
    pub async fn create_once(
        self,
        new: &NewSubscription,
        limit: u32,
        request: &IdempotentRequest,
    ) -> Result<Result<Option<DateTime<Utc>>, Earlier>> {
        self.store
            .administer(move |tx, now| {
                Box::pin(async move {
                    if let Some(earlier) =
                        earlier(self.store, tx, new.partner_id, request, now).await?
                    {
                        return Ok(Err(earlier));
                    }
                    if !subscriptions::insert(self.store, tx, new, limit, now).await? {
                        return Ok(Ok(None));
                    }
                    remember(tx, new, request, now).await?;
                    Ok(Ok(Some(now)))
                })
            })
            .await
    }

    /// Deletes some of the keys that have expired at `now`. Returns whether there may be more.
    pub async fn forget_idempotency_keys(self, now: DateTime<Utc>) -> Result<bool> {
        let forget = || {
            let sql = "DELETE FROM idempotency_keys
                 WHERE (partner_id, key) IN (SELECT partner_id, key FROM idempotency_keys
                                             WHERE created_at <= $1 ORDER BY created_at LIMIT $2)";
            sql::query(sql).bind((now - REMEMBERED).timestamp_millis()).bind(BATCH)
        };
        let forgotten =
            self.store.administer(|tx, _| Box::pin(forget().execute(tx).err_into())).await?;
        Ok(forgotten >= BATCH.unsigned_abs())
    }
}

/// Row of `idempotency_keys`, without the columns used to find it.
#[derive(sqlx::FromRow)]
struct Row {
    body_hash: Vec<u8>,
    subscription_seq: i64,
    url: String,
    events: String,
    #[sqlx(flatten)]
    filter: FilterColumns,
}

/// Columns read from the subscription.
#[derive(sqlx::FromRow)]
struct Created {
    id: String,
    created_at: i64,
    #[sqlx(flatten)]
    secrets: SealedSecrets,
}

async fn earlier(
    store: &Store,
    tx: &mut Connection,
    partner_id: i64,
    request: &IdempotentRequest,
    now: DateTime<Utc>,
) -> Result<Option<Earlier>> {
    let sql = format!(
        "SELECT body_hash, subscription_seq, url, events, {FILTER_COLUMNS} FROM idempotency_keys
         WHERE partner_id = $1 AND key = $2 AND created_at > $3"
    );
    let row: Option<Row> = sql::query_as(AssertSqlSafe(sql))
        .bind(partner_id)
        .bind(request.key.as_str())
        .bind((now - REMEMBERED).timestamp_millis())
        .fetch_optional(&mut *tx)
        .await?;
    let Some(row) = row else { return Ok(None) };
    if row.body_hash != request.body_hash {
        return Ok(Some(Earlier::Other));
    }
    let sql = format!(
        "SELECT id, created_at, {SECRET_COLUMNS} FROM subscriptions
         WHERE seq = $1 AND status <> 'DELETED'"
    );
    let subscription: Option<Created> =
        sql::query_as(AssertSqlSafe(sql)).bind(row.subscription_seq).fetch_optional(tx).await?;
    let Some(Created { id, created_at, secrets }) = subscription else {
        return Ok(Some(Earlier::Deleted));
    };
    let secret =
        store.subscriptions().open_secrets(&id, &secrets, now)?.current.as_str().to_owned();
    let created = NewSubscription {
        id,
        partner_id,
        events: events(&row.events)?,
        filter: row.filter.filter()?,
        url: row.url,
        secret,
    };
    Ok(Some(Earlier::Created(Box::new(created), instant_of_millis(created_at))))
}

async fn remember(
    tx: &mut Connection,
    new: &NewSubscription,
    request: &IdempotentRequest,
    now: DateTime<Utc>,
) -> Result<()> {
    // Deletes an expired key with the same name.
    sql::query("DELETE FROM idempotency_keys WHERE partner_id = $1 AND key = $2")
        .bind(new.partner_id)
        .bind(request.key.as_str())
        .execute(&mut *tx)
        .await?;
    let sql = format!(
        "INSERT INTO idempotency_keys (partner_id, key, body_hash, subscription_seq, url, events,
                                       {FILTER_COLUMNS}, created_at)
         SELECT partner_id, $2, $3, seq, url, $4, {FILTER_COLUMNS}, $5
         FROM subscriptions WHERE id = $1"
    );
    sql::query(AssertSqlSafe(sql))
        .bind(new.id.as_str())
        .bind(request.key.as_str())
        .bind(request.body_hash.as_slice())
        .bind(new.events.iter().map(|event| event.as_str()).collect::<Vec<_>>().join(","))
        .bind(now.timestamp_millis())
        .execute(tx)
        .await?;
    Ok(())
}

fn events(names: &str) -> Result<Vec<EventName>> {
    let event = |name| {
        EventName::from_name(name)
            .ok_or_else(|| Error::Damaged(format!("event {name:?} of an idempotency key")))
    };
    names.split(',').map(event).collect()
}
