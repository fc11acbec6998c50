//! Mails to partners about endpoints that were paused or disabled: the address of a partner, and the notices that wait
//! for a mail.
//!
//! The transaction that announces a state ([`endpoint_notices`](super::endpoint_notices)) adds a row for the subscription
//! if its partner has an address, and removes the row of an endpoint that works again. A node claims the rows of one
//! partner at once: it removes them and writes the time. So one node sends the mail, a node that dies while it sends loses
//! it, and no mail is sent twice. A mail that certainly did not arrive is [put back](areas::PartnerMails::put_back).

use base::time::Timestamp;
use chrono::{DateTime, TimeDelta, Utc};
use domain::subscription::EndpointState;

use super::health::last_failure;
use crate::{
    areas,
    engine::sql::{self, Connection},
    error::{Error, Result},
};

/// Minimum time between two mails to a partner, so that an endpoint that fails again and again causes few.
pub const MAIL_EVERY: TimeDelta = TimeDelta::minutes(10);
/// Length of the token of an address in characters.
const TOKEN_LENGTH: usize = 22;
/// Age at which a notice that could not be sent is given up.
const GIVE_UP_AFTER: TimeDelta = TimeDelta::days(1);

/// Subscriptions of a partner with an announced state that is still true.
const STOPPED: &str = "s.status <> 'DELETED' AND s.announced_state <> ''";

/// Mail that this node has claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointMail {
    /// Name of the partner.
    pub partner: String,
    /// Address of the partner.
    pub email: String,
    /// Secret of the link that [removes the address](areas::PartnerMails::remove_address).
    pub token: String,
    /// Paused and disabled endpoints, oldest subscription first; at least one.
    pub endpoints: Vec<MailedEndpoint>,
}

/// Endpoint in a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailedEndpoint {
    seq: i64,
    noticed_at: i64,
    /// Id of the subscription.
    pub subscription: String,
    pub url: String,
    /// Announced state: paused or disabled.
    pub state: EndpointState,
    /// Start of the failures.
    pub since: Option<Timestamp>,
    /// Reason why the last attempt failed, or why the subscription is disabled.
    pub reason: Option<String>,
    /// End of the pause.
    pub next_attempt_at: Option<Timestamp>,
    /// Whether only the operator may enable the subscription again.
    pub held: bool,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    url: String,
    announced_state: String,
    disabled_reason: Option<String>,
    held: bool,
    failing_since: Option<i64>,
    last_failure_at: Option<i64>,
    paused_until: Option<i64>,
}

impl areas::PartnerMails<'_> {
    /// Returns the address of a partner.
    pub async fn address(self, partner_id: i64) -> Result<Option<String>> {
        let sql = sql::query_scalar("SELECT email FROM partners WHERE id = $1").bind(partner_id);
        let address: Option<Option<String>> = sql.fetch_optional(&self.store.readers).await?;
        Ok(address.flatten())
    }

    /// Sets or removes the address of a partner. Notices that wait are sent to the new address, or not at all.
    pub async fn set_address(self, partner_id: i64, address: Option<&str>) -> Result<()> {
        self.store
            .administer(move |tx, _| {
                Box::pin(async move {
                    let token = address.map(|_| self.store.random.base62(TOKEN_LENGTH));
                    sql::query("UPDATE partners SET email = $2, email_token = $3 WHERE id = $1")
                        .bind(partner_id)
                        .bind(address)
                        .bind(token)
                        .execute(&mut **tx)
                        .await?;
                    if address.is_none() {
                        take(tx, partner_id).await?;
                    }
                    Ok(())
                })
            })
            .await
    }

    /// Removes the address that got a mail with this token. Returns whether there was one.
    pub async fn remove_address(self, token: &str) -> Result<bool> {
        self.store
            .administer(move |tx, _| {
                Box::pin(async move {
                    let sql = "UPDATE partners SET email = NULL, email_token = NULL
                         WHERE email_token = $1 RETURNING id";
                    let partner_id: Option<i64> =
                        sql::query_scalar(sql).bind(token).fetch_optional(&mut **tx).await?;
                    if let Some(partner_id) = partner_id {
                        take(tx, partner_id).await?;
                    }
                    Ok(partner_id.is_some())
                })
            })
            .await
    }

    /// Claims the next mail that is due, if one is.
    pub async fn claim(self) -> Result<Option<EndpointMail>> {
        let waiting = sql::query_scalar("SELECT EXISTS (SELECT 1 FROM partner_mails)");
        let waiting: bool = waiting.fetch_one(&self.store.readers).await?;
        if !waiting {
            return Ok(None);
        }
        self.store.administer(move |tx, now| Box::pin(claim(tx, now))).await
    }

    /// Lets the notices of a mail that was not sent wait for the next one, at the usual interval, unless they are a day
    /// old or no longer true.
    pub async fn put_back(self, mail: &EndpointMail) -> Result<()> {
        let sql = "INSERT INTO partner_mails (subscription_seq, noticed_at)
             SELECT seq, $2 FROM subscriptions WHERE seq = $1 AND announced_state = $3
             ON CONFLICT (subscription_seq) DO NOTHING";
        self.store
            .administer(move |tx, _| {
                Box::pin(async move {
                    for endpoint in &mail.endpoints {
                        sql::query(sql)
                            .bind(endpoint.seq)
                            .bind(endpoint.noticed_at)
                            .bind(endpoint.state.as_str())
                            .execute(&mut **tx)
                            .await?;
                    }
                    Ok(())
                })
            })
            .await
    }
}

