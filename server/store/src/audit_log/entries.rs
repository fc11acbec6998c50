//! Reading of the audit log.

use base::time::Timestamp;
use chrono::{DateTime, Utc};
use domain::{action::Action, import_id::ImportId};
use serde::Serialize;
use serde_json::Value;
use sqlx::AssertSqlSafe;

use crate::{
    Mode, areas,
    engine::sql::{self, Builder, Connection, Engine},
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
    /// Start of the subject: the id of a report, an import, a key or a subscription.
    pub subject: Option<String>,
    /// Time of the first entry.
    pub from: Option<DateTime<Utc>>,
    /// Time before which the last entry is.
    pub to: Option<DateTime<Utc>>,
    /// Number of an entry; only earlier entries are selected.
    pub before: Option<i64>,
    /// Whether a decision that took several transactions is one entry, its first. All entries about
    /// a report are selected in any case.
    pub whole_decisions: bool,
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
    /// Whether the decision is about one report, whose id is the subject.
    #[serde(skip)]
    pub is_about_one: bool,
    /// Number of reports of the whole decision.
    #[serde(skip)]
    pub reports: i64,
    /// Number of reports of this entry alone.
    #[serde(skip)]
    pub own_reports: i64,
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

    /// The entry as that of its whole decision: a correction of reports with different values is
    /// without its former values, because other entries of the decision have others.
    #[must_use]
    pub fn of_decision(self) -> Self {
        let is_step = self.after.as_ref().is_some_and(|after| after.get("status").is_some());
        match self.own_reports < self.reports && !is_step {
            true => Self { before: None, ..self },
            false => self,
        }
    }

    /// Reason that the person gave for a decision.
    pub fn reason(&self) -> Option<&str> {
        self.after.as_ref()?.get("reason")?.as_str()
    }
}

/// Page of entries, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
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

    /// Returns one entry.
    pub async fn entry(self, seq: i64) -> Result<Option<AuditEntry>> {
        let sql = format!("SELECT {COLUMNS} FROM audit_log WHERE seq = $1");
        let row: Option<Row> =
            sql::query_as(AssertSqlSafe(sql)).bind(seq).fetch_optional(&self.store.readers).await?;
        row.map(AuditEntry::try_from).transpose()
    }

    /// Returns the names of people and tools with entries, in order, up to a limit.
    pub async fn actors(self, limit: u32) -> Result<Vec<String>> {
        let limit = i64::from(limit);
        Ok(sql::query_scalar(ACTORS).bind(limit).fetch_all(&self.store.readers).await?)
    }
}

/// Columns of a [`Row`]. The entries of one decision have the number of its first, and its action.
const COLUMNS: &str = "
    seq, at, actor, key_prefix, origin, action, subject, report_seq, before, after, reports AS own_reports,
    CAST((SELECT coalesce(sum(p.reports), 0) FROM audit_log p
          WHERE p.decision = coalesce(audit_log.decision, audit_log.seq) AND p.action = audit_log.action)
         + (SELECT coalesce(sum(p.reports), 0) FROM audit_log p
            WHERE p.seq = coalesce(audit_log.decision, audit_log.seq) AND p.action = audit_log.action)
         AS BIGINT) AS reports";

/// Condition for the first entry of a decision, or of its undoing.
const FIRST_OF_DECISION: &str = "
    AND (decision IS NULL OR action = 'reports.undo' AND NOT EXISTS (
        SELECT 1 FROM audit_log p
        WHERE p.decision = audit_log.decision AND p.action = 'reports.undo' AND p.seq < audit_log.seq))";

/// Selects each name by one search in the index.
const ACTORS: &str = "
    WITH RECURSIVE names (actor) AS (
        SELECT min(actor) FROM audit_log
        UNION ALL
        SELECT (SELECT min(a.actor) FROM audit_log a WHERE a.actor > names.actor) FROM names
        WHERE names.actor IS NOT NULL
    )
    SELECT actor FROM names WHERE actor IS NOT NULL LIMIT $1";

