//! Lists as [derived data](crate::derived): checks the segments, and finds reports without a
//! segment.

use std::collections::{BTreeMap, BTreeSet};

use roaring::RoaringBitmap;
use sqlx::FromRow;

use super::{
    calendar::{self, Dated},
    merging::{self, Listed},
    postings::{self, Dimension, PostingKey},
    time_index::TimeIndex,
};
use crate::{
    derived::{Derived, Difference, Found, Rebuilt},
    engine::{
        adaptive_batch::AdaptiveBatchSize,
        sql::{self, Connection},
    },
    error::{Error, Result},
    places::place::WORLD,
    progress::Stage,
    reports::report::Rank,
    version,
};

/// Check that segments match their reports.
pub(crate) struct Segments;

/// Selects rows of missing segments: the number of the segment, and the number of its rows.
const HOMELESS: [(&str, &str); 3] = [
    (
        "reports are",
        "SELECT position >> 16, count(*) FROM reports WHERE position IS NOT NULL
           AND position >> 16 NOT IN (SELECT id FROM segments) GROUP BY 1",
    ),
    (
        "sets are",
        "SELECT segment, count(*) FROM postings
         WHERE segment NOT IN (SELECT id FROM segments) GROUP BY 1",
    ),
    (
        "calendars are",
        "SELECT segment, count(*) FROM calendars
         WHERE segment NOT IN (SELECT id FROM segments) GROUP BY 1",
    ),
];

impl Derived for Segments {
    /// Number of a segment, which may not exist.
    type Fault = i64;
    const SUM: fn(&mut Rebuilt) -> &mut u64 = |rebuilt| &mut rebuilt.segments;

    async fn compare(tx: &mut Connection, found: &mut Found<'_, Self>) -> Result<()> {
        let mut homeless = BTreeSet::new();
        for (what, sql) in HOMELESS {
            let rows: Vec<(i64, i64)> = sql::query_as(sql).fetch_all(&mut *tx).await?;
            for (segment, count) in rows {
                let stored = format!("segment {segment} does not exist, and {count} {what} in it");
                found.differ(|_| Difference::new("the lists", "all time", stored, "none"));
                homeless.insert(segment);
            }
        }
        homeless.into_iter().for_each(|segment| found.add(segment));
        let segments: Vec<i64> =
            sql::query_scalar("SELECT id FROM segments ORDER BY id").fetch_all(&mut *tx).await?;
        let of = segments.len() as u64;
        for (compared, segment) in (1..).zip(segments) {
            if let Some(what) = of_segment(tx, segment).await? {
                let stored = format!("segment {segment}: {what}");
                found.differ(|_| Difference::new("the lists", "all time", stored, "none"));
                found.add(segment);
            }
            found.progress(Stage::Listing, compared, of);
        }
        Ok(())
    }

    async fn correct(tx: &mut Connection, faults: &[i64]) -> Result<u64> {
        for segment in faults {
            merging::relist_segment(tx, *segment).await?;
        }
        version::revise(tx).await?;
        Ok(faults.len() as u64)
    }
}

/// Check that all approved reports are in the lists, and no others.
pub(crate) struct Strays;

impl Derived for Strays {
    /// Number of a report.
    type Fault = i64;
    const SUM: fn(&mut Rebuilt) -> &mut u64 = |rebuilt| &mut rebuilt.listed;

    fn batch_size() -> AdaptiveBatchSize {
        AdaptiveBatchSize::of_history()
    }

    async fn compare(tx: &mut Connection, found: &mut Found<'_, Self>) -> Result<()> {
        let strays = [
            (
                "approved reports that no list has",
                // Sorts the reports so that neighbours in the list get neighbouring slots.
                "SELECT seq FROM reports WHERE status = 'APPROVED' AND position IS NULL
                 ORDER BY published_at, id DESC",
            ),
            (
                "reports that are not approved and have a position in the lists",
                "SELECT seq FROM reports WHERE status <> 'APPROVED' AND position IS NOT NULL",
            ),
        ];
        for (what, sql) in strays {
            let seqs: Vec<i64> = sql::query_scalar(sql).fetch_all(&mut *tx).await?;
            if !seqs.is_empty() {
                let stored = format!("{} {what}", seqs.len());
                found.differ(|_| Difference::new("the lists", "all time", stored, "none"));
            }
            seqs.into_iter().for_each(|seq| found.add(seq));
        }
        Ok(())
    }

