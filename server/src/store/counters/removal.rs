//! Counting withdrawn reports out of the rollups and the sets of cities.

use std::collections::BTreeSet;

use sqlx::SqliteConnection;

use super::{
    presence,
    rollup::{Bucket, Cell, Counted, Counts, sum},
};
use crate::store::{
    engine::bulk::{self, Bound},
    error::{Error, Result},
};

/// Counts withdrawn reports out, and removes the rollups that then count nothing.
///
/// # Errors
/// [`Error::Damaged`] where a rollup is missing or counts less than is taken from it.
pub(in crate::store) async fn count_out(
    tx: &mut SqliteConnection,
    reports: &[Counted],
) -> Result<()> {
    let cells = sum(reports);
    let lowered = lower(tx, &cells).await?;
    if lowered != cells.len() as u64 {
        return Err(Error::Damaged(damage(tx, &cells).await?));
    }
    let emptied = emptied(tx, &cells).await?;
    remove(tx, &emptied).await?;
    let cities: BTreeSet<i64> = reports.iter().map(|report| report.lineage.city).collect();
    let absent = emptied.iter().filter(|(place, _)| cities.contains(place));
    let absent: BTreeSet<(Bucket, u32)> = absent
        .map(|(place, bucket)| Ok((*bucket, presence::bit(*place)?)))
        .collect::<Result<_>>()?;
    presence::remove(tx, &absent).await
}

/// Lowers the rollups that count at least as much as is taken; returns how many did.
async fn lower(tx: &mut SqliteConnection, cells: &[(Cell, Counts)]) -> Result<u64> {
    bulk::change(
        tx,
        "WITH gone (place_id, grain, bucket, spirit, water, both) AS (",
        6,
        ") UPDATE rollups
           SET spirit_count = spirit_count - gone.spirit,
               water_count = water_count - gone.water,
               both_count = both_count - gone.both
           FROM gone
           WHERE rollups.place_id = gone.place_id
             AND rollups.grain = gone.grain
             AND rollups.bucket = gone.bucket
             AND spirit_count >= gone.spirit
             AND water_count >= gone.water
             AND both_count >= gone.both",
        cells,
        |query, (cell, counts)| {
            counts.iter().fold(bind(query, cell), |query, count| query.bind(*count))
        },
    )
    .await
}

/// Those of the lowered rollups that count nothing any more.
async fn emptied(tx: &mut SqliteConnection, cells: &[(Cell, Counts)]) -> Result<Vec<Cell>> {
    let rows: Vec<(i64, i64, i64)> = bulk::select_matching(
        tx,
        "SELECT place_id, grain, bucket FROM rollups
         WHERE spirit_count + water_count + both_count = 0 AND (place_id, grain, bucket)",
        3,
        cells,
        |query, (cell, _)| bind(query, cell),
    )
    .await?;
    rows.into_iter()
        .map(|(place, grain, bucket)| Ok((place, Bucket::from_stored(grain, bucket)?)))
        .collect()
}

async fn remove(tx: &mut SqliteConnection, cells: &[Cell]) -> Result<()> {
    let head = "DELETE FROM rollups WHERE (place_id, grain, bucket) IN (";
    bulk::insert(tx, head, 3, ")", cells, bind).await
}

fn bind(query: Bound, (place, bucket): &Cell) -> Bound {
    query.bind(*place).bind(bucket.grain.number()).bind(bucket.number)
}

/// What is wrong with the rollups of `cells`, some of which were not lowered. The transaction does not
/// last, so that it does not matter that the others were.
async fn damage(tx: &mut SqliteConnection, cells: &[(Cell, Counts)]) -> Result<String> {
    let rows: Vec<(i64, i64, i64)> = bulk::select_matching(
        tx,
        "SELECT place_id, grain, bucket FROM rollups WHERE (place_id, grain, bucket)",
        3,
        cells,
        |query, (cell, _)| bind(query, cell),
    )
    .await?;
    let stored: BTreeSet<(i64, i64, i64)> = rows.into_iter().collect();
    let missing = cells.iter().find(|((place, bucket), _)| {
        !stored.contains(&(*place, bucket.grain.number(), bucket.number))
    });
    Ok(match missing {
        Some(((place, bucket), _)) => format!("no rollup of place {place} for {bucket}"),
        None => "a rollup counts fewer reports than are withdrawn from it".to_owned(),
    })
}
