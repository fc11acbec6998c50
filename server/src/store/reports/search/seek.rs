//! Finding where a page begins: in each segment, the slots after the last report of the page before.

use std::collections::HashMap;

use roaring::RoaringBitmap;
use sqlx::{FromRow, SqliteConnection};

use crate::store::{
    engine::bulk,
    error::Result,
    reports::{
        order::Rank,
        segments::{Fences, position},
    },
};

/// A segment in which the first slot is sought that is not after the given report.
struct Sought {
    segment: i64,
    /// Matching slots among which it may be.
    candidates: Vec<u32>,
    /// It is the candidate of this index or a later one, up to `high`, which is none of them if it is
    /// their number.
    low: usize,
    high: usize,
    /// The slot where it is if it is none of the candidates.
    end: u32,
}

/// Leaves in `matching` only what comes after `after`; the segments `reached` may have reports before
/// it.
pub(super) async fn cut(
    tx: &mut SqliteConnection,
    after: &Rank,
    reached: impl Iterator<Item = i64>,
    matching: &mut HashMap<i64, RoaringBitmap>,
) -> Result<()> {
    let reached: Vec<i64> = reached.filter(|segment| matching.contains_key(segment)).collect();
    let fences: Vec<(i64, Vec<u8>)> = bulk::select_matching(
        tx,
        "SELECT id, fences FROM segments WHERE id",
        1,
        &reached,
        |query, segment| query.bind(*segment),
    )
    .await?;
    let mut sought: Vec<Sought> = Vec::with_capacity(fences.len());
    for (segment, fences) in fences {
        let Some(slots) = matching.get(&segment) else { continue };
        let window = Fences::decode(&fences).around(after.published_at);
        let end = window.end;
        let candidates: Vec<u32> = slots.range(window).collect();
        sought.push(Sought { segment, low: 0, high: candidates.len(), candidates, end });
    }
    loop {
        let middle = |sought: &Sought| {
            let middle = sought.low + (sought.high - sought.low) / 2;
            (sought.low < sought.high).then_some(middle)
        };
        let asked: Vec<i64> = sought
            .iter()
            .filter_map(|sought| {
                let slot = sought.candidates.get(middle(sought)?)?;
                Some(position(sought.segment, *slot))
            })
            .collect();
        if asked.is_empty() {
            break;
        }
        let ranks = ranks(tx, &asked).await?;
        for sought in &mut sought {
            let Some(index) = middle(sought) else { continue };
            let slot = sought.candidates.get(index).copied().unwrap_or_default();
            let is_after = ranks
                .get(&position(sought.segment, slot))
                .is_some_and(|rank| rank.as_ref() > after.as_ref());
            if is_after {
                sought.low = index + 1;
            } else {
                sought.high = index;
            }
        }
    }
    for Sought { segment, candidates, low, end, .. } in sought {
        if let Some(slots) = matching.get_mut(&segment) {
            slots.remove_range(candidates.get(low).copied().unwrap_or(end)..);
        }
    }
    Ok(())
}

#[derive(FromRow)]
struct Row {
    position: i64,
    published_at: i64,
    id: String,
}

async fn ranks(tx: &mut SqliteConnection, positions: &[i64]) -> Result<HashMap<i64, Rank>> {
    let rows: Vec<Row> = bulk::select_matching(
        tx,
        "SELECT position, published_at, id FROM reports WHERE position",
        1,
        positions,
        |query, position| query.bind(*position),
    )
    .await?;
    let ranked = rows.into_iter();
    let ranked =
        ranked.map(|Row { position, published_at, id }| (position, Rank { published_at, id }));
    Ok(ranked.collect())
}
