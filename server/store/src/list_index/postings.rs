//! Postings: the sets of slots by place and type for each segment.

use std::collections::{BTreeMap, HashMap, hash_map::Entry};

use roaring::RoaringBitmap;
use sqlx::FromRow;

use super::segments::padded;
use crate::{
    bitmap,
    counters::rollup::{Counted, type_index},
    engine::{
        bulk,
        sql::{self, Builder, Connection, RowValues},
        writes::Writes,
    },
    error::{Error, Result},
    places::place::WORLD,
};

/// Maximum number of sets per segment read in one statement.
const SETS_AT_ONCE: usize = 256;
/// Maximum number of sets for which a statement stays prepared.
const USUAL_SETS: usize = 4;

/// Property by which slots are grouped into sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Dimension {
    /// Values are ids of places.
    Place = 0,
    /// Values are indices into [`model::ReportType::ALL`].
    Type = 1,
}

impl Dimension {
    const ALL: [Self; 2] = [Self::Place, Self::Type];

    fn from_stored(number: i64) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|dimension| *dimension as i64 == number);
        known.ok_or_else(|| Error::Damaged(format!("dimension {number} of a list")))
    }
}

/// Key of a set within a segment.
pub(super) type PostingKey = (Dimension, i64);

/// Key of the live set, which contains the slots of approved reports.
pub(super) const LIVE: PostingKey = (Dimension::Place, WORLD);

/// Returns the keys of all sets that contain a report.
pub(super) fn keys(counted: &Counted) -> [PostingKey; 5] {
    let [world, country, region, city] =
        counted.lineage.counted_under().map(|place| (Dimension::Place, place));
    [world, country, region, city, (Dimension::Type, type_index(counted.kind) as i64)]
}

/// Returns the sets of reports in consecutive slots that start at `first`.
pub(super) fn sets<'c>(
    first: u32,
    reports: impl IntoIterator<Item = &'c Counted>,
) -> BTreeMap<PostingKey, RoaringBitmap> {
    let mut members = Vec::new();
    for (slot, counted) in (first..).zip(reports) {
        members.extend(keys(counted).map(|key| (key, slot)));
    }
    members.sort_unstable();
    let mut sets: BTreeMap<PostingKey, RoaringBitmap> = BTreeMap::new();
    for same in members.chunk_by(|(a, _), (b, _)| a == b) {
        if let Some((key, _)) = same.first() {
            sets.insert(*key, same.iter().map(|(_, slot)| *slot).collect());
        }
    }
    sets
}

#[derive(FromRow)]
struct Row {
    dimension: i64,
    value: i64,
    slots: Vec<u8>,
}

/// Adds slots to the sets of `segment`, when `writes` are sent. Keeps existing slots unless `is_new` is
/// set.
pub(super) async fn add(
    tx: &mut Connection,
    writes: &mut Writes,
    segment: i64,
    is_new: bool,
    mut sets: BTreeMap<PostingKey, RoaringBitmap>,
) -> Result<()> {
    if !is_new {
        let keys: Vec<PostingKey> = sets.keys().copied().collect();
        for (key, earlier) in stored(tx, segment, &keys).await? {
            if let Some(set) = sets.get_mut(&key) {
                *set |= earlier;
            }
        }
    }
    let mut rows = Vec::with_capacity(sets.len());
    for ((dimension, value), mut set) in sets {
        optimize(&mut set);
        rows.push((dimension, value, encode(&set)?));
    }
    let head = "INSERT INTO postings (segment, dimension, value, slots)";
    let tail = "ON CONFLICT (segment, dimension, value) DO UPDATE SET slots = excluded.slots";
    writes
        .insert(tx, head, tail, &rows, |query, (dimension, value, slots)| {
            query.bind(segment).bind(*dimension as i64).bind(*value).bind(slots.clone())
        })
        .await
}

async fn stored(
    tx: &mut Connection,
    segment: i64,
    keys: &[PostingKey],
) -> Result<Vec<(PostingKey, RoaringBitmap)>> {
    let rows: Vec<Row> = bulk::select_matching(
        tx,
        "SELECT dimension, value, slots FROM postings WHERE (segment, dimension, value)",
        keys,
        |query, (dimension, value)| query.bind(segment).bind(*dimension as i64).bind(*value),
    )
    .await?;
    rows.into_iter().map(decoded).collect()
}

