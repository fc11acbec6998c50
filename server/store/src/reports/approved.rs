//! Approved reports for the lists of operators: the counters contain the number of matches, and the
//! index of the public lists finds them.

use std::collections::{BTreeMap, HashSet};

use chrono::NaiveDate;
use model::ReportType;

use super::{facets::Group, selection::Selection};
use crate::{
    Store,
    counters::rollup,
    engine::sql::{self, Connection},
    error::Result,
    filter::Period,
    list_index::{self, Question},
};
use base::time::date_of_day;

/// Returns the counts of the approved reports by city in a period.
pub(crate) async fn groups(
    tx: &mut Connection,
    store: &Store,
    period: Period,
) -> Result<Vec<Group>> {
    let cities = store
        .places
        .with(tx, |index| {
            index
                .cities(None)
                .map(|(id, name)| (i64::from(id), name.clone()))
                .collect::<BTreeMap<_, _>>()
        })
        .await?;
    let pages = rollup::pages_of(cities.keys().copied());
    let mut sums: BTreeMap<i64, [u64; 3]> = BTreeMap::new();
    rollup::read(tx, &pages, &period.spans(), |place, counts| {
        let sums = sums.entry(place).or_default();
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count.cast_unsigned());
    })
    .await?;
    let group = |(place, name)| {
        let by_type = sums.remove(&place).filter(|counts| *counts != [0; 3])?;
        Some(Group { name, place, by_type })
    };
    Ok(cities.into_iter().filter_map(group).collect())
}

/// Returns the number of approved reports of a type, or of all, from `places` in a period.
pub(super) async fn count(
    tx: &mut Connection,
    places: &[i64],
    kind: Option<ReportType>,
    period: Period,
) -> Result<u64> {
    let wanted: HashSet<i64> = places.iter().copied().collect();
    let pages = rollup::pages_of(places.iter().copied());
    let mut sum = 0;
    rollup::read(tx, &pages, &period.spans(), |place, counts| {
        if wanted.contains(&place) {
            let by_type = ReportType::ALL.into_iter().zip(counts);
            let by_type = by_type.filter(|(one, _)| kind.is_none_or(|kind| kind == *one));
            sum += by_type.map(|(_, count)| count.cast_unsigned()).sum::<u64>();
        }
    })
    .await?;
    Ok(sum)
}

/// Returns the ids of the approved reports from `places` in a period, of which there are `count`.
pub(super) async fn ids(
    tx: &mut Connection,
    store: &Store,
    selection: &Selection,
    period: Period,
    places: &[i64],
    count: u64,
) -> Result<Vec<String>> {
    let question = Question {
        places: Some(places.to_vec()),
        types: ReportType::ALL.map(|one| selection.kind.is_none_or(|kind| kind == one)),
        period: (!period.is_open()).then(|| period.ends()),
        matches: count,
        since: None,
        after: None,
        limit: u32::try_from(count).unwrap_or(u32::MAX),
    };
    let found = list_index::search(tx, &store.segments, &question).await?;
    Ok(found.reports.into_iter().map(|found| found.report.id).collect())
}

/// Returns the first and last event date of approved reports.
pub(super) async fn days(tx: &mut Connection) -> Result<Option<(NaiveDate, NaiveDate)>> {
    let sql = "SELECT CAST(min(first_day) AS BIGINT), CAST(max(last_day) AS BIGINT) FROM segments";
    let (first, last): (Option<i64>, Option<i64>) = sql::query_as(sql).fetch_one(tx).await?;
    Ok(first.zip(last).map(|(first, last)| (date_of_day(first), date_of_day(last))))
}
