//! Rollups: counts of approved reports by place and bucket of the event date. Written by the
//! transaction that publishes or withdraws, read by every counter.

use std::collections::{BTreeMap, HashMap};

use app::model::ReportType;
use chrono::{DateTime, NaiveDate, Utc};
use sqlx::SqliteConnection;

use super::{
    grain::Grain,
    presence::{self, Presence},
};
use crate::store::{
    engine::bulk,
    error::{Error, Result},
    places::place::Lineage,
};

/// A report as far as it counts.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Counted {
    pub lineage: Lineage,
    pub kind: ReportType,
    pub event_date: NaiveDate,
    pub published_at: DateTime<Utc>,
}

/// A stretch of time: one day, month or year, or all time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::store) struct Bucket {
    pub grain: Grain,
    pub number: i64,
}

impl Bucket {
    /// The four buckets that a date falls into.
    pub(in crate::store) fn of(date: NaiveDate) -> [Bucket; 4] {
        Grain::ALL.map(|grain| Bucket { grain, number: grain.bucket(date) })
    }

    pub(in crate::store) fn from_stored(grain: i64, number: i64) -> Result<Self> {
        let grain = Grain::ALL
            .into_iter()
            .find(|known| known.number() == grain)
            .ok_or_else(|| Error::Damaged(format!("grain {grain}")))?;
        Ok(Self { grain, number })
    }
}

/// Counts by type, in the order of [`ReportType::ALL`].
pub(in crate::store) type Counts = [i64; 3];

/// The row of a rollup: a place and a bucket.
pub(in crate::store) type Cell = (i64, Bucket);

pub(in crate::store) const fn type_index(kind: ReportType) -> usize {
    match kind {
        ReportType::Spirit => 0,
        ReportType::Water => 1,
        ReportType::Both => 2,
    }
}

/// What reports add to the rollups and the sets of cities.
pub(in crate::store) struct Tally {
    /// In key order: neighbours in the table are written together.
    cells: Vec<(Cell, Counts)>,
    presence: BTreeMap<Bucket, Presence>,
}

impl Tally {
    pub(in crate::store) fn of(reports: &[Counted]) -> Result<Self> {
        let mut presence: BTreeMap<Bucket, Presence> = BTreeMap::new();
        for report in reports {
            let city = presence::bit(report.lineage.city)?;
            let bound = presence::published_bound(report.published_at);
            for bucket in Bucket::of(report.event_date) {
                let set = presence.entry(bucket).or_default();
                set.cities.insert(city);
                set.last_published_at = set.last_published_at.max(bound);
            }
        }
        Ok(Self { cells: sum(reports), presence })
    }

    /// Counts the reports in, newly approved as they are.
    pub(in crate::store) async fn count_in(self, tx: &mut SqliteConnection) -> Result<()> {
        bulk::insert(
            tx,
            "INSERT INTO rollups (place_id, grain, bucket, spirit_count, water_count, both_count)",
            6,
            "ON CONFLICT (place_id, grain, bucket) DO UPDATE
             SET spirit_count = spirit_count + excluded.spirit_count,
                 water_count = water_count + excluded.water_count,
                 both_count = both_count + excluded.both_count",
            &self.cells,
            |query, ((place, bucket), [spirit, water, both])| {
                query
                    .bind(*place)
                    .bind(bucket.grain.number())
                    .bind(bucket.number)
                    .bind(*spirit)
                    .bind(*water)
                    .bind(*both)
            },
        )
        .await?;
        presence::add(tx, self.presence).await
    }
}

pub(super) fn sum(reports: &[Counted]) -> Vec<(Cell, Counts)> {
    let mut cells: HashMap<Cell, Counts> = HashMap::new();
    for report in reports {
        for bucket in Bucket::of(report.event_date) {
            for place in report.lineage.counted_under() {
                cells.entry((place, bucket)).or_default()[type_index(report.kind)] += 1;
            }
        }
    }
    let mut cells: Vec<_> = cells.into_iter().collect();
    cells.sort_unstable_by_key(|(cell, _)| *cell);
    cells
}

impl std::fmt::Display for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.grain {
            Grain::All => f.write_str("all time"),
            Grain::Year => write!(f, "{:04}", self.number),
            Grain::Month => {
                write!(f, "{:04}-{:02}", self.number.div_euclid(12), self.number.rem_euclid(12) + 1)
            }
            Grain::Day => write!(f, "{}", crate::time::date_of_day(self.number)),
        }
    }
}
