use std::sync::Arc;

use base::time::format_instant;
use chrono::{DateTime, NaiveDate, Utc};
use model::Metrics;

use roaring::RoaringBitmap;

use super::{
    count_cache::CountCache,
    grain::Span,
    presence::{self, AllTime},
    rollup::{self, Counts},
};
use crate::{
    areas,
    engine::sql::Connection,
    error::Result,
    filter::{ALL_TYPES, Filter, Period},
    places::{city_name::CityName, index::SharedPlaceIndex},
    version::Versioned,
};

/// Counters of a filter. Types are in the order of [`model::ReportType::ALL`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    pub by_type: [u64; 3],
    /// Counts of the current date for the same places, regardless of the period.
    pub today: [u64; 3],
    pub countries: u64,
    pub cities: u64,
}

impl Counters {
    /// Returns the counters for the API. For `since`, see
    /// [`LastChange::seen_since`](crate::LastChange::seen_since).
    pub fn shown(&self, since: DateTime<Utc>) -> Metrics {
        let [spirit, water, both] = self.by_type;
        let [spirit_today, water_today, both_today] = self.today;
        Metrics {
            spirit,
            water,
            both,
            total: spirit + water + both,
            spirit_today,
            water_today,
            both_today,
            total_today: spirit_today + water_today + both_today,
            countries: self.countries,
            cities: self.cities,
            updated_at: format_instant(since),
        }
    }
}

impl areas::Counters<'_> {
    /// Counts the reports that `filter` selects, and those of `today` in the same places. Reads
    /// some tens of rows, regardless of the number of reports.
    pub async fn metrics(self, filter: &Filter, today: NaiveDate) -> Result<Versioned<Counters>> {
        let places = &self.store.places;
        self.store.read_shown(move |tx| Box::pin(count(tx, places, filter, today))).await
    }

    /// Like [`metrics`](Self::metrics), for reports of `types` only; the other types have zero counts.
    pub async fn metrics_of(
        self,
        filter: &Filter,
        types: [bool; 3],
        today: NaiveDate,
    ) -> Result<Versioned<Counters>> {
        if types == ALL_TYPES {
            return self.metrics(filter, today).await;
        }
        let (places, counts) = (&self.store.places, &self.store.counts);
        self.store
            .read_shown(move |tx| Box::pin(count_of(tx, places, counts, filter, types, today)))
            .await
    }

    /// Returns the distinct cities with approved reports of `types` in `period`, in the order of
    /// country, region, city. Each has the spelling that was published first.
    pub async fn geo_facets(self, period: Period, types: [bool; 3]) -> Result<Vec<Arc<CityName>>> {
        let (places, counts) = (&self.store.places, &self.store.counts);
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let spans = period.spans();
                    let mut cities = presence::union(tx, &spans).await?;
                    if types != ALL_TYPES {
                        keep_types(tx, counts, &mut cities, &spans, types).await?;
                    }
                    places.with(tx, |index| index.names(&cities)).await
                })
            })
            .await
    }
}

/// Keeps the `cities` that have reports of `types` in `spans`. The sets of cities are of all types, so
/// this reads the counts of the cities.
async fn keep_types(
    tx: &mut Connection,
    counts: &CountCache,
    cities: &mut RoaringBitmap,
    spans: &[Span],
    types: [bool; 3],
) -> Result<()> {
    let pages = rollup::pages_of(cities.iter().map(i64::from));
    let mut counted = RoaringBitmap::new();
    counts
        .read(tx, &pages, spans, |_, place, counts| {
            if let Ok(place) = u32::try_from(place)
                && of_types(counts, types) != Counts::default()
            {
                counted.insert(place);
            }
        })
        .await?;
    *cities &= counted;
    Ok(())
}

/// Returns the counts of `types`; the others are zero.
pub(super) fn of_types<T: Default>(counts: [T; 3], types: [bool; 3]) -> [T; 3] {
    let mut types = types.into_iter();
    counts.map(|count| if types.next() == Some(true) { count } else { T::default() })
}

/// Counts the reports of `types`.
async fn count_of(
    tx: &mut Connection,
    places: &SharedPlaceIndex,
    cache: &CountCache,
    filter: &Filter,
    types: [bool; 3],
    today: NaiveDate,
) -> Result<Counters> {
    let all = count(tx, places, filter, today).await?;
    let spans = filter.period.spans();
    let mut cities = presence::union(tx, &spans).await?;
    if !filter.place.is_empty() {
        cities &= places.with(tx, |index| index.select(&filter.place)).await?;
    }
    keep_types(tx, cache, &mut cities, &spans, types).await?;
    let countries = places.with(tx, |index| index.countries_among(&cities)).await?;
    let (by_type, today) = (of_types(all.by_type, types), of_types(all.today, types));
    Ok(Counters { by_type, today, countries, cities: cities.len() })
}

pub(crate) async fn count(
    tx: &mut Connection,
    places: &SharedPlaceIndex,
    filter: &Filter,
    today: NaiveDate,
) -> Result<Counters> {
    let spans = filter.period.spans();
    let scopes = places.scopes(tx, &filter.place).await?;
    if scopes.is_empty() {
        return Ok(Counters::default());
    }
    let by_type = counts(tx, &scopes, &spans).await?;
    let today = counts(tx, &scopes, &Span::day(today)).await?;
    let (countries, cities) = count_places(tx, places, filter, &spans).await?;
    let unsigned = |counts: Counts| counts.map(i64::cast_unsigned);
    Ok(Counters { by_type: unsigned(by_type), today: unsigned(today), countries, cities })
}

/// Counts the countries and cities with reports.
async fn count_places(
    tx: &mut Connection,
    places: &SharedPlaceIndex,
    filter: &Filter,
    spans: &[Span],
) -> Result<(u64, u64)> {
    if *filter == Filter::default() {
        let AllTime { countries, cities } = presence::all_time(tx).await?;
        return Ok((countries.len(), cities.len()));
    }
    let mut cities = presence::union(tx, spans).await?;
    places
        .with(tx, |index| {
            if !filter.place.is_empty() {
                cities &= index.select(&filter.place);
            }
            (index.countries_among(&cities), cities.len())
        })
        .await
}

/// Sums the rollups of `scopes` over `spans`.
pub(crate) async fn counts(tx: &mut Connection, scopes: &[i64], spans: &[Span]) -> Result<Counts> {
    let mut sums = Counts::default();
    let pages = rollup::pages_of(scopes.iter().copied());
    rollup::read(tx, &pages, spans, |place, counts| {
        if scopes.contains(&place) {
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    })
    .await?;
    Ok(sums)
}
