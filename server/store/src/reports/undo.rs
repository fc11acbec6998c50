//! Undoing a decision: its reports get their earlier status or values back, unless they were changed
//! since.
//!
//! A decision on many reports is undone in batches, from its first report to its last. After a crash
//! it can be undone again, which continues with the reports that are left.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use domain::{
    action::Action,
    report::{Status, Step},
};
use serde_json::{Map, Value};

use super::{
    correct::{self, Correction},
    decide::Change,
    transition::{Candidate, numbered},
};
use crate::{
    Store, areas,
    audit_log::decisions::latest_entries,
    engine::{
        adaptive_batch::AdaptiveBatchSize,
        sql::{self, Connection},
        transaction::Times,
    },
    error::{Error, Result},
};

/// Undoing of a decision, in batches.
#[derive(Debug)]
pub struct Undoing<'s> {
    store: &'s Store,
    decision: i64,
    action: Action,
    /// Entries of the decision, in order.
    entries: Vec<Entry>,
    /// Reports that are left, last report first, each with the index of its entry.
    rest: Vec<(usize, i64)>,
    batch_size: AdaptiveBatchSize,
}

/// Result of undoing a decision, or a batch of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Undone {
    /// Number of reports that are as they were before the decision.
    pub undone: u64,
    /// Number of reports that were changed since the decision, and stay as they are.
    pub left: u64,
}

/// Entry of a decision.
#[derive(Debug)]
struct Entry {
    seq: i64,
    former: Former,
}

/// Change that an entry is about.
#[derive(Debug)]
enum Former {
    /// Status before a step.
    Status(Step, Status),
    /// Values before and after a correction.
    Values(Map<String, Value>, Map<String, Value>),
}

impl Former {
    /// Whether the report still is as the decision left it. A change without an operator has no
    /// entry in the audit log.
    fn is_undoable(&self, report: &Candidate) -> bool {
        match self {
            Former::Status(step, _) => report.status == step.to(),
            Former::Values(_, after) => correct::has(&report.report, after),
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    at: i64,
    action: String,
    report_seq: Option<i64>,
    before: Option<String>,
    after: Option<String>,
}

impl Row {
    fn former(&self) -> Option<Former> {
        let values = |text: &Option<String>| -> Option<Map<String, Value>> {
            serde_json::from_str(text.as_deref()?).ok()
        };
        let before = values(&self.before)?;
        match Action::from_name(&self.action)?.step() {
            Some(step) => {
                let status = Status::from_name(before.get("status")?.as_str()?)?;
                Some(Former::Status(step, status))
            }
            None => Some(Former::Values(before, values(&self.after)?)),
        }
    }
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
        let action = action.filter(|action| Action::UNDOABLE.contains(action));
        let Some(action) = action else { return Ok(None) };
        if last < not_before.timestamp_millis() {
            return Ok(None);
        }
        let (mut entries, mut rest) = (Vec::with_capacity(rows.len()), Vec::new());
        for row in rows {
            let damaged = || Error::Damaged(format!("entry {} of the audit log", row.seq));
            let former = row.former().ok_or_else(damaged)?;
            let reports = self.reports_of(&row).await?;
            rest.extend(reports.into_iter().map(|report| (entries.len(), report)));
            entries.push(Entry { seq: row.seq, former });
        }
        rest.reverse();
        let batch_size = AdaptiveBatchSize::of_news();
        Ok(Some(Undoing { store: self.store, decision, action, entries, rest, batch_size }))
    }

    /// Returns the entries of a decision, if the actor of this handle made it.
    async fn own_entries(self, decision: i64) -> Result<Vec<Row>> {
        let Some(actor) = &self.store.actor else { return Ok(Vec::new()) };
        let sql = "SELECT seq, at, action, report_seq, before, after FROM audit_log
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

    /// Returns the numbers of an entry's reports, in order.
    async fn reports_of(self, row: &Row) -> Result<Vec<i64>> {
        if let Some(only) = row.report_seq {
            return Ok(vec![only]);
        }
        let several =
            "SELECT report_seq FROM audited_reports WHERE entry_seq = $1 ORDER BY report_seq";
        Ok(sql::query_scalar(several).bind(row.seq).fetch_all(&self.store.readers).await?)
    }
}

impl Undoing<'_> {
    /// Action that is undone.
    pub fn action(&self) -> Action {
        self.action
    }

    /// Undoes the next part of the decision in one transaction; `None` if nothing is left.
    pub async fn next_batch(&mut self) -> Result<Option<Undone>> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let most = self.batch_size.next(self.rest.len()).await.change;
        let batch = self.rest.split_off(self.rest.len().saturating_sub(most.max(1)));
        let this = &*self;
        let reports = &batch;
        let timed = this
            .store
            .write_reports(batch.len(), move |tx, times| {
                Box::pin(async move { this.undo(tx, reports, times).await })
            })
            .await?;
        let (changed, earlier) = timed.done;
        self.batch_size.learn(changed, timed.held);
        let undone = changed + earlier;
        Ok(Some(Undone { undone: undone as u64, left: (batch.len() - undone) as u64 }))
    }

    /// Undoes the decision on those of the reports that were not changed since. Returns their number,
    /// and that of the reports for which it was undone earlier.
    async fn undo(
        &self,
        tx: &mut Connection,
        batch: &[(usize, i64)],
        times: Times,
    ) -> Result<(usize, usize)> {
        let seqs: Vec<i64> = batch.iter().map(|(_, seq)| *seq).collect();
        let latest = latest_entries(tx, &seqs).await?;
        let undone = latest.values().filter(|latest| latest.undoes == Some(self.decision)).count();
        let entry_of: HashMap<i64, &Entry> = batch
            .iter()
            .filter_map(|(entry, seq)| Some((*seq, self.entries.get(*entry)?)))
            .filter(|(seq, entry)| latest.get(seq).is_some_and(|one| one.entry == entry.seq))
            .collect();
        let untouched: Vec<i64> = entry_of.keys().copied().collect();
        let mut reports: Vec<(&Entry, Candidate)> = numbered(tx, &untouched)
            .await?
            .into_iter()
            .filter_map(|report| Some((*entry_of.get(&report.seq)?, report)))
            .filter(|(entry, report)| entry.former.is_undoable(report))
            .collect();
        reports.sort_unstable_by_key(|(entry, report)| (entry.seq, report.seq));
        let changed = reports.len();
        let mut corrections = Vec::new();
        for alike in reports.chunk_by(|(a, _), (b, _)| a.seq == b.seq) {
            let Some((entry, _)) = alike.first() else { continue };
            let alike = alike.iter().map(|(_, report)| report.clone());
            match &entry.former {
                Former::Status(_, to) => {
                    let (action, decision) = (Action::Undo, Some(self.decision));
                    let change = Change { action, to: *to, reason: None, decision };
                    let alike: Vec<Candidate> = alike.collect();
                    self.store.reports().take(tx, change, &alike, times).await?;
                }
                Former::Values(before, _) => {
                    for report in alike {
                        let after = correct::with(&report.report, before)?;
                        corrections.extend(Correction::of(report, after));
                    }
                }
            }
        }
        let (reports, decision) = (self.store.reports(), Some(self.decision));
        reports.replace(tx, &corrections, times.now).await?;
        reports.note_corrections(tx, Action::Undo, &corrections, decision, times.now).await?;
        Ok((changed, undone))
    }
}
