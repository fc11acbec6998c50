//! Decisions: one action of a person on reports, however many transactions it took.

use std::collections::HashMap;

use base::time::Timestamp;
use chrono::{DateTime, Utc};
use domain::action::Action;

use crate::{
    areas,
    engine::{
        bulk,
        sql::{self, Connection},
    },
    error::{Error, Result},
};
use sqlx::AssertSqlSafe;

/// Decision that its author can undo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnDecision {
    /// Number of the decision, with which it can be undone.
    pub number: i64,
    /// Action, which is in [`Action::UNDOABLE`].
    pub action: Action,
    /// Number of reports decided on.
    pub reports: u64,
    /// Id of the report, if it is only one.
    pub only: Option<String>,
    /// Time of the last transaction.
    pub at: Timestamp,
}

impl areas::AuditLog<'_> {
    /// Returns the latest decisions of this handle's actor since an instant, without undone ones,
    /// newest first.
    pub async fn own_decisions(
        self,
        since: DateTime<Utc>,
        limit: usize,
    ) -> Result<Vec<OwnDecision>> {
        let Some(actor) = &self.store.actor else { return Ok(Vec::new()) };
        let since = since.timestamp_millis();
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let rows: Vec<Row> = sql::query_as(AssertSqlSafe(own_decisions()))
                        .bind(LATEST)
                        .bind(actor.name.to_string())
                        .bind(actor.key.as_deref())
                        .bind(since)
                        .bind(3 * limit as i64)
                        .fetch_all(&mut **tx)
                        .await?;
                    let mut samples = Vec::with_capacity(rows.len());
                    for row in &rows {
                        samples.push(row.sample(tx).await?);
                    }
                    let seqs: Vec<i64> = samples.iter().flatten().map(|one| one.report).collect();
                    let latest = latest_entries(tx, &seqs).await?;
                    let is_latest = |one: &Sample| {
                        latest.get(&one.report).is_none_or(|latest| latest.entry <= one.entry)
                    };
                    let decisions = rows.into_iter().zip(samples);
                    let decisions = decisions.filter(|(_, sample)| sample.iter().any(is_latest));
                    decisions.take(limit).map(|(row, _)| row.try_into()).collect()
                })
            })
            .await
    }
}

/// Number of the newest entries searched for the actor's own.
const LATEST: i64 = 10_000;
/// Number of the first and of the last reports of a decision that are examined.
const SAMPLE: i64 = 50;

/// Returns the statement that selects an actor's latest decisions.
fn own_decisions() -> String {
    let actions = Action::UNDOABLE.map(|action| format!("'{action}'")).join(", ");
    format!(
        "SELECT coalesce(decision, seq) AS number, action, max(at) AS at,
                CAST(sum(reports) AS BIGINT) AS reports, min(subject) AS subject,
                min(report_seq) AS report, min(seq) AS first_entry, max(seq) AS last_entry
         FROM audit_log
         WHERE seq > (SELECT coalesce(max(seq), 0) FROM audit_log) - $1
           AND actor = $2 AND (key_prefix = $3 OR key_prefix IS NULL AND $3 IS NULL)
           AND action IN ({actions}) AND at >= $4
         GROUP BY coalesce(decision, seq), action
         ORDER BY coalesce(decision, seq) DESC LIMIT $5"
    )
}

#[derive(sqlx::FromRow)]
struct Row {
    number: i64,
    action: String,
    at: i64,
    reports: i64,
    subject: String,
    report: Option<i64>,
    first_entry: i64,
    last_entry: i64,
}

/// Report of a decision, with the entry about it.
struct Sample {
    report: i64,
    entry: i64,
}

impl Row {
    /// Returns the first and the last reports of the decision. An undoing starts with the first, so
    /// one of these reports is unchanged unless all of the decision is undone.
    async fn sample(&self, tx: &mut Connection) -> Result<Vec<Sample>> {
        if let (1, Some(report)) = (self.reports, self.report) {
            return Ok(vec![Sample { report, entry: self.first_entry }]);
        }
        let mut sample = Vec::new();
        for (entry, order) in [(self.first_entry, "ASC"), (self.last_entry, "DESC")] {
            let sql = format!(
                "SELECT report_seq FROM audited_reports WHERE entry_seq = $1
                 ORDER BY report_seq {order} LIMIT $2"
            );
            let reports: Vec<i64> = sql::query_scalar(AssertSqlSafe(sql))
                .bind(entry)
                .bind(SAMPLE)
                .fetch_all(&mut *tx)
                .await?;
            sample.extend(reports.into_iter().map(|report| Sample { report, entry }));
            let only = "SELECT report_seq FROM audit_log WHERE seq = $1";
            let only: Option<i64> = sql::query_scalar(only).bind(entry).fetch_one(&mut *tx).await?;
            sample.extend(only.map(|report| Sample { report, entry }));
        }
        Ok(sample)
    }
}

impl TryFrom<Row> for OwnDecision {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let damaged = || Error::Damaged(format!("entry {} of the audit log", row.number));
        Ok(Self {
            number: row.number,
            action: Action::from_name(&row.action).ok_or_else(damaged)?,
            reports: row.reports.cast_unsigned(),
            only: (row.reports == 1).then_some(row.subject),
            at: Timestamp::from_millis(row.at),
        })
    }
}

/// Latest entry about a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LatestEntry {
    pub entry: i64,
    /// Decision that it undoes.
    pub undoes: Option<i64>,
}

/// Returns the latest entry about each of these reports, by number. Reports without entries are
/// missing.
pub(crate) async fn latest_entries(
    tx: &mut Connection,
    reports: &[i64],
) -> Result<HashMap<i64, LatestEntry>> {
    let undoes = format!("CASE WHEN l.action = '{}' THEN l.decision END", Action::Undo);
    let statements = [
        format!("SELECT l.report_seq, l.seq, {undoes} FROM audit_log l WHERE l.report_seq"),
        format!(
            "SELECT r.report_seq, r.entry_seq, {undoes}
             FROM audited_reports r JOIN audit_log l ON l.seq = r.entry_seq WHERE r.report_seq"
        ),
    ];
    let mut latest: HashMap<i64, LatestEntry> = HashMap::new();
    for statement in statements {
        let rows: Vec<(i64, i64, Option<i64>)> =
            bulk::select_matching(&mut *tx, &statement, reports, |query, seq| query.bind(*seq))
                .await?;
        for (report, entry, undoes) in rows {
            let found = LatestEntry { entry, undoes };
            let known = latest.entry(report).or_insert(found);
            if known.entry < entry {
                *known = found;
            }
        }
    }
    Ok(latest)
}
