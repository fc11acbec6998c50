//! Counters over time: one point for each interval of a period, read from the rollups of days,
//! months or years. The cost depends on the number of points, not of reports.

use std::fmt;

use base::time::format_instant;
use chrono::{DateTime, NaiveDate, Utc};
use model::{self, Interval, Series, SeriesPoint};

use super::{
    grain::{Grain, Span},
    interval,
    metrics::of_types,
    rollup::{self, Bucket, Counts},
};
use crate::{
    areas,
    engine::sql::Connection,
    error::Result,
    filter::{ALL_TYPES, Filter},
    places::index::SharedPlaceIndex,
    version::Versioned,
};

/// Maximum number of points of a series.
pub const MAX_POINTS: i64 = 1_000;

/// Counts of an interval, or of the part of it within the period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub from: NaiveDate,
    /// Last day, inclusive.
    pub to: NaiveDate,
    /// Counts by type, in the order of [`model::ReportType::ALL`].
    pub by_type: [u64; 3],
}

/// Error for a period of more than [`MAX_POINTS`] intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    pub interval: Interval,
    pub from: NaiveDate,
    pub to: NaiveDate,
    pub points: i64,
    /// Shortest interval for which the period has at most [`MAX_POINTS`].
    pub fits: Option<Interval>,
}

impl fmt::Display for TooLong {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { interval, from, to, points, fits } = self;
        write!(
            formatter,
            "From {from} to {to} there are {points} intervals of one {}; a series has at most {MAX_POINTS}: \
             give a shorter period",
            interval.as_str(),
        )?;
        match fits {
            Some(fits) => write!(formatter, " or interval={}.", fits.as_str()),
            None => formatter.write_str("."),
        }
    }
}

impl Point {
    fn shown(self) -> SeriesPoint {
        let Self { from, to, by_type: [spirit, water, both] } = self;
        let (from, to) = (from.to_string(), to.to_string());
        SeriesPoint { from, to, spirit, water, both, total: spirit + water + both }
    }
}

/// Returns a series for the API. For `since`, see
/// [`LastChange::seen_since`](crate::LastChange::seen_since).
pub fn series(interval: Interval, points: &[Point], since: DateTime<Utc>) -> model::Series {
    let day = |date: Option<NaiveDate>| date.map(|date| date.to_string()).unwrap_or_default();
    Series {
        interval,
        from: day(points.first().map(|point| point.from)),
        to: day(points.last().map(|point| point.to)),
        points: points.iter().map(|point| point.shown()).collect(),
        updated_at: format_instant(since),
    }
}

impl areas::Counters<'_> {
    /// Counts the reports that `filter` selects by interval, in order of time. Intervals without
    /// reports have zero counts. There is at least one interval, unless the period ends before it
    /// starts.
    ///
    /// A period without a start begins with the interval of the first report. A period without an
    /// end ends `today`, or with the last report if that is later.
    pub async fn series(
        self,
        filter: &Filter,
        interval: Interval,
        today: NaiveDate,
    ) -> Result<Versioned<Result<Vec<Point>, TooLong>>> {
        self.series_of(filter, ALL_TYPES, interval, today).await
    }

    /// Like [`series`](Self::series), for reports of `types` only; the other types have zero counts.
    pub async fn series_of(
        self,
        filter: &Filter,
        types: [bool; 3],
        interval: Interval,
        today: NaiveDate,
    ) -> Result<Versioned<Result<Vec<Point>, TooLong>>> {
        let places = &self.store.places;
        self.store
            .read_shown(move |tx| Box::pin(read(tx, places, filter, types, interval, today)))
            .await
    }
}

async fn read(
    tx: &mut Connection,
    places: &SharedPlaceIndex,
    filter: &Filter,
    types: [bool; 3],
    interval: Interval,
    today: NaiveDate,
) -> Result<Result<Vec<Point>, TooLong>> {
    let scopes = places.scopes(tx, &filter.place).await?;
    let (from, to) = ends(tx, &scopes, filter, types, interval, today).await?;
    let length = if from <= to { interval::count(interval, from, to) } else { 0 };
    if length > MAX_POINTS {
        let few = |interval: &Interval| interval::count(*interval, from, to) <= MAX_POINTS;
        let fits = Interval::ALL.into_iter().find(few);
        return Ok(Err(TooLong { interval, from, to, points: length, fits }));
    }
    let first = interval::number(interval, from);
    let mut points: Vec<Point> = (first..first + length)
        .map(|number| {
            let (begin, end) = interval::days(interval, number);
            Point { from: begin.max(from), to: end.min(to), by_type: [0; 3] }
        })
        .collect();
    let spans = Span::cover_up_to(interval::grain(interval), from, to);
    rollup::read_buckets(tx, &scopes, &spans, |bucket, counts| {
        let (day, _) = bucket.grain.days(bucket.number);
        let index = usize::try_from(interval::number(interval, day) - first);
        let point = index.ok().and_then(|index| points.get_mut(index));
        point.into_iter().for_each(|point| point.add(of_types(counts, types)));
    })
    .await?;
    Ok(Ok(points))
}

impl Point {
    fn add(&mut self, counts: Counts) {
        for (sum, count) in self.by_type.iter_mut().zip(counts) {
            *sum += count.cast_unsigned();
        }
    }
}

/// Returns the first and last day of the series.
async fn ends(
    tx: &mut Connection,
    scopes: &[i64],
    filter: &Filter,
    types: [bool; 3],
    interval: Interval,
    today: NaiveDate,
) -> Result<(NaiveDate, NaiveDate)> {
    let (earliest, latest) = filter.period.ends();
    let to = match filter.period.to {
        Some(to) => to,
        None => {
            let last = outermost(tx, scopes, types, (earliest, latest), i64::max).await?;
            let at_least = filter.period.from.map_or(today, |from| from.max(today));
            last.map_or(at_least, |last| last.max(at_least))
        }
    };
    let from = match filter.period.from {
        Some(from) => from,
        None => {
            let first = outermost(tx, scopes, types, (earliest, latest), i64::min).await?;
            let (begin, _) =
                interval::days(interval, interval::number(interval, first.unwrap_or(to)));
            begin.max(earliest)
        }
    };
    Ok((from, to))
}

/// Returns the first or last day with reports of `types` within a period; `outer` is `min` or `max`. Searches
/// its year first, then its month, then the day.
async fn outermost(
    tx: &mut Connection,
    scopes: &[i64],
    types: [bool; 3],
    mut within: (NaiveDate, NaiveDate),
    outer: fn(i64, i64) -> i64,
) -> Result<Option<NaiveDate>> {
    for grain in [Grain::Year, Grain::Month, Grain::Day] {
        let (first, last) = (grain.bucket(within.0), grain.bucket(within.1));
        let mut found: Option<i64> = None;
        let each = |Bucket { number, .. }, counts| {
            if of_types(counts, types) != Counts::default() {
                found = Some(found.map_or(number, |found| outer(found, number)));
            }
        };
        rollup::read_buckets(tx, scopes, &[Span { grain, first, last }], each).await?;
        let Some(found) = found else { return Ok(None) };
        let (first, last) = grain.days(found);
        within = (within.0.max(first), within.1.min(last));
    }
    Ok(Some(within.0))
}