async fn page(tx: &mut Connection, query: &AuditQuery) -> Result<AuditPage> {
    let limit = query.limit as usize;
    let mut among = Vec::new();
    if let Some(id) = &query.report {
        let Some(report) = Among::report(tx, id).await? else { return Ok(AuditPage::default()) };
        among.push(report);
    }
    if let Some(start) = &query.subject {
        among.push(Among::subject(tx, start).await?);
    }
    let before = match query.before {
        Some(seq) => match position(tx, seq).await? {
            Some(before) => Some(before),
            None => return Ok(AuditPage::default()),
        },
        None => None,
    };
    // Reads one extra row to detect whether there are more.
    let statement = statement(tx.engine(), query, &among, before);
    let mut rows: Vec<Row> = statement.build_as().fetch_all(tx).await?;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|row| row.seq);
    let entries = rows.into_iter().map(AuditEntry::try_from).collect::<Result<_>>()?;
    Ok(AuditPage { entries, next })
}

/// Maximum number of entries that are looked up by their subject. If more match, the list is read in
/// its order, and soon has enough of them.
const FEW: i64 = 10_000;

/// A condition that an index answers, apart from the order of the list.
enum Among {
    /// Entries about a report, and about the import that added it. An import may publish a million
    /// reports, but has only one entry.
    Report { seq: i64, import: Option<ImportId> },
    /// Entries whose subject begins with a text: few, or many.
    Subject { start: String, are_few: bool },
}

impl Among {
    async fn report(tx: &mut Connection, id: &str) -> Result<Option<Self>> {
        let seq: Option<i64> = sql::query_scalar("SELECT seq FROM reports WHERE id = $1")
            .bind(id)
            .fetch_optional(&mut *tx)
            .await?;
        let Some(seq) = seq else { return Ok(None) };
        Ok(Some(Self::Report { seq, import: imports::of(tx, seq).await? }))
    }

    async fn subject(tx: &mut Connection, start: &str) -> Result<Self> {
        let sql =
            "SELECT count(*) FROM (SELECT 1 FROM audit_log WHERE subject >= $1 AND subject < $2
                                         LIMIT $3) AS matching";
        let count: i64 = sql::query_scalar(sql)
            .bind(start)
            .bind(end_of(start))
            .bind(FEW + 1)
            .fetch_one(tx)
            .await?;
        Ok(Self::Subject { start: start.to_owned(), are_few: count <= FEW })
    }

    fn push(&self, sql: &mut Builder, engine: Engine) {
        match self {
            Self::Report { seq, import } => {
                sql.push(" AND seq IN (SELECT seq FROM audit_log WHERE report_seq = ");
                sql.push_bind(*seq);
                sql.push(" UNION ALL SELECT entry_seq FROM audited_reports WHERE report_seq = ");
                sql.push_bind(*seq);
                if let Some(import) = import {
                    let by_subject = engine.indexed_by("audit_log_subject");
                    sql.push(" UNION ALL SELECT seq FROM audit_log ").push(&by_subject);
                    sql.push(" WHERE action = 'reports.import' AND subject = ");
                    sql.push_bind(import.to_string());
                }
                sql.push(")");
            }
            Self::Subject { start, are_few } => {
                // An expression is not looked up in the index of the subjects.
                let (head, column, tail) = match are_few {
                    true => (" AND seq IN (SELECT seq FROM audit_log WHERE ", "subject", ")"),
                    false => (" AND ", "subject || ''", ""),
                };
                sql.push(head).push(column).push(" >= ").push_bind(start.clone());
                sql.push(" AND ").push(column).push(" < ").push_bind(end_of(start)).push(tail);
            }
        }
    }
}

/// The text after all texts that begin with `start`.
fn end_of(start: &str) -> String {
    format!("{start}{}", char::MAX)
}

/// Time and number of an entry, after which the next page starts.
async fn position(tx: &mut Connection, seq: i64) -> Result<Option<(i64, i64)>> {
    let sql = "SELECT at, seq FROM audit_log WHERE seq = $1";
    Ok(sql::query_as(sql).bind(seq).fetch_optional(tx).await?)
}

