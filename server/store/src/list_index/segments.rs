//! Segments: assigning slots to reports, and removing reports from the lists.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use super::{
    calendar::{self, Dated, Days, day},
    merging, postings,
    time_index::TIME_INDEX_STEP,
};
use crate::{
    counters::rollup::Counted,
    engine::{
        bulk,
        sql::{self, Connection},
        writes::Writes,
    },
    error::{Error, Result},
    reports::report::{Rank, RankRef},
};

/// Number of bits of a position that contain the slot.
const SLOT_BITS: u32 = 16;
/// Maximum number of reports in a segment.
pub(super) const SLOTS: usize = if cfg!(test) { 32 } else { 1 << SLOT_BITS };
/// Maximum size up to which reports are added to a segment, because each addition rewrites its
/// sets.
const TAIL: i64 = if cfg!(test) { 4 } else { 1_024 };

/// Report to list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'r> {
    pub id: &'r str,
    pub counted: Counted,
}

impl<'r> Entry<'r> {
    fn published_at(&self) -> i64 {
        self.counted.published_at.timestamp_millis()
    }

    pub(crate) fn rank(&self) -> RankRef<'r> {
        Rank::of(self.published_at(), self.id)
    }
}

/// Returns `segments` padded with zeros to a power of two, so that statements with the same number
/// of placeholders stay prepared.
pub(super) fn padded(segments: &[i64]) -> impl ExactSizeIterator<Item = i64> {
    let length = segments.len().next_power_of_two();
    // Segment 0 does not exist.
    (0..length).map(|index| segments.get(index).copied().unwrap_or(0))
}

pub(super) fn position(segment: i64, slot: u32) -> i64 {
    (segment << SLOT_BITS) | i64::from(slot)
}

pub(super) fn segment_and_slot(position: i64) -> (i64, u32) {
    let slot = position & ((1 << SLOT_BITS) - 1);
    (position >> SLOT_BITS, u32::try_from(slot).unwrap_or_default())
}

/// Newly published reports with their slots. The caller must write the positions to the reports and
/// [add](SlotSets::add) the [sets](Placed::sets). Small segments may then be
/// [merged](super::merge_small).
pub(crate) struct Placed {
    /// Positions, in the order of the reports.
    pub positions: Vec<i64>,
    parts: Vec<Part>,
}

/// Reports in consecutive slots of a segment that start at `first`.
struct Part {
    segment: i64,
    first: u32,
    counted: Vec<Counted>,
}

