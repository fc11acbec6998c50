//! Decisions on reports. All steps are applied here, whether the reports are given by id or
//! [selected](super::select).

use base::random::Random;
use chrono::{DateTime, Utc};
use domain::{
    action::Action,
    reason::Reason,
    report::{Status, Step},
};
use serde_json::json;

use super::{
    publication::{Occasion, Rows, publish},
    select::Selected,
    transition::{
        Candidate, Candidates, Decision, Decisions, candidates, candidates_among, set_status,
    },
};
use crate::{
    Store, areas,
    audit_log::Entry,
    counters::rollup::Tally,
    engine::{
        adaptive_batch::{AdaptiveBatchSize, BatchLimit},
        sql::Connection,
        transaction::{Timed, Times},
    },
    error::Result,
    events::outbox,
    list_index, version,
};

/// Result of a batch of selected reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Number of reports to which the step was applied.
    pub decided: u64,
    /// Number of reports that no longer allow the step, because of other decisions after they were
    /// selected.
    pub skipped: u64,
}

/// Decision on reports: one step for all of them, in batches.
#[derive(Debug)]
pub struct Batches<'s> {
    store: &'s Store,
    step: Step,
    reason: Option<Reason>,
    /// Number of the decision in the audit log, once a batch has started it.
    decision: Option<i64>,
    batch_size: AdaptiveBatchSize,
}

/// Change of the status of reports, with what the audit log contains about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change<'d> {
    pub action: Action,
    pub to: Status,
    pub reason: Option<&'d Reason>,
    /// Decision that the change continues or undoes.
    pub decision: Option<i64>,
}

impl Change<'_> {
    fn of(step: Step) -> Self {
        Self { action: step.into(), to: step.to(), reason: None, decision: None }
    }
}

impl<'s> areas::Reports<'s> {
    /// Prepares to apply `step` to many reports, each batch in its own transaction. If a batch
    /// fails, earlier batches remain committed. All batches are one decision in the audit log.
    pub fn batches(self, step: Step) -> Batches<'s> {
        Batches {
            store: self.store,
            step,
            reason: None,
            decision: None,
            batch_size: AdaptiveBatchSize::of_news(),
        }
    }

    /// Applies `step` to the reports among `ids` that allow it, in one transaction. The other
    /// reports are refused, each with the reason, and do not change.
    pub async fn decide(self, step: Step, ids: &[String]) -> Result<Decisions> {
        let done = self.decide_on_ids(step, Change::of(step), ids, usize::MAX).await?.done;
        Ok(done.decisions)
    }

    /// Returns the decisions that [`areas::Reports::decide`] would make now. Changes nothing.
    pub async fn foresee(self, step: Step, ids: &[String]) -> Result<Decisions> {
        self.store
            .read(move |tx| {
                Box::pin(async move { Ok(candidates(tx, ids, step, usize::MAX).await?.decisions) })
            })
            .await
    }

    /// Like [`areas::Reports::decide`], but stops when `most` reports have taken the step.
    async fn decide_on_ids(
        self,
        step: Step,
        change: Change<'_>,
        ids: &[String],
        most: usize,
    ) -> Result<Timed<DecidedIds>> {
        self.store
            .write_reports(ids.len().min(most), move |tx, times| {
                Box::pin(async move {
                    let Candidates { eligible, decisions, read } =
                        candidates(tx, ids, step, most).await?;
                    let decision = self.take(tx, change, &eligible, times).await?;
                    Ok(DecidedIds { decisions, read, decision })
                })
            })
            .await
    }

    /// Applies `step` to the reports with these numbers that still allow it. Returns their number,
    /// and that of the decision.
    async fn decide_on_selected(
        self,
        step: Step,
        change: Change<'_>,
        seqs: &[i64],
    ) -> Result<Timed<(usize, Option<i64>)>> {
        self.store
            .write_reports(seqs.len(), move |tx, times| {
                Box::pin(async move {
                    let reports = candidates_among(tx, seqs, step).await?;
                    let decision = self.take(tx, change, &reports, times).await?;
                    Ok((reports.len(), decision))
                })
            })
            .await
    }

    /// Changes the status of reports that allow it. Returns the number of the decision.
    pub(super) async fn take(
        self,
        tx: &mut Connection,
        change: Change<'_>,
        reports: &[Candidate],
        times: Times,
    ) -> Result<Option<i64>> {
        if reports.is_empty() {
            return Ok(change.decision);
        }
        let random = &self.store.random;
        match change.to {
            Status::Approved => {
                let rows: Vec<_> = reports.iter().map(|report| &report.report).collect();
                publish(tx, &rows, Rows::Stored(reports), Occasion::News { random }, times).await?;
            }
            to if reports.iter().all(|report| report.status == Status::Approved) => {
                unpublish(tx, reports, to, times.now, random).await?;
            }
            to => set_status(tx, reports, to).await?,
        }
        if change.to == Status::Pending {
            let pending = reports.iter().map(|report| &report.report);
            outbox::write_pending(tx, pending, times.now, random).await?;
        }
        self.note_change(tx, change, reports, times.now).await
    }

    /// Writes the change to the audit log, with one entry for each previous status. Returns the
    /// number of the decision.
    async fn note_change(
        self,
        tx: &mut Connection,
        change: Change<'_>,
        reports: &[Candidate],
        now: DateTime<Utc>,
    ) -> Result<Option<i64>> {
        let mut decision = change.decision;
        for status in Status::ALL {
            let those: Vec<_> = reports.iter().filter(|report| report.status == status).collect();
            if those.is_empty() {
                continue;
            }
            let seqs: Vec<i64> = those.iter().map(|report| report.seq).collect();
            let ids: Vec<&str> = those.iter().map(|report| &*report.report.id).collect();
            let reason = change.reason.map(Reason::as_str);
            let entry = Entry {
                before: Some(json!({ "status": status })),
                decision,
                ..Entry::of_reports(change.action, &seqs, &ids)
            };
            let entry = entry.after(json!({ "status": change.to, "reason": reason }));
            let number = self.store.note_numbered(tx, now, entry).await?;
            decision = decision.or(number);
        }
        Ok(decision)
    }
}

