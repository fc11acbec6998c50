//! In-memory cache of segments. Changes by other processes cannot make it stale: cached parts of a
//! segment change only with its size, and no two segments of an era have the same number.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use base::cache::{Cache, Limits};
use futures_util::TryStreamExt;
use roaring::RoaringBitmap;

use super::{
    calendar::Calendar,
    postings::{self, PostingKey},
    segments::padded,
    time_index::TimeIndex,
};
use crate::{
    engine::{bulk, sql::Connection},
    error::Result,
};

/// Maximum size of the cached calendars in bytes: those of about eight million reports.
const CALENDARS: u64 = 20 << 20;
/// Maximum size of the cached time indexes in bytes.
const TIME_INDEXES: u64 = 2 << 20;
/// Maximum size of the cached sets of slots in bytes: those requested often, such as the set of a
/// large country.
const SETS: u64 = 8 << 20;
/// Approximate overhead of an entry in bytes.
const OVERHEAD: usize = 128;

/// Maximum number of segments read in one statement.
const AT_ONCE: usize = 16;

/// See [`Connection::era`].
type Era = u64;

/// Number and size of a segment.
pub(super) type SegmentKey = (i64, i64);

/// See the [module](self). Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct SegmentCache {
    time_index: Cache<(Era, SegmentKey), TimeIndex>,
    calendars: Cache<(Era, SegmentKey), Calendar>,
    sets: Cache<(Era, SegmentKey, PostingKey), RoaringBitmap>,
}

impl Default for SegmentCache {
    fn default() -> Self {
        let weight = |bytes: usize| u32::try_from(bytes + OVERHEAD).unwrap_or(u32::MAX);
        let limits = |weight| Limits { weight, ..Limits::default() };
        Self {
            time_index: Cache::new(limits(TIME_INDEXES), move |_, time_index: &TimeIndex| {
                weight(time_index.bytes())
            }),
            calendars: Cache::new(limits(CALENDARS), move |_, calendar: &Calendar| {
                weight(calendar.bytes())
            }),
            sets: Cache::new(limits(SETS), move |_, set: &RoaringBitmap| {
                weight(set.serialized_size())
            }),
        }
    }
}

impl SegmentCache {
    /// Returns the time indexes of `segments`, in order.
    pub(super) async fn time_index(
        &self,
        tx: &mut Connection,
        segments: &[SegmentKey],
    ) -> Result<Vec<Arc<TimeIndex>>> {
        let sql = "SELECT id, time_index FROM segments WHERE id";
        read(&self.time_index, tx, sql, segments, |stored| Ok(TimeIndex::from(stored))).await
    }

    /// Returns the calendars of `segments`, in order.
    pub(super) async fn calendars(
        &self,
        tx: &mut Connection,
        segments: &[SegmentKey],
    ) -> Result<Vec<Arc<Calendar>>> {
        let sql = "SELECT segment, dates FROM calendars WHERE segment";
        read(&self.calendars, tx, sql, segments, |stored| Calendar::decode(&stored)).await
    }

    /// Returns the slots of each of `segments` in the set with `key`. Must not be used for the live
    /// set, which withdrawals change.
    pub(super) async fn set(
        &self,
        tx: &mut Connection,
        segments: &[SegmentKey],
        key: PostingKey,
    ) -> Result<HashMap<i64, Arc<RoaringBitmap>>> {
        let era = tx.era();
        let (mut found, missing) = known(&self.sets, segments, |segment| (era, segment, key)).await;
        if missing.is_empty() {
            return Ok(found);
        }
        let numbers: Vec<i64> = missing.iter().map(|(number, _)| *number).collect();
        let mut read = postings::union(tx, &numbers, &[key]).await?;
        for segment in missing {
            let set = Arc::new(read.remove(&segment.0).unwrap_or_default());
            self.sets.insert((era, segment, key), set.clone()).await;
            found.insert(segment.0, set);
        }
        Ok(found)
    }
}

/// Returns the cached values of `segments` by segment number, and the segments that are not cached.
async fn known<K: Hash + Eq + Send + Sync + 'static, T: Send + Sync + 'static>(
    cache: &Cache<K, T>,
    segments: &[SegmentKey],
    key: impl Fn(SegmentKey) -> K,
) -> (HashMap<i64, Arc<T>>, Vec<SegmentKey>) {
    let mut found = HashMap::with_capacity(segments.len());
    let mut missing = Vec::new();
    for segment in segments {
        match cache.get(&key(*segment)).await {
            Some(known) => drop(found.insert(segment.0, known)),
            None => missing.push(*segment),
        }
    }
    (found, missing)
}

async fn read<T: Default + Send + Sync + 'static>(
    cache: &Cache<(Era, SegmentKey), T>,
    tx: &mut Connection,
    sql: &str,
    segments: &[SegmentKey],
    decode: impl Fn(Vec<u8>) -> Result<T>,
) -> Result<Vec<Arc<T>>> {
    let era = tx.era();
    let (mut found, missing) = known(cache, segments, |segment| (era, segment)).await;
    for missing in missing.chunks(AT_ONCE) {
        let numbers: Vec<i64> = missing.iter().map(|(number, _)| *number).collect();
        let numbers: Vec<i64> = padded(&numbers).collect();
        let query = bulk::matching(tx.engine(), sql, &numbers, |row, number| row.bind(*number));
        let query = query.build_as();
        // The engine reads the next row while this thread decodes.
        let mut rows = query.fetch(&mut *tx);
        let mut decoded = HashMap::with_capacity(missing.len());
        while let Some((number, stored)) = rows.try_next().await? {
            let (number, stored): (i64, Vec<u8>) = (number, stored);
            decoded.insert(number, decode(stored)?);
        }
        drop(rows);
        for segment in missing {
            let read = Arc::new(decoded.remove(&segment.0).unwrap_or_default());
            cache.insert((era, *segment), read.clone()).await;
            found.insert(segment.0, read);
        }
    }
    Ok(segments.iter().filter_map(|segment| found.get(&segment.0).cloned()).collect())
}
