//! One pass through the reports, which counts them and finds misplaced ones.

use std::collections::HashMap;

use base::time::{date_of_day, format_instant, instant_of_millis};
use chrono::{DateTime, Utc};
use futures_util::TryStreamExt;
use roaring::RoaringBitmap;
use sqlx::FromRow;

use super::{Derived, Difference, Found};
use crate::{
    counters::{
        presence::bit,
        recount::{SetFault, Sightings},
        rollup::Bucket,
    },
    engine::sql::{self, Connection},
    error::Result,
    places::{
        place::Spelling,
        place_check::{Names, PlaceCheck},
    },
    progress::Stage,
    reports::report,
    version,
};

/// Number of rows between two progress reports.
const STEP: u64 = 4_096;

/// Report that is approved or has a place.
#[derive(FromRow)]
struct Row<'r> {
    seq: i64,
    id: &'r str,
    approved: bool,
    kind: &'r str,
    country: &'r str,
    region: &'r str,
    city: &'r str,
    event_day: i64,
    created_at: i64,
    published_at: Option<i64>,
    place_id: Option<i64>,
}

/// Results of one pass through the reports, shared by the comparisons of several kinds.
#[derive(Default)]
pub(crate) struct Facts {
    /// Stored places.
    pub check: PlaceCheck,
    /// Approved reports for the counters, under their stored places, even if misplaced.
    pub sightings: Sightings,
    /// Number of `sightings`, one for each approved report with a place.
    pub counted: u64,
    /// Numbers of the reports whose stored place is not the city that they name.
    pub misplaced: Vec<i64>,
    /// Cities that have reports.
    pub used: RoaringBitmap,
    /// Correct spellings of places with a wrong name, each with the time of the report that it comes from.
    pub names: HashMap<i64, (i64, Names)>,
    /// Time of the last publication among the approved reports.
    pub last_published_at: Option<DateTime<Utc>>,
    /// Buckets with wrong counts or sets of cities.
    pub wrong_buckets: Vec<(Bucket, Option<SetFault>)>,
}

impl Facts {
    /// Reads the places, and every report that is approved or has a place. Adds a difference for each report whose
    /// stored place is not the one that it names, and one if the last change is earlier than the last publication.
    pub(crate) async fn read<D: Derived>(
        tx: &mut Connection,
        found: &mut Found<'_, D>,
    ) -> Result<Self> {
        let of: i64 = sql::query_scalar("SELECT count(*) FROM reports").fetch_one(&mut *tx).await?;
        let changed_at = version::last_change(tx).await?.at;
        let mut facts = Self { check: PlaceCheck::read(tx).await?, ..Self::default() };
        let mut read = 0;
        let mut rows = sql::query(
            "SELECT seq, id, status = 'APPROVED' AS approved, type AS kind, country, region, city,
                    event_day, created_at, published_at, place_id
             FROM reports WHERE place_id IS NOT NULL OR status = 'APPROVED'",
        )
        .fetch(tx);
        while let Some(row) = rows.try_next().await? {
            facts.add(&row.read::<Row<'_>>()?, found)?;
            read += 1;
            if read % STEP == 0 {
                found.progress(Stage::Reading, read, of.cast_unsigned());
            }
        }
        facts.counted = facts.sightings.len();
        if let Some(published_at) = facts.last_published_at.filter(|at| *at > changed_at) {
            let [stored, recounted] = [changed_at, published_at].map(format_instant);
            found.differ(|_| Difference::new("the last change", "all time", stored, recounted));
        }
        Ok(facts)
    }

    fn add<D: Derived>(&mut self, row: &Row<'_>, found: &mut Found<'_, D>) -> Result<()> {
        let spelling = Spelling { country: row.country, region: row.region, city: row.city };
        let lineage = row.place_id.and_then(|place| self.check.lineage(place));
        if row.approved {
            let published_at = row.published_at.map(instant_of_millis);
            self.last_published_at = self.last_published_at.max(published_at);
            if let Some(lineage) = lineage {
                let date = date_of_day(row.event_day);
                self.sightings.push(date, lineage.city, report::kind(row.kind)?)?;
            }
        }
        match lineage {
            Some(lineage) if self.check.is_named(lineage.city, &spelling) => {
                self.used.insert(bit(lineage.city)?);
                for place in [lineage.country, lineage.region, lineage.city] {
                    let at = row.published_at.unwrap_or(row.created_at);
                    self.name(place, &spelling, at);
                }
            }
            _ => {
                found.differ(|_| {
                    let place = row.place_id.map(|place| self.check.name(place));
                    let stored = place.unwrap_or_else(|| "none".to_owned());
                    let subject = format!("report {:?}", row.id);
                    Difference::new(subject, "its place", stored, spelling.key().to_string())
                });
                self.misplaced.push(row.seq);
            }
        }
        Ok(())
    }

    /// Remembers the spelling in the earliest report of a place whose name does not match its key.
    fn name(&mut self, place: i64, spelling: &Spelling<'_>, at: i64) {
        let Some(known) = self.check.get(place).filter(|known| !known.is_well_named) else {
            return;
        };
        if self.names.get(&place).is_none_or(|(earlier, _)| at < *earlier) {
            let [country, region, city] =
                [spelling.country, spelling.region, spelling.city].map(str::to_owned);
            let names = Names { country, region, city }.of_level(known.level);
            self.names.insert(place, (at, names));
        }
    }
}
