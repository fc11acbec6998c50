//! What a process keeps in memory of the segments. Whichever process changes the lists, it cannot become
//! wrong: a segment's calendar and fences change only with its size, and no two segments have one number.

use std::{collections::HashMap, sync::Arc};

use moka::future::Cache;
use sqlx::SqliteConnection;

use super::{calendar::Calendar, segments::Fences};
use crate::store::{engine::bulk, error::Result};

/// Maximum size of the calendars, in bytes: those of some eight million reports.
const CALENDARS: u64 = 20 << 20;
/// The same for the fences.
const FENCES: u64 = 2 << 20;
/// What an entry costs besides, roughly.
const OVERHEAD: usize = 128;

/// How many segments are read in one statement.
const AT_ONCE: usize = 16;

/// A segment's number and size.
pub(super) type SegmentKey = (i64, i64);

/// See the [module](self). Cheap to clone.
#[derive(Clone, Debug)]
pub(in crate::store) struct SegmentCache {
    fences: Cache<SegmentKey, Arc<Fences>>,
    calendars: Cache<SegmentKey, Arc<Calendar>>,
}

impl Default for SegmentCache {
    fn default() -> Self {
        let weight = |bytes: usize| u32::try_from(bytes + OVERHEAD).unwrap_or(u32::MAX);
        Self {
            fences: Cache::builder()
                .max_capacity(FENCES)
                .weigher(move |_, fences: &Arc<Fences>| weight(fences.bytes()))
                .build(),
            calendars: Cache::builder()
                .max_capacity(CALENDARS)
                .weigher(move |_, calendar: &Arc<Calendar>| weight(calendar.bytes()))
                .build(),
        }
    }
}

impl SegmentCache {
    /// The fences of `segments`, in their order.
    pub(super) async fn fences(
        &self,
        tx: &mut SqliteConnection,
        segments: &[SegmentKey],
    ) -> Result<Vec<Arc<Fences>>> {
        let sql = "SELECT id, fences FROM segments WHERE id";
        read(&self.fences, tx, sql, segments, |stored| Ok(Fences::from(stored))).await
    }

    /// The calendars of `segments`, in their order.
    pub(super) async fn calendars(
        &self,
        tx: &mut SqliteConnection,
        segments: &[SegmentKey],
    ) -> Result<Vec<Arc<Calendar>>> {
        let sql = "SELECT segment, dates FROM calendars WHERE segment";
        read(&self.calendars, tx, sql, segments, |stored| Calendar::decode(&stored)).await
    }
}

async fn read<T: Default + Send + Sync + 'static>(
    cache: &Cache<SegmentKey, Arc<T>>,
    tx: &mut SqliteConnection,
    sql: &str,
    segments: &[SegmentKey],
    decode: impl Fn(Vec<u8>) -> Result<T>,
) -> Result<Vec<Arc<T>>> {
    let mut found: HashMap<SegmentKey, Arc<T>> = HashMap::with_capacity(segments.len());
    let mut missing = Vec::new();
    for segment in segments {
        match cache.get(segment).await {
            Some(known) => drop(found.insert(*segment, known)),
            None => missing.push(*segment),
        }
    }
    for missing in missing.chunks(AT_ONCE) {
        let rows: Vec<(i64, Vec<u8>)> =
            bulk::select_matching(tx, sql, 1, missing, |query, (id, _)| query.bind(*id)).await?;
        let mut rows: HashMap<i64, Vec<u8>> = rows.into_iter().collect();
        for segment in missing {
            let stored = rows.remove(&segment.0).map(&decode).transpose()?;
            let read = Arc::new(stored.unwrap_or_default());
            cache.insert(*segment, read.clone()).await;
            found.insert(*segment, read);
        }
    }
    Ok(segments.iter().filter_map(|segment| found.get(segment).cloned()).collect())
}