fn statement(
    engine: Engine,
    query: &AuditQuery,
    among: &[Among],
    before: Option<(i64, i64)>,
) -> Builder {
    let mut sql = Builder::new(engine, &format!("SELECT {COLUMNS} FROM audit_log WHERE at >= "));
    sql.push_bind(query.from.map_or(0, |from| from.timestamp_millis()));
    sql.push(" AND at < ").push_bind(query.to.map_or(i64::MAX, |to| to.timestamp_millis()));
    if let Some(actor) = &query.actor {
        sql.push(" AND actor = ").push_bind(actor.clone());
    }
    if let Some(action) = query.action {
        sql.push(" AND action = ").push_bind(action.as_str());
    }
    for condition in among {
        condition.push(&mut sql, engine);
    }
    if query.whole_decisions && query.report.is_none() {
        sql.push(FIRST_OF_DECISION);
    }
    if let Some((at, seq)) = before {
        sql.push(" AND (at, seq) < (").push_bind(at).push(", ").push_bind(seq).push(")");
    }
    sql.push(" ORDER BY at DESC, seq DESC LIMIT ").push_bind(i64::from(query.limit) + 1);
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
    report_seq: Option<i64>,
    before: Option<String>,
    after: Option<String>,
    own_reports: i64,
    reports: i64,
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
            is_about_one: row.report_seq.is_some() && row.reports <= 1,
            reports: row.reports,
            own_reports: row.own_reports,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scratch;

    /// Queries of the audit page. Each selects few of many entries, or all.
    fn queries() -> Vec<(&'static str, AuditQuery, Vec<Among>)> {
        let all = || AuditQuery { limit: 50, whole_decisions: true, ..AuditQuery::default() };
        let actor = || AuditQuery { actor: Some("jo".to_owned()), ..all() };
        let action = || AuditQuery { action: Some(Action::CreateKey), ..all() };
        let subject = |are_few| vec![Among::Subject { start: "r-".to_owned(), are_few }];
        let period = AuditQuery {
            from: DateTime::from_timestamp_millis(5_000),
            to: DateTime::from_timestamp_millis(6_000),
            ..all()
        };
        vec![
            ("all", all(), vec![]),
            ("a person", actor(), vec![]),
            ("an action", action(), vec![]),
            (
                "an action of a person",
                AuditQuery { action: Some(Action::Reject), ..actor() },
                vec![],
            ),
            ("a period", period, vec![]),
            ("a subject", all(), subject(true)),
            ("a frequent subject", all(), subject(false)),
            ("a report", all(), vec![Among::Report { seq: 7, import: Some(ImportId::new(1)) }]),
        ]
    }

    #[tokio::test]
    async fn every_search_finds_its_entries_by_an_index_in_their_order() {
        let store = Scratch::sqlite().await;
        for (what, query, among) in queries() {
            let statement = statement(Engine::Sqlite, &query, &among, Some((9_000, 9_000)));
            let plan = store.plan(statement.text()).await;
            let sorts = plan.iter().any(|step| step.contains("TEMP B-TREE"));
            assert!(!plan.iter().any(|step| step.starts_with("SCAN")), "{what}: {plan:?}");
            // The few entries about one thing are sorted.
            let is_few = matches!(among.first(), Some(among) if !matches!(among, Among::Subject { are_few: false, .. }));
            assert_eq!(sorts, is_few, "{what}: {plan:?}");
        }
        store.close().await;
    }

    #[tokio::test]
    async fn nor_does_postgresql_read_the_whole_log() {
        let store = Scratch::postgres().await;
        let entries = "
            INSERT INTO audit_log (at, actor, origin, action, subject)
            SELECT i, CASE WHEN i % 1000 = 0 THEN 'jo' ELSE 'maria' END, 'web1',
                   CASE WHEN i % 5000 = 0 THEN 'keys.create' ELSE 'reports.approve' END, 'r-' || i
            FROM generate_series(1, 50000) i;
            INSERT INTO audited_reports (report_seq, entry_seq)
            SELECT i, i FROM generate_series(1, 50000) i";
        store.run(entries).await;
        store.run("ANALYZE").await;
        for (what, query, among) in queries() {
            let statement = statement(Engine::Postgres, &query, &among, Some((9_000, 9_000)));
            let read = store.tables_read_whole(statement.text()).await;
            assert!(read.is_empty(), "{what}: {read:?}");
        }
        assert!(store.tables_read_whole(ACTORS).await.is_empty());
        store.close().await;
    }
}