    async fn correct(tx: &mut Connection, faults: &[i64]) -> Result<u64> {
        version::revise(tx).await?;
        merging::list_missing(tx, faults).await
    }
}

#[derive(FromRow)]
struct Segment {
    size: i64,
    live: i64,
    oldest_at: i64,
    newest_at: i64,
    newest_id: String,
    first_day: i32,
    last_day: i32,
    #[sqlx(try_from = "Vec<u8>")]
    time_index: TimeIndex,
}

/// Returns the fault of a segment, if it has one.
async fn of_segment(tx: &mut Connection, segment: i64) -> Result<Option<&'static str>> {
    match compare(tx, segment).await {
        Err(Error::Damaged(_)) => Ok(Some("it cannot be read")),
        compared => compared,
    }
}

async fn compare(tx: &mut Connection, id: i64) -> Result<Option<&'static str>> {
    let segment: Segment = sql::query_as(
        "SELECT size, live, oldest_at, newest_at, newest_id, first_day, last_day, time_index
         FROM segments WHERE id = $1",
    )
    .bind(id)
    .fetch_one(&mut *tx)
    .await?;
    if !segment.time_index.fit(segment.oldest_at, segment.newest_at) {
        return Ok(Some("its bounds and its time index don't fit each other"));
    }
    let reports = merging::listed(tx, id).await?;
    let mut expected: BTreeMap<PostingKey, RoaringBitmap> = BTreeMap::new();
    let mut dates: Vec<Dated> = Vec::new();
    let mut last = None;
    for Listed { slot, row } in &reports {
        let entry = row.entry()?;
        for key in postings::keys(&entry.counted) {
            expected.entry(key).or_default().insert(*slot);
        }
        let date = entry.counted.event_date;
        dates.push(Dated::new(date, *slot));
        let day = calendar::day(date);
        if day < segment.first_day || day > segment.last_day {
            return Ok(Some("the dates of its reports are outside the bounds"));
        }
        let rank = entry.rank();
        if last.is_some_and(|last| last <= rank) {
            return Ok(Some("its reports are not in the order of the lists"));
        }
        last = Some(rank);
        let at = rank.published_at;
        let is_fenced = segment.time_index.enclose(*slot, at);
        let newest = Rank::of(segment.newest_at, &segment.newest_id);
        if at < segment.oldest_at || rank < newest || !is_fenced {
            return Ok(Some("the times of its reports are outside the bounds"));
        }
        if i64::from(*slot) >= segment.size {
            return Ok(Some("it has more reports than its size allows"));
        }
    }
    let stored = postings::all_of(tx, id).await?;
    let mut calendar = calendar::of(tx, id).await?;
    calendar.sort_unstable_by_key(|dated| dated.slot);
    let live = stored.get(&(Dimension::Place, WORLD)).cloned().unwrap_or_default();
    if live.len() != segment.live.cast_unsigned() {
        return Ok(Some("its number of reports differs from its count"));
    }
    let keys: BTreeSet<&PostingKey> = stored.keys().chain(expected.keys()).collect();
    let none = RoaringBitmap::new();
    for key in keys {
        let stored = stored.get(key).unwrap_or(&none) & &live;
        if stored != *expected.get(key).unwrap_or(&none) {
            return Ok(Some("its sets are not those of its reports"));
        }
    }
    // Includes slots of withdrawn reports, because slots are not reused.
    if !calendar.iter().map(|dated| i64::from(dated.slot)).eq(0..segment.size) {
        return Ok(Some("its calendar does not have each of its slots once"));
    }
    calendar.retain(|dated| live.contains(u32::from(dated.slot)));
    if !calendar.iter().eq(&dates) {
        return Ok(Some("its calendar is not that of its reports"));
    }
    Ok(None)
}
