//! Comparing the lists with the reports.

use std::collections::{BTreeMap, BTreeSet};

use roaring::RoaringBitmap;
use sqlx::{FromRow, SqliteConnection};

use super::{
    calendar::{self, Dated},
    postings::{self, Dimension, Key},
    relist::{self, Listed},
    segments::Fences,
};
use crate::store::{error::Result, places::place::WORLD};

/// How the lists differ from the reports, in sentences.
pub(in crate::store) async fn differences(tx: &mut SqliteConnection) -> Result<Vec<String>> {
    let mut differences = Vec::new();
    let counts = [
        (
            "approved reports that no list has",
            "SELECT count(*) FROM reports WHERE status = 'APPROVED' AND position IS NULL",
        ),
        (
            "reports that are not approved and have a position in the lists",
            "SELECT count(*) FROM reports WHERE status <> 'APPROVED' AND position IS NOT NULL",
        ),
        (
            "approved reports in segments that do not exist",
            "SELECT count(*) FROM reports WHERE position IS NOT NULL
               AND position >> 16 NOT IN (SELECT id FROM segments)",
        ),
        (
            "sets of segments that do not exist",
            "SELECT count(*) FROM postings WHERE segment NOT IN (SELECT id FROM segments)",
        ),
    ];
    for (what, sql) in counts {
        let count: i64 = sqlx::query_scalar(sql).fetch_one(&mut *tx).await?;
        if count > 0 {
            differences.push(format!("{count} {what}"));
        }
    }
    let segments: Vec<Segment> =
        sqlx::query_as("SELECT id, size, live, oldest_at, newest_at, first_day, last_day, fences FROM segments ORDER BY id")
            .fetch_all(&mut *tx)
            .await?;
    for segment in segments {
        let found = of_segment(tx, &segment).await?;
        differences.extend(found.map(|what| format!("segment {}: {what}", segment.id)));
    }
    Ok(differences)
}

#[derive(FromRow)]
struct Segment {
    id: i64,
    size: i64,
    live: i64,
    oldest_at: i64,
    newest_at: i64,
    first_day: i32,
    last_day: i32,
    #[sqlx(try_from = "Vec<u8>")]
    fences: Fences,
}

/// What is wrong with one segment, if anything is.
async fn of_segment(tx: &mut SqliteConnection, segment: &Segment) -> Result<Option<&'static str>> {
    let reports = relist::listed(tx, segment.id).await?;
    let mut expected: BTreeMap<Key, RoaringBitmap> = BTreeMap::new();
    let mut dates: BTreeSet<Dated> = BTreeSet::new();
    let mut last = None;
    for Listed { slot, row } in &reports {
        let entry = row.entry()?;
        for key in postings::keys(&entry.counted) {
            expected.entry(key).or_default().insert(*slot);
        }
        let date = entry.counted.event_date;
        dates.insert(Dated::new(date, *slot));
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
        let is_fenced = segment.fences.enclose(*slot, at);
        if at < segment.oldest_at || at > segment.newest_at || !is_fenced {
            return Ok(Some("the times of its reports are outside the bounds"));
        }
        if i64::from(*slot) >= segment.size {
            return Ok(Some("it has more reports than its size says"));
        }
    }
    let stored = postings::all_of(tx, segment.id).await?;
    let mut calendar: BTreeSet<Dated> = calendar::of(tx, segment.id).await?.dates().collect();
    let live = stored.get(&(Dimension::Place, WORLD)).cloned().unwrap_or_default();
    if live.len() != segment.live.cast_unsigned() {
        return Ok(Some("it has not as many reports as its count says"));
    }
    let keys: BTreeSet<&Key> = stored.keys().chain(expected.keys()).collect();
    let none = RoaringBitmap::new();
    for key in keys {
        let stored = stored.get(key).unwrap_or(&none) & &live;
        if stored != *expected.get(key).unwrap_or(&none) {
            return Ok(Some("its sets are not those of its reports"));
        }
    }
    calendar.retain(|dated| live.contains(u32::from(dated.slot)));
    if calendar != dates {
        return Ok(Some("its calendar is not that of its reports"));
    }
    Ok(None)
}
