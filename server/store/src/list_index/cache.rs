//! What a process keeps in memory of the segments. Whichever process changes the lists, it cannot become
//! wrong: what is kept of a segment changes only with its size, and no two segments of one era have one number.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use base::cache::{Cache, Limits};
use futures_util::TryStreamExt;
use roaring::RoaringBitmap;

use super::{
    calendar::Calendar,
    fences::Fences,
    postings::{self, Key},
    segments::padded,
};
use crate::{
    engine::{bulk, sql::Connection},
    error::Result,
};

/// Maximum size of the calendars, in bytes: those of some eight million reports.
const CALENDARS: u64 = 20 << 20;
/// The same for the fences.
const FENCES: u64 = 2 << 20;
/// The same for the sets of slots: what is asked for again and again, such as a large country's.
const SETS: u64 = 8 << 20;
/// What an entry costs besides, roughly.
const OVERHEAD: usize = 128;

/// How many segments are read in one statement.
const AT_ONCE: usize = 16;

/// See [`Connection::era`].
type Era = u64;

/// A segment's number and size.
pub(super) type SegmentKey = (i64, i64);

/// See the [module](self). Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct SegmentCache {
    fences: Cache<(Era, SegmentKey), Fences>,
    calendars: Cache<(Era, SegmentKey), Calendar>,
    sets: Cache<(Era, SegmentKey, Key), RoaringBitmap>,
}

impl Default for SegmentCache {
    fn default() -> Self {
        let weight = |bytes: usize| u32::try_from(bytes + OVERHEAD).unwrap_or(u32::MAX);
        let limits = |weight| Limits { weight, ..Limits::default() };
        Self {
            fences: Cache::new(limits(FENCES), move |_, fences: &Fences| weight(fences.bytes())),
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
    /// The fences of `segments`, in their order.
    pub(super) async fn fences(
        &self,
        tx: &mut Connection,
        segments: &[SegmentKey],
    ) -> Result<Vec<Arc<Fences>>> {
        let sql = "SELECT id, fences FROM segments WHERE id";
        read(&self.fences, tx, sql, segments, |stored| Ok(Fences::from(stored))).await
    }

    /// The calendars of `segments`, in their order.
    pub(super) async fn calendars(
        &self,
        tx: &mut Connection,
        segments: &[SegmentKey],
    ) -> Result<Vec<Arc<Calendar>>> {
        let sql = "SELECT segment, dates FROM calendars WHERE segment";
        read(&self.calendars, tx, sql, segments, |stored| Calendar::decode(&stored)).await
    }

    /// The slots of each of `segments` that are in the set with `key`, which is not that of what is approved
    /// now: a withdrawal changes that one.
    pub(super) async fn set(
        &self,
        tx: &mut Connection,
        segments: &[SegmentKey],
        key: Key,
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

/// What is in `cache` of `segments`, by their numbers, and those of which nothing is.
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
        // The engine reads the next one while this thread decodes.
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
