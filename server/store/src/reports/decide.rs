//! Deciding on reports. All steps go through here, whether the reports are named or were
//! [selected](super::select).

use chrono::{DateTime, Utc};
use domain::report::Step;
use serde_json::json;

use super::{
    publication::Occasion,
    publish::approve,
    reject::reject,
    reopen::reopen,
    transition::{Candidate, Candidates, Decisions, candidates, candidates_among},
    withdraw::withdraw,
};
use crate::{
    Store,
    audit_log::Entry,
    engine::{
        sql::Connection,
        transaction::{Timed, Times},
    },
    error::Result,
};

impl Store {
    /// Takes `step` with the reports among `ids` that allow it, in one transaction. The others are
    /// refused, each with the reason, and don't change.
    pub async fn decide(&self, step: Step, ids: &[String]) -> Result<Decisions> {
        Ok(self.decide_on_ids(step, ids, usize::MAX).await?.done.0)
    }

    /// What [`Store::decide`] would do now. Changes nothing.
    pub async fn foresee(&self, step: Step, ids: &[String]) -> Result<Decisions> {
        self.read(move |tx| {
            Box::pin(async move { Ok(candidates(tx, ids, step, usize::MAX).await?.decisions) })
        })
        .await
    }

    /// The same with the first of `ids`, until `most` reports have taken the step; also returns how many of
    /// the ids that were.
    pub(super) async fn decide_on_ids(
        &self,
        step: Step,
        ids: &[String],
        most: usize,
    ) -> Result<Timed<(Decisions, usize)>> {
        self.write_reports(ids.len().min(most), move |tx, times| {
            Box::pin(async move {
                let Candidates { eligible, decisions, read } =
                    candidates(tx, ids, step, most).await?;
                self.take(tx, step, &eligible, times).await?;
                Ok((decisions, read))
            })
        })
        .await
    }

    /// Takes `step` with the reports that have these numbers and still allow it; returns how many did.
    pub(super) async fn decide_on_selected(
        &self,
        step: Step,
        seqs: &[i64],
    ) -> Result<Timed<usize>> {
        self.write_reports(seqs.len(), move |tx, times| {
            Box::pin(async move {
                let reports = candidates_among(tx, seqs, step).await?;
                self.take(tx, step, &reports, times).await?;
                Ok(reports.len())
            })
        })
        .await
    }

    /// Takes `step` with reports that allow it.
    pub(super) async fn take(
        &self,
        tx: &mut Connection,
        step: Step,
        reports: &[Candidate],
        times: Times,
    ) -> Result<()> {
        if reports.is_empty() {
            return Ok(());
        }
        let (random, now) = (&self.random, times.now);
        match step {
            Step::Approve => approve(tx, reports, Occasion::News { random }, times).await?,
            Step::Reject => reject(tx, reports).await?,
            Step::Withdraw => withdraw(tx, reports, now, random).await?,
            Step::Reopen => reopen(tx, reports).await?,
        }
        self.note_step(tx, step, reports, now).await
    }

    /// Writes the step to the audit log, with an entry for each status that the reports had before.
    async fn note_step(
        &self,
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
            self.note(tx, now, entry).await?;
        }
        Ok(())
    }
}
