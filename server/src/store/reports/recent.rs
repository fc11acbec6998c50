//! The lists of approved reports, newest publication first, then by id.

#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use sqlx::SqliteConnection;

use super::{
    calendar::Dates,
    order::Rank,
    postings::Range,
    report::PublicReport,
    search::{Condition, Cost, Found, Search},
};
use crate::store::{
    Store,
    counters::{grain::Span, metrics::counts, rollup::Counts},
    error::Result,
    filter::{Filter, Period},
    places::{index::SharedPlaceIndex, place::WORLD},
};

/// No type is left out.
pub const ALL_TYPES: [bool; 3] = [true; 3];

/// Which of the approved reports.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReportsQuery {
    pub filter: Filter,
    /// Which types, in the order of [`app::model::ReportType::ALL`].
    pub types: [bool; 3],
    /// Only those published at or after this instant.
    pub since: Option<DateTime<Utc>>,
    /// Only those after this one in the list.
    pub after: Option<Rank>,
    /// How many at the most.
    pub limit: u32,
}

impl ReportsQuery {
    /// The newest of all.
    pub fn newest(limit: u32) -> Self {
        Self { filter: Filter::default(), types: ALL_TYPES, since: None, after: None, limit }
    }
}

impl Store {
    /// The first approved reports of the list that `query` describes. However many there are, and
    /// wherever those that match stand, a few rows are read for each segment of the lists at the most.
    pub async fn reports(&self, query: &ReportsQuery) -> Result<Vec<PublicReport>> {
        let places = &self.places;
        let found = self.read(move |tx| Box::pin(newest(tx, places, query))).await?;
        let Cost { segments, rows } = found.cost;
        tracing::trace!(segments, rows, "listed");
        Ok(found.reports)
    }
}

async fn newest(
    tx: &mut SqliteConnection,
    places: &SharedPlaceIndex,
    query: &ReportsQuery,
) -> Result<Found> {
    let filter = &query.filter;
    let spans = filter.period.spans();
    let scopes = places.with(tx, |index| index.scopes(&filter.place)).await?;
    let by_type = counts(tx, &scopes, &spans).await?;
    let wanted = by_type.iter().zip(query.types).filter(|(_, wanted)| *wanted);
    let matches = u64::try_from(wanted.map(|(count, _)| count).sum::<i64>()).unwrap_or_default();
    if matches == 0 {
        return Ok(Found { reports: Vec::new(), cost: Cost::default() });
    }
    // The places first: most of them are in few segments.
    let mut conditions: Vec<Condition> = Vec::new();
    if !filter.place.is_empty() {
        conditions.push(Condition::Within(scopes.into_iter().map(Range::place).collect()));
    }
    if query.types != ALL_TYPES {
        let wanted = query.types.into_iter().enumerate().filter(|(_, wanted)| *wanted);
        conditions.push(Condition::Within(wanted.map(|(index, _)| Range::kind(index)).collect()));
    }
    conditions.push(Condition::Within(vec![Range::LIVE]));
    if !filter.period.is_open() {
        // Without a place, what was counted is of the world.
        let within = match filter.place.is_empty() {
            true => by_type,
            false => counts(tx, &[WORLD], &spans).await?,
        };
        conditions.push(dated(tx, filter.period, &spans, within).await?);
    }
    Search::new(conditions, matches, query).run(tx).await
}

/// That reports are dated in `period`, said by the shorter of what it has, which is `within`, and what it
/// leaves out.
async fn dated(
    tx: &mut SqliteConnection,
    period: Period,
    spans: &[Span],
    within: Counts,
) -> Result<Condition> {
    let everything: i64 = counts(tx, &[WORLD], &Span::all_time()).await?.iter().sum();
    let within: i64 = within.iter().sum();
    if within * 2 <= everything {
        return Ok(Condition::Dated(Dates::of(spans)));
    }
    let spans = period.rest().map(Period::spans).concat();
    Ok(Condition::NotDated(Dates::of(&spans)))
}