/// Returns all sets of `segment`.
pub(super) async fn all_of(
    tx: &mut Connection,
    segment: i64,
) -> Result<BTreeMap<PostingKey, RoaringBitmap>> {
    let rows: Vec<Row> =
        sql::query_as("SELECT segment, dimension, value, slots FROM postings WHERE segment = $1")
            .bind(segment)
            .fetch_all(tx)
            .await?;
    rows.into_iter().map(decoded).collect()
}

/// Removes slots from the live sets, by segment. The other sets keep them.
pub(super) async fn withdraw(
    tx: &mut Connection,
    withdrawn: &BTreeMap<i64, RoaringBitmap>,
) -> Result<()> {
    let segments: Vec<i64> = withdrawn.keys().copied().collect();
    let mut live = union(tx, &segments, &[LIVE]).await?;
    let mut rows = Vec::with_capacity(withdrawn.len());
    for (segment, slots) in withdrawn {
        let left = live.remove(segment).unwrap_or_default() - slots;
        rows.push((*segment, encode(&left)?));
    }
    bulk::insert(
        tx,
        "WITH step (segment, slots) AS (",
        ") UPDATE postings SET slots = step.slots FROM step
           WHERE postings.segment = step.segment AND dimension = 0 AND value = 0",
        &rows,
        |query, (segment, slots)| query.bind(*segment).bind(slots.clone()),
    )
    .await
}

/// Removes all sets of `segment`.
pub(super) async fn remove(tx: &mut Connection, segment: i64) -> Result<()> {
    sql::query("DELETE FROM postings WHERE segment = $1").bind(segment).execute(tx).await?;
    Ok(())
}

/// Returns the slots of each of `segments` that are in at least one of its sets with `keys`.
/// Segments without any may be missing.
pub(super) async fn union(
    tx: &mut Connection,
    segments: &[i64],
    keys: &[PostingKey],
) -> Result<HashMap<i64, RoaringBitmap>> {
    let mut found: HashMap<i64, RoaringBitmap> = HashMap::with_capacity(segments.len());
    for keys in keys.chunks(SETS_AT_ONCE) {
        // The cross join fixes the order of the loops. The row of each segment contains all its
        // sets, concatenated: the engine runs on a thread of its own, and passing a row between
        // threads takes longer than finding it.
        let mut sql = Builder::new(tx.engine(), "WITH segments (id) AS (");
        sql.push_rows(padded(segments), RowValues::bind);
        sql.push("), keys (dimension, value) AS (")
            .push_rows(keys, |row, (dimension, value)| row.bind(*dimension as i64).bind(*value));
        sql.push(&format!(
            ") SELECT segments.id, (
                 SELECT {} FROM keys CROSS JOIN postings p
                 WHERE p.segment = segments.id AND p.dimension = keys.dimension
                   AND p.value = keys.value
             ) FROM segments",
            tx.engine().joined_bytes("p.slots", ""),
        ));
        let query = sql.build_as().persistent(keys.len() <= USUAL_SETS);
        let rows: Vec<(i64, Option<Vec<u8>>)> = query.fetch_all(&mut *tx).await?;
        for (segment, sets) in rows {
            let mut sets = sets.as_deref().unwrap_or_default();
            while !sets.is_empty() {
                let set = decode(&mut sets)?;
                match found.entry(segment) {
                    Entry::Vacant(first) => drop(first.insert(set)),
                    Entry::Occupied(mut several) => *several.get_mut() |= set,
                }
            }
        }
    }
    Ok(found)
}

fn decoded(row: Row) -> Result<(PostingKey, RoaringBitmap)> {
    Ok(((Dimension::from_stored(row.dimension)?, row.value), decode(&mut row.slots.as_slice())?))
}

fn encode(set: &RoaringBitmap) -> Result<Vec<u8>> {
    bitmap::encode(set, "reports")
}

/// Compresses runs only if that makes the set much smaller, because operations on runs are slow.
fn optimize(set: &mut RoaringBitmap) {
    let plain = set.serialized_size();
    set.optimize();
    if set.serialized_size() * 8 > plain {
        set.remove_run_compression();
    }
}

/// Reads a set from the beginning of `bytes` and advances past it.
fn decode(bytes: &mut &[u8]) -> Result<RoaringBitmap> {
    let mut set = bitmap::decode(bytes, "reports")?;
    set.remove_run_compression();
    Ok(set)
}
