//! Reading the audit log.

use base::time::Timestamp;
use chrono::{DateTime, Utc};
use domain::{action::Action, import_id::ImportId};
use serde::Serialize;
use serde_json::Value;

use crate::{
    Mode, areas,
    engine::sql::{self, Builder, Connection},
    error::{Error, Result},
    reports::imports,
};

/// Which entries: each part that is set narrows.
#[derive(Clone, Debug, Default)]
pub struct AuditQuery {
    /// About the report of this id, or about the import that added it.
    pub report: Option<String>,
    /// By the person of this name.
    pub actor: Option<String>,
    pub action: Option<Action>,
    /// Before the entry of this number.
    pub before: Option<i64>,
    /// How many, at most.
    pub limit: u32,
}

/// An action of an operator.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// The number by which it can be undone.
    #[serde(skip)]
    pub seq: i64,
    /// Time of the action.
    pub at: Timestamp,
    /// Name of the person or tool.
    pub actor: String,
    /// Prefix of the key that they used; `null` on the command line.
    pub key: Option<String>,
    /// Address of the client, or user and host of the command line.
    pub origin: String,
    /// Name of the action.
    pub action: Action,
    /// Id of the changed thing, or the number of reports.
    pub subject: String,
    /// The changed members before the action.
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub before: Option<Value>,
    /// The changed members after the action.
    #[schemars(with = "Option<serde_json::Map<String, Value>>")]
    pub after: Option<Value>,
}

impl AuditEntry {
    /// Whether it is about an import whose reports were published at once.
    pub fn published(&self) -> bool {
        let mode = self.after.as_ref().and_then(|after| after.get("mode")?.as_str());
        let publishing = [Mode::Approve, Mode::Backfill].map(Mode::as_str);
        self.action == Action::Import && mode.is_some_and(|mode| publishing.contains(&mode))
    }
}

/// Entries, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditPage {
    pub entries: Vec<AuditEntry>,
    /// The number of the last entry, if there are more after it.
    pub next: Option<i64>,
}

impl areas::AuditLog<'_> {
    /// Entries of the audit log, newest first.
    pub async fn entries(self, query: &AuditQuery) -> Result<AuditPage> {
        self.store.read(move |tx| Box::pin(page(tx, query))).await
    }

    /// The last approvals and rejections of this handle's actor since an instant that have not been undone, newest
    /// first.
    pub async fn own_decisions(self, since: DateTime<Utc>, limit: u32) -> Result<Vec<AuditEntry>> {
        let Some(actor) = &self.store.actor else { return Ok(Vec::new()) };
        let rows: Vec<Row> = sql::query_as(OWN_DECISIONS)
            .bind(LATEST)
            .bind(actor.name.to_string())
            .bind(actor.key.as_deref())
            .bind(since.timestamp_millis())
            .bind(i64::from(limit))
            .fetch_all(&self.store.readers)
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
    let report = match &query.report {
        None => None,
        Some(id) => match About::report(tx, id).await? {
            Some(about) => Some(about),
            None => return Ok(AuditPage { entries: Vec::new(), next: None }),
        },
    };
    // One more says whether there are more.
    let mut rows: Vec<Row> = statement(tx, query, report).build_as().fetch_all(tx).await?;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|row| row.seq);
    let entries = rows.into_iter().map(AuditEntry::try_from).collect::<Result<_>>()?;
    Ok(AuditPage { entries, next })
}

/// A report, and the import that added it: an import may publish a million reports, and has one entry.
struct About {
    seq: i64,
    import: Option<ImportId>,
}

impl About {
    async fn report(tx: &mut Connection, id: &str) -> Result<Option<Self>> {
        let seq: Option<i64> = sql::query_scalar("SELECT seq FROM reports WHERE id = $1")
            .bind(id)
            .fetch_optional(&mut *tx)
            .await?;
        let Some(seq) = seq else { return Ok(None) };
        Ok(Some(Self { seq, import: imports::of(tx, seq).await? }))
    }
}

fn statement(tx: &Connection, query: &AuditQuery, report: Option<About>) -> Builder {
    let mut sql = Builder::new(
        tx.engine(),
        "SELECT seq, at, actor, key_prefix, origin, action, subject, before, after FROM audit_log WHERE seq < ",
    );
    sql.push_bind(query.before.unwrap_or(i64::MAX));
    if let Some(About { seq, import }) = report {
        sql.push(" AND seq IN (SELECT seq FROM audit_log WHERE report_seq = ").push_bind(seq);
        sql.push(" UNION ALL SELECT entry_seq FROM audited_reports WHERE report_seq = ");
        sql.push_bind(seq);
        if let Some(import) = import {
            sql.push(
                " UNION ALL SELECT seq FROM audit_log WHERE action = 'reports.import' AND subject = ",
            );
            sql.push_bind(import.to_string());
        }
        sql.push(")");
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
            at: Timestamp::from_millis(row.at),
            action: Action::from_name(&row.action).ok_or_else(damaged)?,
            before: json(row.before.as_ref())?,
            after: json(row.after.as_ref())?,
            actor: row.actor,
            key: row.key_prefix,
            origin: row.origin,
            subject: row.subject,
        })
    }
}