/// Assigns slots to newly published reports: in a small segment with only older reports, if there
/// is one, otherwise in new segments.
pub(crate) async fn place(tx: &mut Connection, entries: &[Entry<'_>]) -> Result<Placed> {
    place_in(true, tx, entries).await
}

/// Lists reports in new segments, because existing ones may be damaged. Returns their positions.
pub(super) async fn add_apart(tx: &mut Connection, entries: &[Entry<'_>]) -> Result<Vec<i64>> {
    let placed = place_in(false, tx, entries).await?;
    placed.sets().add_now(tx).await?;
    Ok(placed.positions)
}

/// Lists reports. Returns their positions, which the caller must write to their rows. Small
/// segments may then be [merged](super::merge_small).
pub(crate) async fn add(tx: &mut Connection, entries: &[Entry<'_>]) -> Result<Vec<i64>> {
    let placed = place(tx, entries).await?;
    placed.sets().add_now(tx).await?;
    Ok(placed.positions)
}

async fn place_in(small_ones: bool, tx: &mut Connection, entries: &[Entry<'_>]) -> Result<Placed> {
    let mut ordered: Vec<(usize, &Entry<'_>)> = entries.iter().enumerate().collect();
    ordered.sort_unstable_by_key(|(_, entry)| std::cmp::Reverse(entry.rank()));
    let mut placed = Placed { positions: vec![0; entries.len()], parts: Vec::new() };
    for part in ordered.chunks(SLOTS) {
        let sorted: Vec<&Entry<'_>> = part.iter().map(|(_, entry)| *entry).collect();
        let extended = if small_ones { extend_tail(tx, &sorted).await? } else { None };
        let (segment, first) = match extended {
            Some(extended) => extended,
            None => (create(tx, &sorted).await?, 0),
        };
        for (slot, (index, _)) in (first..).zip(part) {
            if let Some(given) = placed.positions.get_mut(*index) {
                *given = position(segment, slot);
            }
        }
        let counted = sorted.iter().map(|entry| entry.counted).collect();
        placed.parts.push(Part { segment, first, counted });
    }
    Ok(placed)
}

impl Placed {
    /// Whether there may be enough small segments to merge. A segment that stays in its size class
    /// changes nothing.
    pub(crate) fn may_merge(&self) -> bool {
        self.parts.iter().any(|Part { first, counted, .. }| {
            *first == 0
                || merging::magnitude(*first) != merging::magnitude(first + counted.len() as u32)
        })
    }

    /// Computes the sets that contain the reports. Takes a while for many reports, but does not
    /// need the database.
    pub(crate) fn sets(&self) -> SlotSets {
        let sets = |Part { segment, first, counted }: &Part| PartSets {
            segment: *segment,
            first: *first,
            postings: postings::sets(*first, counted),
            dates: calendar::dates(*first, counted),
        };
        SlotSets(self.parts.iter().map(sets).collect())
    }
}

/// Slots to add to the sets of their segments.
pub(crate) struct SlotSets(Vec<PartSets>);

struct PartSets {
    segment: i64,
    first: u32,
    postings: BTreeMap<postings::PostingKey, RoaringBitmap>,
    dates: Vec<Dated>,
}

impl SlotSets {
    /// Adds the slots to the stored sets, when `writes` are sent.
    pub(crate) async fn add(self, tx: &mut Connection, writes: &mut Writes) -> Result<()> {
        for PartSets { segment, first, postings, dates } in self.0 {
            let is_new = first == 0;
            postings::add(tx, writes, segment, is_new, postings).await?;
            calendar::add(tx, writes, segment, is_new, dates).await?;
        }
        Ok(())
    }

    async fn add_now(self, tx: &mut Connection) -> Result<()> {
        let mut writes = Writes::default();
        self.add(tx, &mut writes).await?;
        writes.send(tx).await
    }
}

/// Adds `sorted` to the newest small segment that has room and only older reports, if there is one.
/// Returns its number and the first slot.
async fn extend_tail(tx: &mut Connection, sorted: &[&Entry<'_>]) -> Result<Option<(i64, u32)>> {
    let (Some(oldest), Some(newest)) = (sorted.first(), sorted.last()) else { return Ok(None) };
    let added = sorted.len() as i64;
    if added >= TAIL {
        return Ok(None);
    }
    let days = days(sorted);
    let extended: Option<(i64, i64)> = sql::query_as(
        "UPDATE segments SET size = size + $1, live = live + $1, newest_at = $2, newest_id = $3,
             first_day = CASE WHEN first_day < $4 THEN first_day ELSE $4 END,
             last_day = CASE WHEN last_day > $5 THEN last_day ELSE $5 END
         WHERE id = (SELECT id FROM segments
                     WHERE size <= $6 AND (newest_at < $7 OR (newest_at = $7 AND newest_id > $8))
                     ORDER BY newest_at DESC LIMIT 1)
         RETURNING id, size - $1",
    )
    .bind(added)
    .bind(newest.published_at())
    .bind(newest.id)
    .bind(days.first)
    .bind(days.last)
    .bind(TAIL - added)
    .bind(oldest.published_at())
    .bind(oldest.id)
    .fetch_optional(tx)
    .await?;
    let Some((id, first)) = extended else { return Ok(None) };
    Ok(Some((id, u32::try_from(first).map_err(|_| damaged(id))?)))
}

/// Creates a segment for `sorted`, without its sets.
async fn create(tx: &mut Connection, sorted: &[&Entry<'_>]) -> Result<i64> {
    let (Some(oldest), Some(newest)) = (sorted.first(), sorted.last()) else {
        return Err(Error::Damaged("a list of no reports".to_owned()));
    };
    let days = days(sorted);
    let time_index =
        sorted.iter().step_by(TIME_INDEX_STEP).flat_map(|entry| entry.published_at().to_le_bytes());
    let id = sql::query_scalar(
        "INSERT INTO segments
             (size, live, oldest_at, newest_at, newest_id, first_day, last_day, time_index)
         VALUES ($1, $1, $2, $3, $4, $5, $6, $7) RETURNING id",
    )
    .bind(sorted.len() as i64)
    .bind(oldest.published_at())
    .bind(newest.published_at())
    .bind(newest.id)
    .bind(days.first)
    .bind(days.last)
    .bind(time_index.collect::<Vec<u8>>())
    .fetch_one(tx)
    .await?;
    Ok(id)
}

/// Returns the first and last event date of the reports.
fn days(reports: &[&Entry<'_>]) -> Days {
    let days = reports.iter().map(|entry| day(entry.counted.event_date));
    days.fold(Days { first: i32::MAX, last: i32::MIN }, |Days { first, last }, day| Days {
        first: first.min(day),
        last: last.max(day),
    })
}

fn damaged(segment: i64) -> Error {
    Error::Damaged(format!("segment {segment} of the lists"))
}

/// Removes withdrawn reports, given by their positions, from the lists.
pub(crate) async fn remove(tx: &mut Connection, positions: &[i64]) -> Result<()> {
    let mut by_segment: BTreeMap<i64, RoaringBitmap> = BTreeMap::new();
    for position in positions {
        let (segment, slot) = segment_and_slot(*position);
        by_segment.entry(segment).or_default().insert(slot);
    }
    let withdrawn: Vec<(i64, i64)> =
        by_segment.iter().map(|(segment, slots)| (*segment, slots.len() as i64)).collect();
    bulk::insert(
        &mut *tx,
        "WITH withdrawn (segment, reports) AS (",
        ") UPDATE segments SET live = live - withdrawn.reports FROM withdrawn
           WHERE segments.id = withdrawn.segment",
        &withdrawn,
        |query, (segment, reports)| query.bind(*segment).bind(*reports),
    )
    .await?;
    postings::withdraw(tx, &by_segment).await
}
