//! Imports: runs of `svc reports import`, and the reports that each of them added.

use std::ops::RangeInclusive;

use base::time::Timestamp;
use domain::{action::Action, import_id::ImportId, report::NewReport};

use super::import_mode::{Imported, Mode, RowOutcome};
use crate::{
    Store, areas,
    audit_log::Entry,
    engine::adaptive_batch::{AdaptiveBatchSize, BatchLimit},
    engine::sql::{self, Connection, Engine},
    error::{Error, Result},
};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

/// An import of reports.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Import")]
pub struct ListedImport {
    /// Id of the import.
    pub id: ImportId,
    /// Start of the import.
    pub created_at: Timestamp,
    /// Name of the file as given on the command line; `null` for standard input and requests.
    pub file: Option<String>,
    /// Status that its reports were imported with.
    #[schemars(with = "String", extend("enum" = ["pending", "approve", "backfill"]))]
    pub mode: Mode,
    /// Present number of its reports of each status.
    pub reports: StatusCounts,
}

/// Number of reports of each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct StatusCounts {
    /// Reports that wait for a decision.
    pub pending: i64,
    /// Published reports.
    pub approved: i64,
    /// Rejected reports.
    pub rejected: i64,
    /// Withdrawn reports.
    pub withdrawn: i64,
}

/// Result of an import, in rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportResult {
    pub total: i64,
    pub imported: i64,
    pub skipped: i64,
    pub refused: i64,
    /// First of the refused rows, as CSV with the reasons in the first column.
    pub refused_rows: Vec<u8>,
    /// Notes about the file, in the form that the desk displays.
    pub notes: Vec<Value>,
    /// Reasons for which rows were refused, in the form that the desk displays.
    pub reasons: Vec<Value>,
    /// Reason why the import stopped before the end of the file, in the form that the desk displays.
    pub failure: Option<Value>,
}

/// Import in progress.
#[derive(Debug)]
pub struct Importing<'s> {
    store: &'s Store,
    import: ImportId,
    mode: Mode,
    batch_size: AdaptiveBatchSize,
}

impl Importing<'_> {
    /// Imports the first of `rows` in one transaction. Returns their outcomes and the remaining
    /// rows.
    pub async fn next<'r>(&mut self, rows: &'r [NewReport]) -> Result<(Imported, &'r [NewReport])> {
        let BatchLimit { look_at, change } = self.batch_size.next(rows.len()).await;
        let rows_now = &rows[..look_at];
        let timed = self
            .store
            .reports()
            .import_some(Some(self.import), rows_now, change, self.mode)
            .await?;
        let outcomes = timed.done;
        let imported = outcomes.iter().filter(|outcome| **outcome == RowOutcome::Imported).count();
        self.batch_size.learn(imported, timed.held);
        let rest = &rows[outcomes.len()..];
        Ok((outcomes, rest))
    }
}

