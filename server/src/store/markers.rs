//! What the globe shows: cities with their counts, and where reports say that they are.

use std::collections::HashMap;

use app::model::Location;
use sqlx::{Row, sqlite::SqliteRow};

use super::{
    Store, bulk,
    error::Result,
    filter::Filter,
    grain::Span,
    presence::{self, bit},
};

/// How many reports of a city, the latest by their date, are asked where they were.
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
        let mut tx = self.read().await?;
        let spans = filter.period.spans();
        let mut cities = presence::union(&mut tx, &spans).await?.cities;
        if !filter.place.is_empty() {
            cities &= self.places.with(&mut tx, |index| index.select(&filter.place)).await?;
        }
        let cities: Vec<u32> = cities.iter().collect();
        let mut sums: HashMap<u32, [u64; 3]> = HashMap::with_capacity(cities.len());
        for Span { grain, first, last } in spans {
            let rows = bulk::select_matching_with(
                &mut tx,
                "SELECT place_id, spirit_count, water_count, both_count FROM rollups
                 WHERE grain = ? AND bucket BETWEEN ? AND ? AND (place_id)",
                &[grain.number(), first, last],
                1,
                &cities,
                |query, city| query.bind(i64::from(*city)),
            )
            .await?;
            for row in rows {
                let sum = sums.entry(bit(row.try_get(0)?)?).or_default();
                for (sum, count) in sum.iter_mut().zip(counts(&row)?) {
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
        self.places
            .with(&mut tx, |index| {
                let named = counted.into_iter().filter_map(|(_, id, counts)| {
                    Some(CityCounts { id: i64::from(id), location: index.location(id)?, counts })
                });
                named.collect()
            })
            .await
    }

    /// The cities that reports are counted under, by the report's id.
    pub async fn cities_of(&self, reports: &[String]) -> Result<HashMap<String, CityCounts>> {
        let mut tx = self.read().await?;
        let rows = bulk::select_matching(
            &mut tx,
            "SELECT r.place_id, c.spirit_count, c.water_count, c.both_count, r.id
             FROM reports r CROSS JOIN rollups c
             WHERE c.place_id = r.place_id AND c.grain = 0 AND c.bucket = 0
               AND r.status = 'APPROVED' AND (r.id)",
            1,
            reports,
            |query, id| query.bind(id.clone()),
        )
        .await?;
        let mut found = Vec::with_capacity(rows.len());
        for row in &rows {
            found.push((row.try_get::<String, _>(4)?, bit(row.try_get(0)?)?, counts(row)?));
        }
        self.places
            .with(&mut tx, |index| {
                let named = found.into_iter().filter_map(|(report, id, counts)| {
                    let location = index.location(id)?;
                    Some((report, CityCounts { id: i64::from(id), location, counts }))
                });
                named.collect()
            })
            .await
    }

    /// The positions that the latest reports of each of `cities` were given, as (place's id,
    /// latitude, longitude). Those of a few reports stand for all, so that what a city costs does not
    /// grow with its reports, and no index is kept for positions that most reports have not.
    pub async fn given_positions(&self, cities: &[i64]) -> Result<Vec<(i64, f64, f64)>> {
        let mut tx = self.read().await?;
        let head = format!(
            "SELECT r.place_id, r.lat, r.lng FROM places p CROSS JOIN reports r
             WHERE r.lat IS NOT NULL AND r.seq IN (
                 SELECT q.seq FROM reports q WHERE q.status = 'APPROVED' AND q.place_id = p.id
                 ORDER BY q.event_day DESC LIMIT {ASKED}
             ) AND (p.id)"
        );
        let rows =
            bulk::select_matching(&mut tx, &head, 1, cities, |query, city| query.bind(*city))
                .await?;
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?))).collect()
    }
}

/// The counts of a row, after its place's id.
fn counts(row: &SqliteRow) -> Result<[u64; 3]> {
    let mut counts = [0; 3];
    for (index, count) in counts.iter_mut().enumerate() {
        *count = row.try_get::<i64, _>(index + 1)?.cast_unsigned();
    }
    Ok(counts)
}
