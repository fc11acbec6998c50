//! Reading of the audit log.

use base::time::Timestamp;
use domain::{action::Action, import_id::ImportId};
use serde::Serialize;
use serde_json::Value;

use crate::{
    Mode, areas,
    engine::sql::{self, Builder, Connection},
    error::{Error, Result},
    reports::imports,
};

/// Selection of entries. Each field that is set narrows it.
#[derive(Clone, Debug, Default)]
pub struct AuditQuery {
    /// Id of a report. Also selects the entry about the import that added the report.
    pub report: Option<String>,
    /// Name of the person or tool.
    pub actor: Option<String>,
    pub action: Option<Action>,
    /// Number of an entry; only earlier entries are selected.
    pub before: Option<i64>,
    /// Maximum number of entries.
    pub limit: u32,
}

/// An action of an operator.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// Number of the entry, with which it can be undone.
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
    /// Whether the entry is about an import whose reports were published immediately.
    pub fn published(&self) -> bool {
        let mode = self.after.as_ref().and_then(|after| after.get("mode")?.as_str());
        let publishing = [Mode::Approve, Mode::Backfill].map(Mode::as_str);
        self.action == Action::Import && mode.is_some_and(|mode| publishing.contains(&mode))
    }

    /// Reason that the person gave for a decision.
    pub fn reason(&self) -> Option<&str> {
        self.after.as_ref()?.get("reason")?.as_str()
    }
}

/// Page of entries, newest first.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditPage {
    pub entries: Vec<AuditEntry>,
    /// Number of the last entry, if there are more after it.
    pub next: Option<i64>,
}

impl areas::AuditLog<'_> {
    /// Returns a page of the audit log, newest entry first.
    pub async fn entries(self, query: &AuditQuery) -> Result<AuditPage> {
        self.store.read(move |tx| Box::pin(page(tx, query))).await
    }
}

async fn page(tx: &mut Connection, query: &AuditQuery) -> Result<AuditPage> {
    let limit = query.limit as usize;
    let report = match &query.report {
        None => None,
        Some(id) => match About::report(tx, id).await? {
            Some(about) => Some(about),
            None => return Ok(AuditPage { entries: Vec::new(), next: None }),
        },
    };
    // Reads one extra row to detect whether there are more.
    let mut rows: Vec<Row> = statement(tx, query, report).build_as().fetch_all(tx).await?;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|row| row.seq);
    let entries = rows.into_iter().map(AuditEntry::try_from).collect::<Result<_>>()?;
    Ok(AuditPage { entries, next })
}

/// Report, and the import that added it. An import may publish a million reports, but has only one
/// entry.
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
