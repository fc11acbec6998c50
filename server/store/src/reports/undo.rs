//! Undoing a decision: its reports get their earlier status back, unless they were changed since.
//!
//! A decision on many reports is undone in batches, from its first report to its last. After a crash
//! it can be undone again, which continues with the reports that are left.

use chrono::{DateTime, Utc};
use domain::{
    action::Action,
    report::{Status, Step},
};
use serde_json::Value;

use super::{
    decide::Change,
    transition::{Candidate, numbered},
};
use crate::{
    Store, areas,
    audit_log::decisions::{LatestEntry, latest_entries},
    engine::{
        adaptive_batch::AdaptiveBatchSize,
        sql::{self, Connection},
    },
    error::{Error, Result},
};

/// Undoing of a decision, in batches.
#[derive(Debug)]
pub struct Undoing<'s> {
    store: &'s Store,
    decision: i64,
    step: Step,
    /// Entries of the decision that are left, last entry first.
    entries: Vec<Entry>,
    batch_size: AdaptiveBatchSize,
}

/// Result of undoing a decision, or a batch of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Undone {
    /// Number of reports that have their earlier status again.
    pub undone: u64,
    /// Number of reports that were changed since the decision, and stay as they are.
    pub left: u64,
}

/// Entry of a decision.
#[derive(Debug)]
struct Entry {
    seq: i64,
    before: Status,
    /// Numbers of the reports, in order.
    reports: Vec<i64>,
    /// Number of these reports that were examined.
    taken: usize,
}

#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    at: i64,
    action: String,
    report_seq: Option<i64>,
    before: Option<String>,
}

impl<'s> areas::Reports<'s> {
    /// Prepares to undo the decision with this number. `None` unless the actor of this handle made
    /// it, at `not_before` or later.
    pub async fn undoing(
        self,
        decision: i64,
        not_before: DateTime<Utc>,
    ) -> Result<Option<Undoing<'s>>> {
        let rows = self.own_entries(decision).await?;
        let last = rows.iter().map(|row| row.at).max().unwrap_or(i64::MIN);
        let action = rows.first().and_then(|row| Action::from_name(&row.action));
        let Some(step) = action.and_then(Action::step) else { return Ok(None) };
        if last < not_before.timestamp_millis() {
            return Ok(None);
        }
        let mut entries = Vec::with_capacity(rows.len());
        for row in rows.into_iter().rev() {
            entries.push(self.entry(row).await?);
        }
        let batch_size = AdaptiveBatchSize::of_news();
        Ok(Some(Undoing { store: self.store, decision, step, entries, batch_size }))
    }

    /// Returns the entries of a decision, if the actor of this handle made it.
    async fn own_entries(self, decision: i64) -> Result<Vec<Row>> {
        let Some(actor) = &self.store.actor else { return Ok(Vec::new()) };
        let sql = "SELECT seq, at, action, report_seq, before FROM audit_log
             WHERE (seq = $1 AND decision IS NULL OR decision = $1) AND action <> $4
               AND actor = $2 AND (key_prefix = $3 OR key_prefix IS NULL AND $3 IS NULL)
             ORDER BY seq";
        Ok(sql::query_as(sql)
            .bind(decision)
            .bind(actor.name.to_string())
            .bind(actor.key.as_deref())
            .bind(Action::Undo.as_str())
            .fetch_all(&self.store.readers)
            .await?)
    }

    async fn entry(self, row: Row) -> Result<Entry> {
        let before = row.before.as_deref().and_then(status);
        let before =
            before.ok_or_else(|| Error::Damaged(format!("entry {} of the audit log", row.seq)))?;
        let reports = match row.report_seq {
            Some(only) => vec![only],
            None => {
                let several = "SELECT report_seq FROM audited_reports WHERE entry_seq = $1
                     ORDER BY report_seq";
                sql::query_scalar(several).bind(row.seq).fetch_all(&self.store.readers).await?
            }
        };
        Ok(Entry { seq: row.seq, before, reports, taken: 0 })
    }
}

impl Undoing<'_> {
    /// Step of the decision.
    pub fn step(&self) -> Step {
        self.step
    }

    /// Undoes the next part of the decision in one transaction; `None` if nothing is left.
    pub async fn next_batch(&mut self) -> Result<Option<Undone>> {
        while self.entries.last().is_some_and(|entry| entry.taken == entry.reports.len()) {
            self.entries.pop();
        }
        let Some(entry) = self.entries.last_mut() else { return Ok(None) };
        let rest = entry.reports.get(entry.taken..).unwrap_or_default();
        let most = self.batch_size.next(rest.len()).await.change;
        let batch = rest.get(..most).unwrap_or(rest);
        let (decision, store, entry_seq) = (self.decision, self.store, entry.seq);
        let (action, to) = (Action::Undo, entry.before);
        let (step, change) =
            (self.step, Change { action, to, reason: None, decision: Some(decision) });
        let timed = store
            .write_reports(batch.len(), move |tx, times| {
                Box::pin(async move {
                    let Untouched { reports, earlier } =
                        untouched(tx, entry_seq, decision, step, batch).await?;
                    store.reports().take(tx, change, &reports, times).await?;
                    Ok((reports.len(), earlier))
                })
            })
            .await?;
        let (changed, earlier) = timed.done;
        self.batch_size.learn(changed, timed.held);
        let examined = batch.len();
        entry.taken += examined;
        let undone = changed + earlier;
        Ok(Some(Undone { undone: undone as u64, left: (examined - undone) as u64 }))
    }
}

/// Reports of an entry that were not changed after it.
struct Untouched {
    reports: Vec<Candidate>,
    /// Number of other reports for which the decision was undone earlier.
    earlier: usize,
}

async fn untouched(
    tx: &mut Connection,
    entry: i64,
    decision: i64,
    step: Step,
    seqs: &[i64],
) -> Result<Untouched> {
    let latest = latest_entries(tx, seqs).await?;
    let of = |seq: &i64| latest.get(seq).copied();
    let is_untouched = |seq: &&i64| of(seq).is_some_and(|latest| latest.entry == entry);
    let undone = |latest: LatestEntry| latest.undoes == Some(decision);
    let earlier = seqs.iter().filter_map(of).filter(|latest| undone(*latest)).count();
    let untouched: Vec<i64> = seqs.iter().filter(is_untouched).copied().collect();
    let mut reports = numbered(tx, &untouched).await?;
    // A change without an operator has no entry.
    reports.retain(|report| report.status == step.to());
    reports.sort_unstable_by_key(|report| report.seq);
    Ok(Untouched { reports, earlier })
}

/// Returns the status in the old values of an entry.
fn status(before: &str) -> Option<Status> {
    let before: Value = serde_json::from_str(before).ok()?;
    Status::from_name(before.get("status")?.as_str()?)
}
