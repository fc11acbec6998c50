//! Finding where a page begins: in each segment, the slots after the last report of the page before.

use std::{collections::HashMap, sync::Arc};

use roaring::RoaringBitmap;
use sqlx::FromRow;

use super::Segment;
use crate::{
    engine::{bulk, sql::Connection},
    error::Result,
    list_index::{fences::Fences, segments::position},
    reports::report::Rank,
};

/// A segment in which a boundary is sought: slots before it come after the given report in the list, slots
/// from it on do not.
struct Sought {
    segment: i64,
    /// The matching slots near the boundary.
    candidates: Vec<u32>,
    /// As in every binary search: candidates before `low` are before the boundary, those from `high` on
    /// are not.
    low: usize,
    high: usize,
    /// The first slot that is certainly beyond the boundary, whether a report that matches has it or not.
    end: u32,
}

/// Leaves in `matching`, which is of `segments`, only what comes after `after`.
pub(super) async fn cut(
    tx: &mut Connection,
    after: &Rank,
    segments: impl Iterator<Item = (&Segment, &Arc<Fences>)>,
    matching: &mut HashMap<i64, RoaringBitmap>,
) -> Result<()> {
    let mut sought: Vec<Sought> = Vec::new();
    // The others have nothing before it.
    for (Segment { id, .. }, fences) in
        segments.filter(|(segment, _)| segment.newest_at >= after.published_at)
    {
        let Some(slots) = matching.get(id) else { continue };
        let window = fences.around(after.published_at);
        let end = window.end;
        let candidates: Vec<u32> = slots.range(window).collect();
        sought.push(Sought { segment: *id, low: 0, high: candidates.len(), candidates, end });
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

async fn ranks(tx: &mut Connection, positions: &[i64]) -> Result<HashMap<i64, Rank>> {
    let rows: Vec<Row> = bulk::select_matching(
        tx,
        "SELECT position, published_at, id FROM reports WHERE position",
        positions,
        |query, position| query.bind(*position),
    )
    .await?;
    let ranked = rows.into_iter();
    let ranked =
        ranked.map(|Row { position, published_at, id }| (position, Rank { published_at, id }));
    Ok(ranked.collect())
}
