//! Lists of approved reports, newest publication first, then by id.

#[cfg(test)]
mod tests;

use chrono::{DateTime, NaiveDate, Utc};

use super::report::{PublicReport, Rank};
use crate::{
    areas,
    counters::metrics::{self, Counters, counts},
    engine::sql::Connection,
    error::Result,
    filter::{ALL_TYPES, Filter},
    list_index::{self, Cost, Found, Question, SegmentCache},
    places::index::SharedPlaceIndex,
    version::Versioned,
};

/// Selection of approved reports.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReportsQuery {
    pub filter: Filter,
    /// Whether each type is included, in the order of [`model::ReportType::ALL`].
    pub types: [bool; 3],
    /// Earliest time of publication.
    pub since: Option<DateTime<Utc>>,
    /// Last report of the previous page.
    pub after: Option<Rank>,
    /// Maximum number of reports.
    pub limit: u32,
}

impl ReportsQuery {
    /// Selects the newest of all reports.
    pub fn newest(limit: u32) -> Self {
        Self { filter: Filter::default(), types: ALL_TYPES, since: None, after: None, limit }
    }
}

impl areas::Reports<'_> {
    /// Returns the first approved reports that match `query`. Reads at most a few rows for each
    /// segment of the lists, regardless of the number of reports and of the positions of the
    /// matches.
    pub async fn recent(self, query: &ReportsQuery) -> Result<Versioned<Vec<PublicReport>>> {
        let (places, cache) = (&self.store.places, &self.store.segments);
        self.store
            .read_shown(move |tx| {
                Box::pin(async move { Ok(newest(tx, places, cache, query).await?.reports) })
            })
            .await
    }

    /// Returns the counters for the filter of `query` and the list that it selects, both from the
    /// same snapshot.
    pub async fn overview(
        self,
        query: &ReportsQuery,
        today: NaiveDate,
    ) -> Result<Versioned<(Counters, Vec<PublicReport>)>> {
        let (places, cache) = (&self.store.places, &self.store.segments);
        self.store
            .read_shown(move |tx| {
                Box::pin(async move {
                    let counters = metrics::count(tx, places, &query.filter, today).await?;
                    Ok((counters, newest(tx, places, cache, query).await?.reports))
                })
            })
            .await
    }
}

async fn newest(
    tx: &mut Connection,
    places: &SharedPlaceIndex,
    cache: &SegmentCache,
    query: &ReportsQuery,
) -> Result<Found> {
    let scopes = places.scopes(tx, &query.filter.place).await?;
    newest_of(tx, cache, query, scopes).await
}

/// Searches the reports of a query; `scopes` are the places of its filter.
pub(super) async fn newest_of(
    tx: &mut Connection,
    cache: &SegmentCache,
    query: &ReportsQuery,
    scopes: Vec<i64>,
) -> Result<Found> {
    let filter = &query.filter;
    let by_type = counts(tx, &scopes, &filter.period.spans()).await?;
    let wanted = by_type.iter().zip(query.types).filter(|(_, wanted)| *wanted);
    let matches = u64::try_from(wanted.map(|(count, _)| count).sum::<i64>()).unwrap_or_default();
    if matches == 0 {
        return Ok(Found { reports: Vec::new(), cost: Cost::default() });
    }
    let question = Question {
        places: (!filter.place.is_empty()).then_some(scopes),
        types: query.types,
        period: (!filter.period.is_open()).then(|| filter.period.ends()),
        matches,
        since: query.since,
        after: query.after.as_ref(),
        limit: query.limit,
    };
    let found = list_index::search(tx, cache, &question).await?;
    let Cost { segments, rows } = found.cost;
    tracing::trace!(segments, rows, "listed");
    Ok(found)
}