impl<'s> areas::Reports<'s> {
    /// Continues an import, each batch in its own transaction.
    pub fn importing(self, import: ImportId, mode: Mode) -> Importing<'s> {
        let batch_size = match mode {
            Mode::Approve => AdaptiveBatchSize::of_news(),
            Mode::Backfill => AdaptiveBatchSize::of_history(),
            Mode::Pending | Mode::DryRun => AdaptiveBatchSize::of_pending(),
        };
        Importing { store: self.store, import, mode, batch_size }
    }

    /// Starts an import, to which [`areas::Reports::importing`] adds rows. `file` is `None` for
    /// standard input and requests.
    pub async fn begin_import(self, file: Option<&str>, mode: Mode) -> Result<ImportId> {
        self.store
            .write(move |tx, now| {
                Box::pin(async move {
                    // The id is a time in milliseconds. Two imports may start in the same
                    // millisecond, or the clock may have been set back.
                    let sql = "INSERT INTO imports (id, file, mode)
                     SELECT CASE WHEN $1 > next.id THEN $1 ELSE next.id END, $2, $3
                     FROM (SELECT coalesce(max(id), 0) + 1 AS id FROM imports) AS next
                     RETURNING id";
                    let id: i64 = sql::query_scalar(sql)
                        .bind(now.timestamp_millis())
                        .bind(file)
                        .bind(mode.as_str())
                        .fetch_one(&mut **tx)
                        .await?;
                    let import = ImportId::new(id);
                    let entry = Entry::of(Action::Import, &import.to_string())
                        .after(json!({ "file": file, "mode": mode }));
                    self.store.note(tx, now, entry).await?;
                    Ok(import)
                })
            })
            .await
    }

    /// Returns the newest imports, newest first.
    pub async fn imports(self, limit: u32) -> Result<Vec<ListedImport>> {
        let rows: Vec<Row> = sql::query_as(AssertSqlSafe(list(self.store.engine(), "")))
            .bind(i64::from(limit))
            .fetch_all(&self.store.readers)
            .await?;
        rows.into_iter().map(ListedImport::try_from).collect()
    }

    /// Returns the import with this id.
    pub async fn import_of(self, import: ImportId) -> Result<Option<ListedImport>> {
        let row: Option<Row> =
            sql::query_as(AssertSqlSafe(list(self.store.engine(), "WHERE i.id = $2")))
                .bind(1)
                .bind(import.millis())
                .fetch_optional(&self.store.readers)
                .await?;
        row.map(ListedImport::try_from).transpose()
    }

    /// Records the result of an import.
    pub async fn note_import_result(self, import: ImportId, result: &ImportResult) -> Result<()> {
        self.store
            .administer(move |tx, _| {
                Box::pin(async move {
                    let sql =
                        "INSERT INTO import_results (import_id, total, imported, skipped, refused,
                                               refused_rows, notes, reasons, failure)
                     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
                    sql::query(sql)
                        .bind(import.millis())
                        .bind(result.total)
                        .bind(result.imported)
                        .bind(result.skipped)
                        .bind(result.refused)
                        .bind(result.refused_rows.as_slice())
                        .bind(json!(result.notes).to_string())
                        .bind(json!(result.reasons).to_string())
                        .bind(result.failure.as_ref().map(Value::to_string))
                        .execute(&mut **tx)
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// Returns the result of an import, if it was recorded.
    pub async fn import_result(self, import: ImportId) -> Result<Option<ImportResult>> {
        let sql = "SELECT total, imported, skipped, refused, refused_rows, notes, reasons, failure
                   FROM import_results WHERE import_id = $1";
        let row: Option<ResultRow> =
            sql::query_as(sql).bind(import.millis()).fetch_optional(&self.store.readers).await?;
        row.map(ImportResult::try_from).transpose()
    }
}

/// Returns the statement that lists imports. Counts only the reports that are not approved, by
/// their index; the other reports of an import are the approved ones.
fn list(engine: Engine, which: &str) -> String {
    let count = |status: &str| {
        format!(
            "(SELECT count(*) FROM import_ranges g CROSS JOIN reports r {}
              WHERE g.import_id = i.id AND r.seq BETWEEN g.first_seq AND g.last_seq
                AND r.status <> 'APPROVED' AND r.status = '{status}')",
            engine.indexed_by("reports_not_approved"),
        )
    };
    let [pending, rejected, withdrawn] = ["PENDING", "REJECTED", "WITHDRAWN"].map(count);
    format!(
        "SELECT i.id, i.file, i.mode,
                (SELECT CAST(coalesce(sum(g.last_seq - g.first_seq + 1), 0) AS BIGINT)
                 FROM import_ranges g WHERE g.import_id = i.id) AS total,
                {pending} AS pending, {rejected} AS rejected, {withdrawn} AS withdrawn
         FROM imports i {which} ORDER BY i.id DESC LIMIT $1"
    )
}

#[derive(sqlx::FromRow)]
struct ResultRow {
    total: i64,
    imported: i64,
    skipped: i64,
    refused: i64,
    refused_rows: Vec<u8>,
    notes: String,
    reasons: String,
    failure: Option<String>,
}

impl TryFrom<ResultRow> for ImportResult {
    type Error = Error;

    fn try_from(row: ResultRow) -> Result<Self> {
        let ResultRow { total, imported, skipped, refused, refused_rows, .. } = row;
        let damaged = |error| Error::Damaged(format!("result of an import ({error})"));
        let notes = serde_json::from_str(&row.notes).map_err(damaged)?;
        let reasons = serde_json::from_str(&row.reasons).map_err(damaged)?;
        let failure = row.failure.map(|failure| serde_json::from_str(&failure));
        let failure = failure.transpose().map_err(damaged)?;
        Ok(Self { total, imported, skipped, refused, refused_rows, notes, reasons, failure })
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: i64,
    file: Option<String>,
    mode: String,
    total: i64,
    pending: i64,
    rejected: i64,
    withdrawn: i64,
}

impl TryFrom<Row> for ListedImport {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self> {
        let Row { id, file, mode, total, pending, rejected, withdrawn } = row;
        let mode = [Mode::Pending, Mode::Approve, Mode::Backfill]
            .into_iter()
            .find(|known| known.as_str() == mode)
            .ok_or_else(|| Error::Damaged(format!("mode {mode:?} of an import")))?;
        let approved = total - pending - rejected - withdrawn;
        Ok(Self {
            id: ImportId::new(id),
            created_at: Timestamp::from_millis(id),
            file,
            mode,
            reports: StatusCounts { pending, approved, rejected, withdrawn },
        })
    }
}

/// Records that `import` inserted the last `inserted` reports, which this transaction has just
/// added.
pub(super) async fn add(tx: &mut Connection, import: ImportId, inserted: usize) -> Result<()> {
    let last: i64 = sql::query_scalar("SELECT max(seq) FROM reports").fetch_one(&mut *tx).await?;
    // No other transaction inserts reports during this one, and reports are never deleted, so the
    // numbers have no gaps.
    let first = last - inserted as i64 + 1;
    let sql = "UPDATE import_ranges SET last_seq = $1
         WHERE first_seq = (SELECT max(first_seq) FROM import_ranges)
           AND import_id = $2 AND last_seq = $3 - 1";
    let extended =
        sql::query(sql).bind(last).bind(import.millis()).bind(first).execute(&mut *tx).await?;
    if extended == 0 {
        let sql = "INSERT INTO import_ranges (first_seq, last_seq, import_id) VALUES ($1, $2, $3)";
        sql::query(sql).bind(first).bind(last).bind(import.millis()).execute(tx).await?;
    }
    Ok(())
}

/// Returns the import that added the report with this number.
pub(crate) async fn of(tx: &mut Connection, seq: i64) -> Result<Option<ImportId>> {
    let sql = "SELECT import_id, last_seq FROM import_ranges WHERE first_seq <= $1
         ORDER BY first_seq DESC LIMIT 1";
    let import: Option<(i64, i64)> = sql::query_as(sql).bind(seq).fetch_optional(tx).await?;
    Ok(import.filter(|(_, last)| seq <= *last).map(|(import, _)| ImportId::new(import)))
}

/// Returns the numbers of an import's reports, in order.
///
/// # Errors [`Error::UnknownImport`].
pub(super) async fn ranges(
    tx: &mut Connection,
    import: ImportId,
) -> Result<Vec<RangeInclusive<i64>>> {
    let known: Option<i64> = sql::query_scalar("SELECT id FROM imports WHERE id = $1")
        .bind(import.millis())
        .fetch_optional(&mut *tx)
        .await?;
    if known.is_none() {
        return Err(Error::UnknownImport(import));
    }
    let sql =
        "SELECT first_seq, last_seq FROM import_ranges WHERE import_id = $1 ORDER BY first_seq";
    let ranges: Vec<(i64, i64)> = sql::query_as(sql).bind(import.millis()).fetch_all(tx).await?;
    Ok(ranges.into_iter().map(|(first, last)| first..=last).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scratch;

    #[tokio::test]
    async fn imports_are_listed_without_a_look_at_the_reports_themselves() {
        let store = Scratch::sqlite().await;
        let plan = store.plan(&list(Engine::Sqlite, "")).await;
        let reports: Vec<&String> = plan.iter().filter(|step| step.contains(" r ")).collect();
        let covered = "SEARCH r USING COVERING INDEX reports_not_approved \
                       (status=? AND rowid>? AND rowid<?)";
        assert_eq!(reports, [covered; 3]);
    }
}
