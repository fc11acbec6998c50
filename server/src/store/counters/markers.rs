//! What the globe shows: cities with their counts, and where reports say that they are.

use std::collections::HashMap;

use app::model::Location;
use sqlx::SqliteConnection;

use super::{
    grain::Span,
    presence::{self, bit},
};
use crate::store::{
    Store,
    engine::bulk,
    error::Result,
    filter::Filter,
    places::index::{PlaceIndex, SharedPlaceIndex},
};

/// How many of a city's reports, the latest by their date, are used to find where it is.
const ASKED: u32 = 8;

/// A city and what is counted there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CityCounts {
    /// The place's.
    pub id: i64,
    pub location: Location,
    /// Of every type, in the order of [`app::model::ReportType::ALL`].
    pub counts: [u64; 3],
}

/// Counts of a city over a stretch of time.
#[derive(sqlx::FromRow)]
struct CountsRow {
    place_id: i64,
    spirit_count: i64,
    water_count: i64,
    both_count: i64,
}

impl CountsRow {
    fn by_type(&self) -> [u64; 3] {
        [self.spirit_count, self.water_count, self.both_count].map(i64::cast_unsigned)
    }
}

/// A report with all counts of its city.
#[derive(sqlx::FromRow)]
struct ReportCityRow {
    id: String,
    #[sqlx(flatten)]
    city: CountsRow,
}

impl Store {
    /// The `most` cities of `filter` with the most approved reports of `types`, the most first. Of
    /// each city of the place one row is read, and for a period some tens, however many reports it
    /// has.
    pub async fn largest_cities(
        &self,
        filter: &Filter,
        types: [bool; 3],
        most: usize,
    ) -> Result<Vec<CityCounts>> {
        let places = &self.places;
        self.read(move |tx| Box::pin(largest(tx, places, filter, types, most))).await
    }

    /// The cities that reports are counted under, by the report's id.
    pub async fn cities_of(&self, reports: &[String]) -> Result<HashMap<String, CityCounts>> {
        let places = &self.places;
        self.read(move |tx| {
            Box::pin(async move {
                let rows: Vec<ReportCityRow> = bulk::select_matching(
                    tx,
                    "SELECT r.id, r.place_id, c.spirit_count, c.water_count, c.both_count
                     FROM reports r CROSS JOIN rollups c
                     WHERE c.place_id = r.place_id AND c.grain = 0 AND c.bucket = 0
                       AND r.status = 'APPROVED' AND (r.id)",
                    1,
                    reports,
                    |query, id| query.bind(id.clone()),
                )
                .await?;
                let named = |index: &PlaceIndex| {
                    let named = rows.into_iter().filter_map(|ReportCityRow { id, city }| {
                        Some((id, index.city(city.place_id, city.by_type())?))
                    });
                    named.collect()
                };
                places.with(tx, named).await
            })
        })
        .await
    }

    /// The positions that the latest reports of each of `cities` were given, as (place's id,
    /// latitude, longitude). Those of a few reports stand for all, so that what a city costs does not
    /// grow with its reports, and positions, which most reports don't have, need no index.
    pub async fn given_positions(&self, cities: &[i64]) -> Result<Vec<(i64, f64, f64)>> {
        let head = format!(
            "SELECT r.place_id, r.lat, r.lng FROM places p CROSS JOIN reports r
             WHERE r.lat IS NOT NULL AND r.seq IN (
                 SELECT q.seq FROM reports q WHERE q.status = 'APPROVED' AND q.place_id = p.id
                 ORDER BY q.event_day DESC LIMIT {ASKED}
             ) AND (p.id)"
        );
        let head = &head;
        self.read(move |tx| {
            let bind = |query: bulk::Bound, city: &i64| query.bind(*city);
            Box::pin(async move { bulk::select_matching(tx, head, 1, cities, bind).await })
        })
        .await
    }
}

async fn largest(
    tx: &mut SqliteConnection,
    places: &SharedPlaceIndex,
    filter: &Filter,
    types: [bool; 3],
    most: usize,
) -> Result<Vec<CityCounts>> {
    let spans = filter.period.spans();
    let mut cities = presence::union(tx, &spans).await?.cities;
    if !filter.place.is_empty() {
        cities &= places.with(tx, |index| index.select(&filter.place)).await?;
    }
    let cities: Vec<u32> = cities.iter().collect();
    let mut sums: HashMap<u32, [u64; 3]> = HashMap::with_capacity(cities.len());
    for Span { grain, first, last } in spans {
        let rows: Vec<CountsRow> = bulk::select_matching_with(
            tx,
            "SELECT place_id, spirit_count, water_count, both_count FROM rollups
             WHERE grain = ? AND bucket BETWEEN ? AND ? AND (place_id)",
            &[grain.number(), first, last],
            1,
            &cities,
            |query, city| query.bind(i64::from(*city)),
        )
        .await?;
        for row in rows {
            let sum = sums.entry(bit(row.place_id)?).or_default();
            for (sum, count) in sum.iter_mut().zip(row.by_type()) {
                *sum += count;
            }
        }
    }
    let mut counted = Vec::with_capacity(sums.len());
    for (id, counts) in sums {
        let wanted = counts.iter().zip(types).filter(|(_, wanted)| *wanted);
        let total: u64 = wanted.map(|(count, _)| count).sum();
        counted.push((total, id, counts));
    }
    counted.retain(|(total, ..)| *total > 0);
    // By id where counts are equal, so that the same data give the same bytes.
    counted.sort_unstable_by_key(|(total, id, _)| (std::cmp::Reverse(*total), *id));
    counted.truncate(most);
    places
        .with(tx, |index| {
            let named = counted.into_iter();
            named.filter_map(|(_, id, counts)| index.city(i64::from(id), counts)).collect()
        })
        .await
}
