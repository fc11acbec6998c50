use std::sync::Arc;

use base::time::format_instant;
use chrono::{DateTime, NaiveDate, Utc};
use model::Metrics;

use super::{
    grain::Span,
    presence,
    rollup::{self, Counts},
};
use crate::{
    areas,
    engine::sql::Connection,
    error::Result,
    filter::{Filter, Period},
    places::{index::SharedPlaceIndex, place::CityName},
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

    /// Returns the distinct cities with approved reports in `period`, in the order of country,
    /// region, city. Each has the spelling that was published first.
    pub async fn geo_facets(self, period: Period) -> Result<Vec<Arc<CityName>>> {
        let places = &self.store.places;
        self.store
            .read(move |tx| {
                Box::pin(async move {
                    let cities = presence::union(tx, &period.spans()).await?;
                    places.with(tx, |index| index.names(&cities)).await
                })
            })
            .await
    }
}

pub(crate) async fn count(
    tx: &mut Connection,
    places: &SharedPlaceIndex,
    filter: &Filter,
    today: NaiveDate,
) -> Result<Counters> {
    let spans = filter.period.spans();
    let scopes = places.with(tx, |index| index.scopes(&filter.place)).await?;
    if scopes.is_empty() {
        return Ok(Counters::default());
    }
    let by_type = counts(tx, &scopes, &spans).await?;
    let today = counts(tx, &scopes, &Span::day(today)).await?;
    let mut cities = presence::union(tx, &spans).await?;
    let (countries, cities) = places
        .with(tx, |index| {
            if !filter.place.is_empty() {
                cities &= index.select(&filter.place);
            }
            (index.countries_among(&cities), cities.len())
        })
        .await?;
    let unsigned = |counts: Counts| counts.map(i64::cast_unsigned);
    Ok(Counters { by_type: unsigned(by_type), today: unsigned(today), countries, cities })
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
