//! Kinds of derived data. Each is described once: its comparison with the reports, and its correction.

use super::{
    check::{Checked, Difference},
    facts::Facts,
    rebuild::Rebuild,
    rebuilt::Rebuilt,
};
use crate::{
    counters::recount::{Pages, SetsOfCities},
    engine::{
        adaptive_batch::AdaptiveBatchSize,
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

/// Runs a function for all kinds, in the order of correction. The hierarchy of places has to be right before reports
/// are counted. Counts and lists have to be right for the current places of the reports before reports are moved to
/// others. Places without reports are removed after all moves.
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

/// Kind of derived data.
pub(crate) trait Derived: Sized + Send + Sync + 'static {
    /// Stored item that differs from the reports, with the data that its correction needs.
    type Fault: Send + Sync;

    /// Kind of transaction for corrections.
    const TURN: Turn = Turn::Publishing;

    /// Stage of a rebuild that corrects this kind, if that may take long.
    const STAGE: Option<Stage<'static>> = None;

    /// Field of [`Rebuilt`] that counts the corrections.
    const SUM: fn(&mut Rebuilt) -> &mut u64;

    /// Number of faults that are corrected in one transaction.
    fn batch_size() -> AdaptiveBatchSize {
        AdaptiveBatchSize::fixed(1)
    }

    /// Compares stored data with the reports, and passes differences to `found`.
    fn compare(
        tx: &mut Connection,
        found: &mut Found<'_, Self>,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Corrects faults. Others may have written since the faults were found. Returns the number of corrections.
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

/// Corrects the faults of all kinds.
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
    // Ends the read, so that SQLite need not keep all following changes in the journal for it.
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
    /// Collected by the comparisons of this and of earlier kinds.
    pub facts: &'a mut Facts,
    purpose: Purpose<'a>,
    faults: Vec<D::Fault>,
    batch_size: AdaptiveBatchSize,
    corrected: u64,
}

/// Number of faults that are collected before they are corrected, while the comparison continues.
const GATHERED: usize = if cfg!(test) { 2 } else { 4_096 };

impl<'a, D: Derived> Found<'a, D> {
    fn new(purpose: Purpose<'a>, facts: &'a mut Facts) -> Self {
        Self { facts, purpose, faults: Vec::new(), batch_size: D::batch_size(), corrected: 0 }
    }

    /// Adds a difference to the list of a check.
    pub(crate) fn differ(&mut self, difference: impl FnOnce(&Facts) -> Difference) {
        if let Purpose::Check(checked) = &mut self.purpose {
            checked.push(|| difference(self.facts));
        }
    }

    /// Adds a fault that a rebuild corrects.
    pub(crate) fn add(&mut self, fault: D::Fault) {
        if matches!(self.purpose, Purpose::Rebuild(_)) {
            self.faults.push(fault);
        }
    }

    /// Reports the progress of a comparison.
    pub(crate) fn progress(&self, stage: Stage<'_>, done: u64, of: u64) {
        if let Purpose::Rebuild(rebuild) = &self.purpose {
            (rebuild.watcher)(Progress { stage, done, of });
        }
    }

    /// Corrects the collected faults if there are many, so that memory use does not grow with the number of faults.
    pub(crate) async fn correct_if_many(&mut self) -> Result<()> {
        if self.faults.len() >= GATHERED { self.correct().await } else { Ok(()) }
    }

    /// Corrects the collected faults, in short transactions.
    async fn correct(&mut self) -> Result<()> {
        let Purpose::Rebuild(rebuild) = self.purpose else { return Ok(()) };
        let faults = std::mem::take(&mut self.faults);
        let mut left = faults.as_slice();
        while !left.is_empty() {
            let (batch, rest) = left.split_at(self.batch_size.next(left.len()).await.look_at);
            let Timed { done, held } = rebuild.correct::<D>(batch).await?;
            self.batch_size.learn(batch.len(), held);
            self.corrected += done;
            left = rest;
            if let Some(stage) = D::STAGE {
                self.progress(stage, (faults.len() - left.len()) as u64, faults.len() as u64);
            }
        }
        Ok(())
    }
}
