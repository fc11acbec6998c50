//! Reading the audit log.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

use crate::{
    domain::action::Action,
    store::{
        Store,
        engine::sql::{self, Builder, Connection},
        error::{Error, Result},
    },
    time::{format_instant, instant_of_millis},
};

/// Which entries: each part that is set narrows.
#[derive(Clone, Debug, Default)]
pub struct AuditQuery {
    /// About the report of this id.
    pub report: Option<String>,
    /// By the person of this name.
    pub actor: Option<String>,
    pub action: Option<Action>,
    /// Before the entry of this number.
    pub before: Option<i64>,
    /// How many, at most.
    pub limit: u32,
}

/// Something that was done.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// The number by which it can be undone.
    #[serde(skip)]
    pub seq: i64,
    pub at: String,
    /// Who, by name.
    pub actor: String,
    /// The prefix of the key that they used; none on the command line.
    pub key: Option<String>,
    /// The address that they came from, or whose command line they used.
    pub origin: String,
    pub action: Action,
    /// What it was done to: an id, or how many reports.
    pub subject: String,
    /// The members that were changed, as they were.
    pub before: Option<Value>,
    /// The same, as they are since.
    pub after: Option<Value>,
}

/// Entries, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditPage {
    pub entries: Vec<AuditEntry>,
    /// The number of the last entry, if there are more after it.
    pub next: Option<i64>,
}

impl Store {
    /// Entries of the audit log, newest first.
    pub async fn audit_log(&self, query: &AuditQuery) -> Result<AuditPage> {
        self.read(move |tx| Box::pin(page(tx, query))).await
    }
}

impl Store {
    /// The last approvals and rejections of this handle's actor since an instant that have not been undone, newest
    /// first.
    pub async fn own_decisions(&self, since: DateTime<Utc>, limit: u32) -> Result<Vec<AuditEntry>> {
        let Some(actor) = &self.actor else { return Ok(Vec::new()) };
        let rows: Vec<Row> = sql::query_as(OWN_DECISIONS)
            .bind(LATEST)
            .bind(actor.name.to_string())
            .bind(actor.key.as_deref().map(str::to_owned))
            .bind(since.timestamp_millis())
            .bind(i64::from(limit))
            .fetch_all(&self.readers)
            .await?;
        rows.into_iter().map(AuditEntry::try_from).collect()
    }
}

/// How many of the newest entries are looked through for somebody's own.
const LATEST: i64 = 10_000;

/// What was done to the first report of an entry stands for all of them.
const OWN_DECISIONS: &str = "
    SELECT a.seq, a.at, a.actor, a.key_prefix, a.origin, a.action, a.subject, a.before, a.after
    FROM (SELECT own.*, coalesce(report_seq, (SELECT min(r.report_seq) FROM audited_reports r
                                              WHERE r.entry_seq = own.seq)) AS first
          FROM audit_log own
          WHERE own.seq > (SELECT coalesce(max(seq), 0) FROM audit_log) - $1
            AND own.actor = $2 AND (own.key_prefix = $3 OR own.key_prefix IS NULL AND $3 IS NULL)
            AND own.action IN ('reports.approve', 'reports.reject') AND own.at >= $4) AS a
    WHERE NOT EXISTS (SELECT 1 FROM audit_log l WHERE l.report_seq = a.first AND l.seq > a.seq)
      AND NOT EXISTS (SELECT 1 FROM audited_reports l
                      WHERE l.report_seq = a.first AND l.entry_seq > a.seq)
    ORDER BY a.seq DESC LIMIT $5";

async fn page(tx: &mut Connection, query: &AuditQuery) -> Result<AuditPage> {
    let limit = query.limit as usize;
    // One more says whether there are more.
    let mut rows: Vec<Row> = statement(tx, query).build_as().fetch_all(tx).await?;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|row| row.seq);
    let entries = rows.into_iter().map(AuditEntry::try_from).collect::<Result<_>>()?;
    Ok(AuditPage { entries, next })
}

fn statement(tx: &Connection, query: &AuditQuery) -> Builder {
    let mut sql = Builder::new(
        tx.engine(),
        "SELECT seq, at, actor, key_prefix, origin, action, subject, before, after FROM audit_log WHERE seq < ",
    );
    sql.push_bind(query.before.unwrap_or(i64::MAX));
    if let Some(id) = &query.report {
        sql.push(
            " AND seq IN (
                 SELECT a.seq FROM audit_log a JOIN reports r ON r.seq = a.report_seq
                 WHERE a.report_seq IS NOT NULL AND r.id = ",
        );
        sql.push_bind(id.clone());
        sql.push(
            " UNION ALL
                 SELECT a.entry_seq FROM audited_reports a JOIN reports r ON r.seq = a.report_seq WHERE r.id = ",
        );
        sql.push_bind(id.clone()).push(")");
    }
    if let Some(actor) = &query.actor {
        sql.push(" AND actor = ").push_bind(actor.clone());
    }
    if let Some(action) = query.action {
        sql.push(" AND action = ").push_bind(action.as_str());
    }
    sql.push(" ORDER BY seq DESC LIMIT ").push_bind(i64::from(query.limit) + 1);
    sql
}

#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    at: i64,
    actor: String,
    key_prefix: Option<String>,
    origin: String,
    action: String,
    subject: String,
    before: Option<String>,
    after: Option<String>,
}

impl TryFrom<Row> for AuditEntry {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let damaged = || Error::Damaged(format!("entry {} of the audit log", row.seq));
        let json = |text: Option<&String>| -> Result<Option<Value>> {
            text.map(|text| serde_json::from_str(text).map_err(|_| damaged())).transpose()
        };
        Ok(Self {
            seq: row.seq,
            at: format_instant(instant_of_millis(row.at)),
            action: Action::named(&row.action).ok_or_else(damaged)?,
            before: json(row.before.as_ref())?,
            after: json(row.after.as_ref())?,
            actor: row.actor,
            key: row.key_prefix,
            origin: row.origin,
            subject: row.subject,
        })
    }
}
