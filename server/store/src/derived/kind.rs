//! Kinds of derived data, each described once: how it is compared with the reports, and how it is corrected.

use super::{
    check::{Checked, Difference},
    facts::Facts,
    rebuild::Rebuild,
    rebuilt::Rebuilt,
};
use crate::{
    counters::recount::{Pages, SetsOfCities},
    engine::{
        pace::Pace,
        sql::Connection,
        transaction::{Timed, Turn},
    },
    error::Result,
    events::audit::Orphans,
    list_index::audit::{Segments, Strays},
    places::repair::{Containment, Misnamed, Unused},
    progress::{Progress, Stage},
    reports::relocate::Misplaced,
};

/// Runs a function for all kinds, in the order in which they are corrected. Places have to lie in each other before
/// reports are counted, counts and lists have to be right under the places that reports are in before reports are moved
/// to others, and places without reports are removed when all are moved.
macro_rules! for_each_kind {
    ($run:ident $arguments:tt) => {
        for_each_kind!(
            $run $arguments
            Containment Pages SetsOfCities Segments Strays Misplaced Misnamed Unused Orphans
        )
    };
    ($run:ident $arguments:tt $($kind:ident)+) => {
        $($run::<$kind>$arguments.await?;)+
    };
}

/// A kind of derived data.
pub(crate) trait Derived: Sized + Send + Sync + 'static {
    /// Something stored that is not what the reports come to: as much of it as its correction takes.
    type Fault: Send + Sync;

    /// Kind of transaction that corrections need.
    const TURN: Turn = Turn::Publishing;

    /// Stage of a rebuild that corrects, if that may take long.
    const STAGE: Option<Stage<'static>> = None;

    /// Sum that a rebuild adds to what it corrects.
    const SUM: fn(&mut Rebuilt) -> &mut u64;

    /// Number of faults that are corrected in one transaction.
    fn pace() -> Pace {
        Pace::fixed(1)
    }

    /// Compares what is stored with what the reports come to, and hands what differs to `found`.
    fn compare(
        tx: &mut Connection,
        found: &mut Found<'_, Self>,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Corrects faults, maybe long after they were found: others have continued to write. Returns how many things that
    /// were.
    fn correct(
        tx: &mut Connection,
        faults: &[Self::Fault],
    ) -> impl Future<Output = Result<u64>> + Send;
}

/// Adds the differences to `checked`.
pub(super) async fn check_all(tx: &mut Connection, checked: &mut Checked) -> Result<()> {
    let facts = &mut Facts::default();
    for_each_kind!(check(tx, facts, checked));
    Ok(())
}

/// Corrects the faults.
pub(super) async fn rebuild_all(rebuild: Rebuild<'_>) -> Result<(Rebuilt, Facts)> {
    let (mut rebuilt, mut facts) = (Rebuilt::default(), Facts::default());
    for_each_kind!(correct(rebuild, &mut facts, &mut rebuilt));
    Ok((rebuilt, facts))
}

async fn check<D: Derived>(
    tx: &mut Connection,
    facts: &mut Facts,
    checked: &mut Checked,
) -> Result<()> {
    D::compare(tx, &mut Found::new(Purpose::Check(checked), facts)).await
}

async fn correct<D: Derived>(
    rebuild: Rebuild<'_>,
    facts: &mut Facts,
    rebuilt: &mut Rebuilt,
) -> Result<()> {
    let mut found = Found::<D>::new(Purpose::Rebuild(rebuild), facts);
    let mut tx = rebuild.store.readers.begin_read().await?;
    D::compare(&mut tx, &mut found).await?;
    // What else is corrected is not kept in the journal for this read.
    drop(tx);
    found.correct().await?;
    *D::SUM(rebuilt) += found.corrected;
    Ok(())
}

/// Purpose of a comparison.
enum Purpose<'a> {
    Check(&'a mut Checked),
    Rebuild(Rebuild<'a>),
}

/// Results of a comparison. A check lists the differences, and a rebuild corrects the faults.
pub(crate) struct Found<'a, D: Derived> {
    /// Gathered by the comparisons of this and of earlier kinds.
    pub facts: &'a mut Facts,
    purpose: Purpose<'a>,
    faults: Vec<D::Fault>,
    pace: Pace,
    corrected: u64,
}

/// Number of faults that are gathered before they are corrected, while a comparison continues.
const GATHERED: usize = if cfg!(test) { 2 } else { 4_096 };

impl<'a, D: Derived> Found<'a, D> {
    fn new(purpose: Purpose<'a>, facts: &'a mut Facts) -> Self {
        Self { facts, purpose, faults: Vec::new(), pace: D::pace(), corrected: 0 }
    }

    /// Adds a difference, for people.
    pub(crate) fn differ(&mut self, difference: impl FnOnce(&Facts) -> Difference) {
        if let Purpose::Check(checked) = &mut self.purpose {
            checked.push(|| difference(self.facts));
        }
    }

    /// Adds a fault, for its correction.
    pub(crate) fn add(&mut self, fault: D::Fault) {
        if matches!(self.purpose, Purpose::Rebuild(_)) {
            self.faults.push(fault);
        }
    }

    /// Notes how far a comparison is.
    pub(crate) fn progress(&self, stage: Stage<'_>, done: u64, of: u64) {
        if let Purpose::Rebuild(rebuild) = &self.purpose {
            (rebuild.watcher)(Progress { stage, done, of });
        }
    }

    /// Corrects what was found so far if that is much, so that memory does not grow with the number of faults.
    pub(crate) async fn correct_if_many(&mut self) -> Result<()> {
        if self.faults.len() >= GATHERED { self.correct().await } else { Ok(()) }
    }

    /// Corrects what was found so far, in short transactions.
    async fn correct(&mut self) -> Result<()> {
        let Purpose::Rebuild(rebuild) = self.purpose else { return Ok(()) };
        let faults = std::mem::take(&mut self.faults);
        let mut left = faults.as_slice();
        while !left.is_empty() {
            let (batch, rest) = left.split_at(self.pace.next(left.len()).await.look_at);
            let Timed { done, held } = rebuild.correct::<D>(batch).await?;
            self.pace.learn(batch.len(), held);
            self.corrected += done;
            left = rest;
            if let Some(stage) = D::STAGE {
                self.progress(stage, (faults.len() - left.len()) as u64, faults.len() as u64);
            }
        }
        Ok(())
    }
}
