//! Places of reports as [derived data](crate::derived). Newer rules may make one place of two
//! spellings.

use domain::report::Status;

use super::{
    publication::move_to,
    transition::{Candidate, numbered},
};
use crate::{
    counters::rollup::Counted,
    derived::{Derived, Found, Rebuilt},
    engine::{adaptive_batch::AdaptiveBatchSize, bulk, sql::Connection},
    error::Result,
    list_index::{self, Entry},
    places::place::{self, Lineage, Spelling},
    progress::Stage,
};

/// Check that each report is in the city that it names. Before reports are moved, counts and lists
/// must be correct for their current places.
pub(crate) struct Misplaced;

impl Derived for Misplaced {
    /// Number of a report.
    type Fault = i64;
    const SUM: fn(&mut Rebuilt) -> &mut u64 = |rebuilt| &mut rebuilt.moved;
    const STAGE: Option<Stage<'static>> = Some(Stage::Moving);

    fn batch_size() -> AdaptiveBatchSize {
        AdaptiveBatchSize::of_history()
    }

    /// Collects the reports that were found misplaced when the facts were read.
    async fn compare(_: &mut Connection, found: &mut Found<'_, Self>) -> Result<()> {
        std::mem::take(&mut found.facts.misplaced).into_iter().for_each(|seq| found.add(seq));
        Ok(())
    }

    async fn correct(tx: &mut Connection, faults: &[i64]) -> Result<u64> {
        relocate(tx, faults).await
    }
}

/// Moves the reports with these numbers that are not in the city that they name. Returns the number
/// of moved reports.
async fn relocate(tx: &mut Connection, seqs: &[i64]) -> Result<u64> {
    let reports = numbered(tx, seqs).await?;
    let spellings: Vec<Spelling<'_>> =
        reports.iter().map(|candidate| (&candidate.report).into()).collect();
    let lineages = place::resolve(tx, &spellings).await?;
    let mut moved: Vec<(&Candidate, Lineage)> = reports.iter().zip(lineages).collect();
    moved.retain(|(report, lineage)| report.lineage != Some(*lineage));
    let (approved, others): (Vec<_>, Vec<_>) =
        moved.iter().copied().partition(|(report, _)| report.status == Status::Approved);
    let mut entries = Vec::with_capacity(approved.len());
    let mut counted_before = Vec::with_capacity(approved.len());
    for (report, lineage) in &approved {
        let counted = report.counted_in(*lineage)?;
        counted_before.extend(report.lineage.map(|lineage| Counted { lineage, ..counted }));
        entries.push(Entry { id: &report.report.id, counted });
    }
    let positions: Vec<i64> = approved.iter().filter_map(|(report, _)| report.position).collect();
    let positions = move_to(tx, &counted_before, &positions, &entries).await?;
    let positions = positions.into_iter().map(Some);
    let placed = approved.iter().zip(positions).chain(others.iter().map(|other| (other, None)));
    let placed: Vec<(i64, i64, Option<i64>)> =
        placed.map(|((report, lineage), position)| (report.seq, lineage.city, position)).collect();
    bulk::insert(
        &mut *tx,
        "WITH moved (seq, place_id, position) AS (",
        ") UPDATE reports SET place_id = moved.place_id, position = moved.position
           FROM moved WHERE reports.seq = moved.seq",
        &placed,
        |query, (seq, place, position)| query.bind(*seq).bind(*place).bind(*position),
    )
    .await?;
    list_index::merge_small(tx).await?;
    Ok(placed.len() as u64)
}
