//! Finding the beginning of a page: the slots after the last report of the previous page, in each
//! segment.

use std::{collections::HashMap, sync::Arc};

use roaring::RoaringBitmap;
use sqlx::FromRow;

use super::Segment;
use crate::{
    engine::{bulk, sql::Connection},
    error::Result,
    list_index::{segments::position, time_index::TimeIndex},
    reports::report::Rank,
};

/// Search for the boundary in a segment. Slots before the boundary come after the given report in
/// the list; later slots do not.
struct Sought {
    segment: i64,
    /// Matching slots near the boundary.
    candidates: Vec<u32>,
    /// Bounds of the binary search: candidates before `low` are before the boundary, candidates
    /// from `high` on are not.
    low: usize,
    high: usize,
    /// First slot that is certainly beyond the boundary, even if its report does not match.
    end: u32,
}

/// Removes everything from `matching`, the slots of `segments`, that does not come after `after` in
/// the list.
pub(super) async fn cut(
    tx: &mut Connection,
    after: &Rank,
    segments: impl Iterator<Item = (&Segment, &Arc<TimeIndex>)>,
    matching: &mut HashMap<i64, RoaringBitmap>,
) -> Result<()> {
    let mut sought: Vec<Sought> = Vec::new();
    // All reports of older segments come after it, so nothing has to be removed there.
    for (Segment { id, .. }, time_index) in
        segments.filter(|(segment, _)| segment.newest_at >= after.published_at)
    {
        let Some(slots) = matching.get(id) else { continue };
        let window = time_index.around(after.published_at);
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
