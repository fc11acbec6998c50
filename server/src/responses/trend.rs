//! Period and interval of the trend, chosen so that its points are distinguishable.

use std::sync::Arc;

use app::contract::EmbedOptions;
use chrono::{Datelike, Days, Months, NaiveDate};
use model::Interval;
use store::{Filter, Period, count_intervals};

use super::{ResponseCache, SeriesResponse, cache::Cached, snapshot::Snapshot, view::View};

/// Length of the default period in days.
const DAYS: u64 = 30;
/// Length in months if those days have no reports.
const MONTHS: u32 = 12;
/// Maximum number of points: more are too narrow for a phone.
const MAX_POINTS: i64 = 62;

/// Period and place of a trend, and the interval of its points.
type Selection = (Filter, Interval);

/// Returns the series of a trend with these options. Without a period in the options, it is the first of these that
/// has reports: the last [`DAYS`], the last [`MONTHS`], the years since the first report.
pub(crate) async fn series(
    responses: &ResponseCache,
    snapshot: &Arc<Snapshot>,
    options: &EmbedOptions,
) -> Cached<SeriesResponse> {
    let first = last_days(responses, snapshot, options).await?;
    if !options.period().is_open() || has_reports(&first) {
        return Ok(first);
    }
    for (filter, interval) in wider(options, snapshot.today) {
        let wider = responses.series_at(snapshot.clone(), filter, interval).await?;
        if has_reports(&wider) {
            return Ok(wider);
        }
    }
    Ok(first)
}

/// Returns the series of the period in the options, else of the last [`DAYS`].
pub(crate) async fn last_days(
    responses: &ResponseCache,
    snapshot: &Arc<Snapshot>,
    options: &EmbedOptions,
) -> Cached<SeriesResponse> {
    let (filter, interval) = selection(options, snapshot.today);
    responses.series_at(snapshot.clone(), filter, interval).await
}

/// Whether the series has reports, and few enough points.
fn has_reports(series: &SeriesResponse) -> bool {
    series.as_ref().is_ok_and(|series| {
        let points = &series.value.points;
        points.len() as i64 <= MAX_POINTS && points.iter().any(|point| point.total > 0)
    })
}

/// Returns the filter and the interval of a trend with these options.
pub(crate) fn selection(options: &EmbedOptions, today: NaiveDate) -> Selection {
    let Filter { period, place } = View::of(options, None).filter;
    let (from, to, interval) = fitting(period, today);
    (Filter { period: Period { from: Some(from), to: Some(to) }, place }, interval)
}

/// Returns longer periods than the default one, in the order in which they are tried.
fn wider(options: &EmbedOptions, today: NaiveDate) -> Vec<Selection> {
    let Filter { place, .. } = View::of(options, None).filter;
    let month =
        today.with_day(1).and_then(|first| first.checked_sub_months(Months::new(MONTHS - 1)));
    let periods = [
        (month, Interval::Month),
        // From the first report on.
        (None, Interval::Year),
        (last_years(today), Interval::Year),
    ];
    let of = |(from, interval)| {
        (Filter { period: Period { from, to: Some(today) }, place: place.clone() }, interval)
    };
    periods.map(of).into()
}

/// Returns the first and last day and the shortest interval with at most [`MAX_POINTS`] points. The default end is
/// today. If the period has too many years, the trend shows the last ones.
fn fitting(period: Period, today: NaiveDate) -> (NaiveDate, NaiveDate, Interval) {
    let to = period.to.unwrap_or_else(|| today.max(period.from.unwrap_or(today)));
    let (earliest, _) = Period::default().ends();
    let before = |to: NaiveDate| to.checked_sub_days(Days::new(DAYS - 1));
    let from = period.from.or(before(to)).unwrap_or(earliest).max(earliest);
    let fits = |interval: &Interval| count_intervals(*interval, from, to) <= MAX_POINTS;
    match Interval::ALL.into_iter().find(fits) {
        Some(interval) => (from, to, interval),
        None => (last_years(to).unwrap_or(from), to, Interval::Year),
    }
}

/// Returns the first day of the last [`MAX_POINTS`] years.
fn last_years(to: NaiveDate) -> Option<NaiveDate> {
    let year = i64::from(to.year()) - MAX_POINTS + 1;
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, 1, 1)
}

#[cfg(test)]
mod tests {
    use base::time::parse_date;

    use super::*;

    #[test]
    fn a_period_has_an_interval_that_can_be_drawn() {
        let today = parse_date("2026-03-01").unwrap();
        for (query, from, to, interval) in [
            ("", "2026-01-31", "2026-03-01", Interval::Day),
            ("to=2025-01-30", "2025-01-01", "2025-01-30", Interval::Day),
            ("from=2026-02-28", "2026-02-28", "2026-03-01", Interval::Day),
            ("from=2026-12-31", "2026-12-31", "2026-12-31", Interval::Day),
            ("from=2025-12-30", "2025-12-30", "2026-03-01", Interval::Day),
            ("from=2025-12-29", "2025-12-29", "2026-03-01", Interval::Week),
            ("from=2025-01-01&to=2025-12-31", "2025-01-01", "2025-12-31", Interval::Week),
            ("from=2021-02-01", "2021-02-01", "2026-03-01", Interval::Month),
            ("from=2021-01-31", "2021-01-31", "2026-03-01", Interval::Year),
            ("from=0001-01-01", "1965-01-01", "2026-03-01", Interval::Year),
            ("to=0001-01-01", "0001-01-01", "0001-01-01", Interval::Day),
        ] {
            let (filter, chosen) = selection(&EmbedOptions::from_query(query), today);
            let Period { from: Some(first), to: Some(last) } = filter.period else {
                panic!("{query} is open");
            };
            assert_eq!(
                (first.to_string(), last.to_string(), chosen),
                (from.to_owned(), to.to_owned(), interval),
                "{query}"
            );
            assert!(count_intervals(chosen, first, last) <= MAX_POINTS, "{query}");
        }
    }
}
