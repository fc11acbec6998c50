//! Moving reports to the places that they name: spellings that were two places may be one by newer rules.

use chrono::{DateTime, Utc};
use domain::report::Status;

use super::{
    relist,
    segments::{self, Entry},
    transition::{Candidate, numbered},
};
use crate::{
    counters::rollup::{Counted, Tally},
    engine::{bulk, sql::Connection},
    error::Result,
    places::place::{self, Lineage, Spelling},
    version,
};

/// Moves those of the reports with these numbers that are not in the city that they name; returns how
/// many. What is counted and listed has to be right under the places that they are in.
pub(crate) async fn relocate(tx: &mut Connection, seqs: &[i64], now: DateTime<Utc>) -> Result<u64> {
    let reports = numbered(tx, seqs).await?;
    let spellings: Vec<Spelling<'_>> = reports
        .iter()
        .map(|Candidate { report, .. }| Spelling {
            country: &report.country,
            region: &report.region,
            city: &report.city,
        })
        .collect();
    let lineages = place::resolve(tx, &spellings).await?;
    let mut moved: Vec<(&Candidate, Lineage)> = reports.iter().zip(lineages).collect();
    moved.retain(|(report, lineage)| report.lineage != Some(*lineage));
    if moved.is_empty() {
        return Ok(0);
    }
    let (approved, others): (Vec<_>, Vec<_>) =
        moved.iter().copied().partition(|(report, _)| report.status == Status::Approved);
    let mut entries = Vec::with_capacity(approved.len());
    let mut counted_before = Vec::with_capacity(approved.len());
    for (report, lineage) in &approved {
        let counted = report.counted_in(*lineage)?;
        counted_before.extend(report.lineage.map(|lineage| Counted { lineage, ..counted }));
        entries.push(Entry { id: &report.report.id, counted });
    }
    let counted: Vec<Counted> = entries.iter().map(|entry| entry.counted).collect();
    Tally::of(&counted_before)?.count_out(tx).await?;
    Tally::of(&counted)?.count_in(tx).await?;
    let positions: Vec<i64> = approved.iter().filter_map(|(report, _)| report.position).collect();
    segments::remove(tx, &positions).await?;
    let placed = segments::place(tx, &entries).await?;
    placed.sets().add(tx).await?;
    let positions = placed.positions.into_iter().map(Some);
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
    relist::merge_small(tx).await?;
    version::bump(tx, now).await?;
    Ok(placed.len() as u64)
}
