//! Decisions on reports. All steps are applied here, whether the reports are given by id or
//! [selected](super::select).

use base::random::Random;
use chrono::{DateTime, Utc};
use domain::report::{Status, Step};
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
        bulk,
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

/// Application of one step to many reports, in batches.
#[derive(Debug)]
pub struct Batches<'s> {
    store: &'s Store,
    step: Step,
    batch_size: AdaptiveBatchSize,
}

impl<'s> areas::Reports<'s> {
    /// Prepares to apply `step` to many reports, each batch in its own transaction. If a batch
    /// fails, earlier batches remain committed.
    pub fn batches(self, step: Step) -> Batches<'s> {
        Batches { store: self.store, step, batch_size: AdaptiveBatchSize::of_news() }
    }

    /// Applies `step` to the reports among `ids` that allow it, in one transaction. The other
    /// reports are refused, each with the reason, and do not change.
    pub async fn decide(self, step: Step, ids: &[String]) -> Result<Decisions> {
        Ok(self.decide_on_ids(step, ids, usize::MAX).await?.done.0)
    }

    /// Returns the decisions that [`areas::Reports::decide`] would make now. Changes nothing.
    pub async fn foresee(self, step: Step, ids: &[String]) -> Result<Decisions> {
        self.store
            .read(move |tx| {
                Box::pin(async move { Ok(candidates(tx, ids, step, usize::MAX).await?.decisions) })
            })
            .await
    }

    /// Like [`areas::Reports::decide`], but stops when `most` reports have taken the step. Also
    /// returns the number of ids read.
    pub(super) async fn decide_on_ids(
        self,
        step: Step,
        ids: &[String],
        most: usize,
    ) -> Result<Timed<(Decisions, usize)>> {
        self.store
            .write_reports(ids.len().min(most), move |tx, times| {
                Box::pin(async move {
                    let Candidates { eligible, decisions, read } =
                        candidates(tx, ids, step, most).await?;
                    self.take(tx, step, &eligible, times).await?;
                    Ok((decisions, read))
                })
            })
            .await
    }

    /// Applies `step` to the reports with these numbers that still allow it. Returns their number.
    pub(super) async fn decide_on_selected(self, step: Step, seqs: &[i64]) -> Result<Timed<usize>> {
        self.store
            .write_reports(seqs.len(), move |tx, times| {
                Box::pin(async move {
                    let reports = candidates_among(tx, seqs, step).await?;
                    self.take(tx, step, &reports, times).await?;
                    Ok(reports.len())
                })
            })
            .await
    }

    /// Applies `step` to reports that allow it.
    pub(super) async fn take(
        self,
        tx: &mut Connection,
        step: Step,
        reports: &[Candidate],
        times: Times,
    ) -> Result<()> {
        if reports.is_empty() {
            return Ok(());
        }
        let (random, now) = (&self.store.random, times.now);
        match step {
            Step::Approve => {
                let seqs: Vec<i64> = reports.iter().map(|report| report.seq).collect();
                let reports: Vec<_> = reports.iter().map(|report| &report.report).collect();
                let occasion = Occasion::News { random };
                publish(tx, &reports, Rows::Pending(&seqs), occasion, times).await?;
            }
            Step::Reject => set_status(tx, reports, Status::Rejected).await?,
            Step::Withdraw => withdraw(tx, reports, now, random).await?,
            Step::Reopen => reopen(tx, reports).await?,
        }
        self.note_step(tx, step, reports, now).await
    }

    /// Writes the step to the audit log, with one entry for each previous status.
    async fn note_step(
        self,
        tx: &mut Connection,
        step: Step,
        reports: &[Candidate],
        now: DateTime<Utc>,
    ) -> Result<()> {
        for status in step.from() {
            let those: Vec<_> = reports.iter().filter(|report| report.status == *status).collect();
            let subject = match those.as_slice() {
                [] => continue,
                [only] => only.report.id.to_string(),
                several => format!("{} reports", several.len()),
            };
            let seqs: Vec<i64> = those.iter().map(|report| report.seq).collect();
            let entry = Entry {
                action: step.into(),
                subject,
                reports: &seqs,
                before: Some(json!({ "status": status })),
                after: Some(json!({ "status": step.to() })),
            };
            self.store.note(tx, now, entry).await?;
        }
        Ok(())
    }
}

impl Batches<'_> {
    /// Decides on the first of `ids`. Returns the decisions and the remaining ids.
    pub async fn next_ids<'i>(&mut self, ids: &'i [String]) -> Result<(Decisions, &'i [String])> {
        let BatchLimit { look_at, change } = self.batch_size.next(ids.len()).await;
        let timed = self.store.reports().decide_on_ids(self.step, &ids[..look_at], change).await?;
        let (decisions, read) = timed.done;
        let decided = decisions.iter().filter(|(_, decision)| *decision == Decision::Done).count();
        self.batch_size.learn(decided, timed.held);
        Ok((decisions, &ids[read..]))
    }

    /// Decides on the first of `selected` and removes them from it.
    pub async fn next_selected(&mut self, selected: &mut Selected) -> Result<Batch> {
        let left = usize::try_from(selected.len()).unwrap_or(usize::MAX);
        let seqs = selected.first(self.batch_size.next(left).await.change);
        let timed = self.store.reports().decide_on_selected(self.step, seqs).await?;
        self.batch_size.learn(timed.done, timed.held);
        let taken = seqs.len();
        selected.advance(taken);
        let decided = timed.done as u64;
        Ok(Batch { decided, skipped: taken as u64 - decided })
    }
}

/// Withdraws approved reports and notifies partners.
async fn withdraw(
    tx: &mut Connection,
    reports: &[Candidate],
    now: DateTime<Utc>,
    random: &Random,
) -> Result<()> {
    let counted = reports.iter().map(Candidate::counted).collect::<Result<Vec<_>>>()?;
    Tally::of(&counted)?.count_out(tx).await?;
    let positions: Vec<i64> = reports.iter().filter_map(|report| report.position).collect();
    list_index::remove(tx, &positions).await?;
    set_status(tx, reports, Status::Withdrawn).await?;
    let withdrawn = reports.iter().map(|report| &report.report);
    outbox::write_withdrawn(tx, withdrawn, now, random).await?;
    version::revise(tx).await?;
    version::bump(tx, now).await
}

/// Makes rejected or withdrawn reports pending again. Clears the time of publication, because a
/// later approval is a new publication. Keeps the place, so that it remains a place with a report.
async fn reopen(tx: &mut Connection, reports: &[Candidate]) -> Result<()> {
    bulk::insert(
        tx,
        "WITH reopened (seq) AS (",
        ") UPDATE reports
           SET status = 'PENDING', published_at = NULL
           FROM reopened WHERE reports.seq = reopened.seq",
        reports,
        |query, report| query.bind(report.seq),
    )
    .await
}