/// Result of a transaction that decides on ids.
struct DecidedIds {
    decisions: Decisions,
    /// Number of ids read.
    read: usize,
    /// Number of the decision.
    decision: Option<i64>,
}

impl Batches<'_> {
    /// Adds a reason to the decision.
    #[must_use]
    pub fn because(self, reason: Option<Reason>) -> Self {
        Self { reason, ..self }
    }

    fn change(&self) -> Change<'_> {
        let (reason, decision) = (self.reason.as_ref(), self.decision);
        Change { reason, decision, ..Change::of(self.step) }
    }

    /// Decides on the first of `ids`. Returns the decisions and the remaining ids.
    pub async fn next_ids<'i>(&mut self, ids: &'i [String]) -> Result<(Decisions, &'i [String])> {
        let BatchLimit { look_at, change } = self.batch_size.next(ids.len()).await;
        let ids_now = &ids[..look_at];
        let reports = self.store.reports();
        let timed = reports.decide_on_ids(self.step, self.change(), ids_now, change).await?;
        let DecidedIds { decisions, read, decision } = timed.done;
        self.decision = decision;
        let decided = decisions.iter().filter(|(_, decision)| *decision == Decision::Done).count();
        self.batch_size.learn(decided, timed.held);
        Ok((decisions, &ids[read..]))
    }

    /// Decides on the first of `selected` and removes them from it.
    pub async fn next_selected(&mut self, selected: &mut Selected) -> Result<Batch> {
        let left = usize::try_from(selected.len()).unwrap_or(usize::MAX);
        let seqs = selected.first(self.batch_size.next(left).await.change);
        let reports = self.store.reports();
        let timed = reports.decide_on_selected(self.step, self.change(), seqs).await?;
        let (changed, decision) = timed.done;
        self.decision = decision;
        self.batch_size.learn(changed, timed.held);
        let taken = seqs.len();
        selected.advance(taken);
        let decided = changed as u64;
        Ok(Batch { decided, skipped: taken as u64 - decided })
    }
}

/// Removes approved reports from public data and notifies partners. The reports keep their time of
/// publication, at which they return if they are published again, and their place, so that it
/// remains a place with a report.
async fn unpublish(
    tx: &mut Connection,
    reports: &[Candidate],
    to: Status,
    now: DateTime<Utc>,
    random: &Random,
) -> Result<()> {
    let counted = reports.iter().map(Candidate::counted).collect::<Result<Vec<_>>>()?;
    Tally::of(&counted)?.count_out(tx).await?;
    let positions: Vec<i64> = reports.iter().filter_map(|report| report.position).collect();
    list_index::remove(tx, &positions).await?;
    set_status(tx, reports, to).await?;
    let withdrawn = reports.iter().map(|report| &report.report);
    outbox::write_withdrawn(tx, withdrawn, now, random).await?;
    version::revise(tx).await?;
    version::bump(tx, now).await
}