/// Adds a notice if the partner has an address.
pub(super) async fn notice(
    tx: &mut Connection,
    subscription: i64,
    partner_id: i64,
    at: DateTime<Utc>,
) -> Result<()> {
    let sql = "INSERT INTO partner_mails (subscription_seq, noticed_at)
         SELECT $1, $3 FROM partners WHERE id = $2 AND email IS NOT NULL
         ON CONFLICT (subscription_seq) DO UPDATE SET noticed_at = EXCLUDED.noticed_at";
    let notice = sql::query(sql).bind(subscription).bind(partner_id).bind(at.timestamp_millis());
    notice.execute(tx).await?;
    Ok(())
}

/// Removes the notice about a subscription: its state has changed.
pub(super) async fn forget(tx: &mut Connection, subscription: i64) -> Result<()> {
    let sql = sql::query("DELETE FROM partner_mails WHERE subscription_seq = $1");
    sql.bind(subscription).execute(tx).await?;
    Ok(())
}

async fn claim(tx: &mut Connection, now: DateTime<Utc>) -> Result<Option<EndpointMail>> {
    sql::query("DELETE FROM partner_mails WHERE noticed_at <= $1")
        .bind((now - GIVE_UP_AFTER).timestamp_millis())
        .execute(&mut *tx)
        .await?;
    // A claim more than an hour in the future was made before the clock was set back.
    let sql = format!(
        "SELECT p.id, p.name, p.email, coalesce(p.email_token, '')
         FROM partner_mails m JOIN subscriptions s ON s.seq = m.subscription_seq
         JOIN partners p ON p.id = s.partner_id
         WHERE p.email IS NOT NULL AND (p.mailed_at <= $2 OR p.mailed_at > $1 + 3600000) AND {STOPPED}
         ORDER BY m.noticed_at, m.subscription_seq LIMIT 1"
    );
    let due: Option<(i64, String, String, String)> = sql::query_as(sqlx::AssertSqlSafe(sql))
        .bind(now.timestamp_millis())
        .bind((now - MAIL_EVERY).timestamp_millis())
        .fetch_optional(&mut *tx)
        .await?;
    let Some((partner_id, partner, email, token)) = due else { return Ok(None) };
    sql::query("UPDATE partners SET mailed_at = $2 WHERE id = $1")
        .bind(partner_id)
        .bind(now.timestamp_millis())
        .execute(&mut *tx)
        .await?;
    let mut endpoints = Vec::new();
    for (seq, noticed_at) in take(tx, partner_id).await? {
        endpoints.extend(endpoint(tx, seq, noticed_at).await?);
    }
    Ok((!endpoints.is_empty()).then_some(EndpointMail { partner, email, token, endpoints }))
}

/// Removes the notices of a partner. Returns the number and the time of each, in order.
async fn take(tx: &mut Connection, partner_id: i64) -> Result<Vec<(i64, i64)>> {
    let sql = "DELETE FROM partner_mails
         WHERE subscription_seq IN (SELECT seq FROM subscriptions WHERE partner_id = $1)
         RETURNING subscription_seq, noticed_at";
    let mut taken: Vec<(i64, i64)> = sql::query_as(sql).bind(partner_id).fetch_all(tx).await?;
    taken.sort_unstable();
    Ok(taken)
}

/// Reads an endpoint whose announced state is still true.
async fn endpoint(
    tx: &mut Connection,
    seq: i64,
    noticed_at: i64,
) -> Result<Option<MailedEndpoint>> {
    let sql = format!(
        "SELECT s.id, s.url, s.announced_state, s.disabled_reason, s.held, s.failing_since,
                s.last_failure_at, s.paused_until
         FROM subscriptions s WHERE s.seq = $1 AND {STOPPED}"
    );
    let row: Option<Row> =
        sql::query_as(sqlx::AssertSqlSafe(sql)).bind(seq).fetch_optional(&mut *tx).await?;
    let Some(row) = row else { return Ok(None) };
    let state = EndpointState::from_name(&row.announced_state)
        .ok_or_else(|| Error::Damaged(format!("announced state of subscription {}", row.id)))?;
    let reason = match (state, row.last_failure_at) {
        (EndpointState::Disabled, _) => row.disabled_reason,
        (_, Some(at)) => last_failure(tx, seq, at).await?,
        (_, None) => None,
    };
    Ok(Some(MailedEndpoint {
        seq,
        noticed_at,
        subscription: row.id,
        url: row.url,
        state,
        since: row.failing_since.map(Timestamp::from_millis),
        reason,
        next_attempt_at: row.paused_until.map(Timestamp::from_millis),
        held: row.held,
    }))
}
