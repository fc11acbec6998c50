//! Deciding on many reports, in one transaction after another.

use domain::report::Step;

use super::select::Selected;
use crate::{
    Decision, Decisions, Store,
    engine::pace::{Pace, Share},
    error::Result,
};

/// The result of a batch of selected reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// How many took the step.
    pub decided: u64,
    /// How many no longer allowed it, because somebody else decided on them after they were selected.
    pub skipped: u64,
}

/// One step for many reports.
#[derive(Debug)]
pub struct Batches<'s> {
    store: &'s Store,
    step: Step,
    pace: Pace,
}

impl Store {
    /// Takes `step` with many reports, each batch in its own transaction. If one fails, those before it
    /// stay.
    pub fn batches(&self, step: Step) -> Batches<'_> {
        Batches { store: self, step, pace: Pace::of_news() }
    }
}

impl Batches<'_> {
    /// Decides on the first of `ids`; returns the decisions and the remaining ids.
    pub async fn next_ids<'i>(&mut self, ids: &'i [String]) -> Result<(Decisions, &'i [String])> {
        let Share { look_at, change } = self.pace.next(ids.len()).await;
        let timed = self.store.decide_on_ids(self.step, &ids[..look_at], change).await?;
        let (decisions, read) = timed.done;
        let decided = decisions.iter().filter(|(_, decision)| *decision == Decision::Done).count();
        self.pace.learn(decided, timed.held);
        Ok((decisions, &ids[read..]))
    }

    /// Decides on the first of `selected`, and removes them from it.
    pub async fn next_selected(&mut self, selected: &mut Selected) -> Result<Batch> {
        let left = usize::try_from(selected.len()).unwrap_or(usize::MAX);
        let seqs = selected.first(self.pace.next(left).await.change);
        let timed = self.store.decide_on_selected(self.step, seqs).await?;
        self.pace.learn(timed.done, timed.held);
        let taken = seqs.len();
        selected.advance(taken);
        let decided = timed.done as u64;
        Ok(Batch { decided, skipped: taken as u64 - decided })
    }
}
