//! Deciding on reports: the one path of all steps, for reports that are named and for reports that were
//! [selected](super::select).

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use sqlx::SqliteConnection;

use super::{
    publication::Occasion,
    publish::approve,
    reject::reject,
    reopen::reopen,
    transition::{Candidate, Decisions, candidates, candidates_among},
    withdraw::withdraw,
};
use crate::{
    domain::report::Step,
    store::{Store, error::Result},
};

/// What a transaction did, and for how long nobody else could write.
#[derive(Debug)]
pub(super) struct Timed<T> {
    pub done: T,
    pub held: Duration,
}

impl Store {
    /// Takes `step` with the reports among `ids` that allow it, in one transaction. The others are
    /// refused, each with the reason, and don't change.
    pub async fn decide(&self, step: Step, ids: &[String]) -> Result<Decisions> {
        Ok(self.decide_on_ids(step, ids).await?.done)
    }

    /// What [`Store::decide`] would do now. Changes nothing.
    pub async fn foresee(&self, step: Step, ids: &[String]) -> Result<Decisions> {
        self.read(move |tx| Box::pin(async move { Ok(candidates(tx, ids, step).await?.1) })).await
    }

    pub(super) async fn decide_on_ids(
        &self,
        step: Step,
        ids: &[String],
    ) -> Result<Timed<Decisions>> {
        let (done, since) = self
            .write(move |tx, now| {
                Box::pin(async move {
                    let since = Instant::now();
                    let (reports, decisions) = candidates(tx, ids, step).await?;
                    self.take(tx, step, &reports, now).await?;
                    Ok((decisions, since))
                })
            })
            .await?;
        Ok(Timed { done, held: since.elapsed() })
    }

    /// Takes `step` with the reports that have these numbers and still allow it; returns how many did.
    pub(super) async fn decide_on_selected(&self, step: Step, seqs: &[i64]) -> Result<Timed<u64>> {
        let (done, since) = self
            .write(move |tx, now| {
                Box::pin(async move {
                    let since = Instant::now();
                    let reports = candidates_among(tx, seqs, step).await?;
                    self.take(tx, step, &reports, now).await?;
                    Ok((reports.len() as u64, since))
                })
            })
            .await?;
        Ok(Timed { done, held: since.elapsed() })
    }

    /// Takes `step` with reports that allow it.
    async fn take(
        &self,
        tx: &mut SqliteConnection,
        step: Step,
        reports: &[Candidate],
        now: DateTime<Utc>,
    ) -> Result<()> {
        if reports.is_empty() {
            return Ok(());
        }
        match step {
            Step::Approve => {
                let occasion = Occasion::News { random: &self.random, due_at: self.clock.now() };
                approve(tx, reports, occasion, now).await
            }
            Step::Reject => reject(tx, reports).await,
            Step::Withdraw => withdraw(tx, reports, now).await,
            Step::Reopen => reopen(tx, reports).await,
        }
    }
}
