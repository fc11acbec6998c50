//! Deciding on many reports, a transaction after the other.
//!
//! Nobody else can write during a transaction. How long one takes depends on what it has to write: a
//! rejection is one row, a publication sixteen rollups and, with a thousand subscribers, two thousand
//! deliveries. So each batch is as large as the last one's time allows, and between two there is a pause
//! in which others get their turn.

use std::time::Duration;

use super::select::Selected;
use crate::{
    domain::report::Step,
    store::{Decisions, Store, engine::transaction::TURN, error::Result},
};

/// How long a batch should take: others wait for half a second at the most, also when the next one turns out
/// to take twice as long as expected.
const TARGET: Duration = Duration::from_millis(200);
/// With more, the memory for a batch would grow, and nothing get faster.
const LARGEST: usize = 4_096;
const FIRST: usize = 64;
/// With a thousand subscribers a transaction writes as many pages for one report as for these.
const SMALLEST: usize = 8;

/// How many reports the next transaction takes.
#[derive(Debug)]
struct Pace {
    size: usize,
}

impl Pace {
    /// A transaction of the present size took so long.
    fn learn(&mut self, held: Duration) {
        let factor = TARGET.as_secs_f64() / held.as_secs_f64().max(f64::EPSILON);
        // Not more than twice as many: the small ones say little about the large ones.
        let next = self.size as f64 * factor.min(2.0);
        self.size = (next as usize).clamp(SMALLEST, LARGEST);
    }
}

/// What a batch of selected reports came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// How many took the step.
    pub decided: u64,
    /// How many no longer allowed it: somebody else has decided on them since they were selected.
    pub skipped: u64,
    /// For how long nobody else could write.
    pub held: Duration,
}

/// One step for many reports.
#[derive(Debug)]
pub struct Batches<'s> {
    store: &'s Store,
    step: Step,
    pace: Pace,
    begun: bool,
}

impl Store {
    /// Takes `step` with many reports, each batch in a transaction of its own. Those that are over stay
    /// if a later one fails.
    pub fn batches(&self, step: Step) -> Batches<'_> {
        Batches { store: self, step, pace: Pace { size: FIRST }, begun: false }
    }
}

impl Batches<'_> {
    /// Decides on the first of `ids`; returns what became of them, and the others.
    pub async fn next_ids<'i>(&mut self, ids: &'i [String]) -> Result<(Decisions, &'i [String])> {
        self.pause().await;
        let (batch, rest) = ids.split_at(self.pace.size.min(ids.len()));
        let timed = self.store.decide_on_ids(self.step, batch).await?;
        self.pace.learn(timed.held);
        Ok((timed.done, rest))
    }

    /// Decides on the first of `selected`, and takes them out of it.
    pub async fn next_selected(&mut self, selected: &mut Selected) -> Result<Batch> {
        self.pause().await;
        let seqs = selected.first(self.pace.size);
        let timed = self.store.decide_on_selected(self.step, seqs).await?;
        self.pace.learn(timed.held);
        let taken = seqs.len();
        selected.advance(taken);
        let skipped = taken as u64 - timed.done;
        Ok(Batch { decided: timed.done, skipped, held: timed.held })
    }

    /// Lets others write, if they want to.
    async fn pause(&mut self) {
        if self.begun {
            tokio::time::sleep(TURN).await;
        }
        self.begun = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_while_they_are_short_and_shrink_once_one_was_long() {
        let mut pace = Pace { size: FIRST };
        let mut sizes = Vec::new();
        for millis in [1, 1, 20, 20, 20, 20, 20, 400, 200, 100, 100, 2_000] {
            pace.learn(Duration::from_millis(millis));
            sizes.push(pace.size);
        }
        assert_eq!(
            sizes,
            [128, 256, 512, 1_024, 2_048, 4_096, 4_096, 2_048, 2_048, 4_096, 4_096, 409]
        );
        pace.learn(Duration::from_secs(3_600));
        assert_eq!(pace.size, SMALLEST);
        pace.learn(Duration::ZERO);
        assert_eq!(pace.size, 2 * SMALLEST);
    }
}
