//! Data of the globe: cities with their counts and the positions given in reports.

use std::{cmp::Reverse, collections::HashMap, sync::Arc};

use super::{
    count_cache::CountCache,
    grain::Span,
    page,
    rollup::{self, Counts},
};
use crate::{
    areas,
    engine::{
        bulk,
        sql::{Connection, Engine, RowValues},
    },
    error::Result,
    filter::Filter,
    places::{
        city_name::CityName,
        index::{PlaceIndex, SharedPlaceIndex},
    },
    version::Versioned,
};

/// Number of reports used to determine a city's position: the latest ones by date that have
/// coordinates.
const ASKED: u32 = 8;

/// City with its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CityCounts {
    /// Id of the place.
    pub id: i64,
    pub name: Arc<CityName>,
    /// Counts by type, in the order of [`model::ReportType::ALL`].
    pub counts: [u64; 3],
    /// Counts of all time. They change when reports are published or withdrawn.
    pub all_time: [u64; 3],
}

impl areas::Counters<'_> {
    /// Returns the `most` cities of `filter` with the most approved reports of `types`, largest
    /// first. Reads only pages of counts that changed since the last call, regardless of the number
    /// of reports.
    pub async fn largest_cities(
        self,
        filter: &Filter,
        types: [bool; 3],
        most: usize,
    ) -> Result<Versioned<Vec<CityCounts>>> {
        let (places, counts) = (&self.store.places, &self.store.counts);
        self.store
            .read_shown(move |tx| Box::pin(largest(tx, places, counts, filter, types, most)))
            .await
    }

    /// Returns the cities of reports with their counts, by id of the report.
    pub async fn cities_of(self, reports: &[String]) -> Result<HashMap<String, CityCounts>> {
        let places = &self.store.places;
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let cities: Vec<(String, i64)> = bulk::select_matching(
                        &mut **tx,
                        "SELECT id, place_id FROM reports WHERE status = 'APPROVED' AND (id)",
                        reports,
                        |query, id| query.bind(id.as_str()),
                    )
                    .await?;
                    let pages = rollup::pages_of(cities.iter().map(|(_, city)| *city));
                    let mut counted: HashMap<i64, [u64; 3]> = HashMap::new();
                    rollup::read(tx, &pages, &Span::all_time(), |place, counts| {
                        counted.insert(place, counts.map(i64::cast_unsigned));
                    })
                    .await?;
                    let named = |index: &PlaceIndex| {
                        let named = cities.into_iter().filter_map(|(report, city)| {
                            let counts = *counted.get(&city)?;
                            Some((report, index.city(city, counts, counts)?))
                        });
                        named.collect()
                    };
                    places.with(tx, named).await
                })
            })
            .await
    }

    /// Returns positions for each of `cities`, as (place id, latitude, longitude), from its latest
    /// reports with coordinates. Uses only a few reports per city, so that the cost does not grow
    /// with its reports.
    pub async fn given_positions(self, cities: &[i64]) -> Result<Vec<(i64, f64, f64)>> {
        let head = given_positions(self.store.engine());
        let head = &head;
        self.store
            .read(move |tx| {
                let bind = |query: RowValues, city: &i64| query.bind(*city);
                Box::pin(async move { bulk::select_matching(tx, head, cities, bind).await })
            })
            .await
    }
}

/// Returns the head of a statement that selects the positions of the latest reports of each city
/// `p`. A condition on `p.id` follows.
fn given_positions(engine: Engine) -> String {
    let last = format!(
        "FROM reports q WHERE q.status = 'APPROVED' AND q.lat IS NOT NULL AND q.place_id = p.id
         ORDER BY q.event_day DESC, q.seq DESC LIMIT {ASKED}"
    );
    match engine {
        // SQLite does not support LATERAL.
        Engine::Sqlite => format!(
            "SELECT r.place_id, r.lat, r.lng FROM places p CROSS JOIN reports r
             WHERE r.seq IN (SELECT q.seq {last}) AND (p.id)"
        ),
        // With the statement above, PostgreSQL would check each report of each city.
        Engine::Postgres => format!(
            "SELECT r.place_id, r.lat, r.lng
             FROM places p CROSS JOIN LATERAL (SELECT q.place_id, q.lat, q.lng {last}) r WHERE (p.id)"
        ),
    }
}

async fn largest(
    tx: &mut Connection,
    places: &SharedPlaceIndex,
    counts: &CountCache,
    filter: &Filter,
    types: [bool; 3],
    most: usize,
) -> Result<Vec<CityCounts>> {
    let (selected, last) = places
        .with(tx, |index| {
            let place = &filter.place;
            let selected = (!place.is_empty()).then(|| index.select(place));
            (selected, index.last_id())
        })
        .await?;
    let pages = match &selected {
        Some(cities) => rollup::pages_of(cities.iter().map(i64::from)),
        None => (0..=page::number(last)).collect(),
    };
    // Reads the counts of the period and, if they differ, those of all time in one pass.
    let within = filter.period.spans();
    let mut spans = within.clone();
    if !filter.period.is_open() {
        spans.extend(Span::all_time());
    }
    let size = usize::try_from(last).unwrap_or_default() + 1;
    let mut sums = vec![[0; 3]; size];
    let mut all_time = vec![[0; 3]; if filter.period.is_open() { 0 } else { size }];
    let add_to = |sums: &mut [[u64; 3]], place: i64, counts: Counts| {
        let sum = usize::try_from(place).ok().and_then(|place| sums.get_mut(place));
        for (sum, count) in sum.into_iter().flatten().zip(counts) {
            *sum += count.cast_unsigned();
        }
    };
    let add = |span: usize, place: i64, counts: Counts| {
        add_to(if span < within.len() { &mut sums } else { &mut all_time }, place, counts);
    };
    counts.read(tx, &pages, &spans, add).await?;
    let all_time = if filter.period.is_open() { &sums } else { &all_time };
    places
        .with(tx, |index| {
            let of =
                |sums: &[[u64; 3]], id: u32| sums.get(id as usize).copied().unwrap_or_default();
            let mut ranked = Vec::new();
            for (id, name) in index.cities(selected.as_ref()) {
                let wanted = of(&sums, id).into_iter().zip(types).filter(|(_, wanted)| *wanted);
                let total: u64 = wanted.map(|(count, _)| count).sum();
                if total > 0 {
                    ranked.push((Reverse(total), id, name));
                }
            }
            // Sorts by id if counts are equal, so that equal data gives equal bytes.
            let rank = |(total, id, _): &(Reverse<u64>, u32, _)| (*total, *id);
            if 0 < most && most < ranked.len() {
                ranked.select_nth_unstable_by_key(most - 1, rank);
            }
            ranked.truncate(most);
            ranked.sort_unstable_by_key(rank);
            let city = |(_, id, name): (_, u32, &Arc<CityName>)| CityCounts {
                id: i64::from(id),
                name: name.clone(),
                counts: of(&sums, id),
                all_time: of(all_time, id),
            };
            ranked.into_iter().map(city).collect()
        })
        .await
}
