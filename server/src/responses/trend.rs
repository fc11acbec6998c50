//! Period and interval of the trend, chosen so that its points are distinguishable.

use app::contract::EmbedOptions;
use chrono::{Datelike, Days, NaiveDate};
use model::Interval;
use store::{Filter, Period, count_intervals};

use super::view::View;

/// Default length of the period in days.
const DAYS: u64 = 30;
/// Maximum number of points: more are too narrow for a phone.
const MAX_POINTS: i64 = 62;

/// Returns the filter and the interval of a trend with these options: the shortest interval with at most [`MAX_POINTS`]
/// points. The default end is today. If the period has too many years, the trend shows the last ones.
pub(crate) fn selection(options: &EmbedOptions, today: NaiveDate) -> (Filter, Interval) {
    let Filter { period, place } = View::of(options, None).filter;
    let to = period.to.unwrap_or_else(|| today.max(period.from.unwrap_or(today)));
    let (earliest, _) = Period::default().ends();
    let before = |to: NaiveDate| to.checked_sub_days(Days::new(DAYS - 1));
    let from = period.from.or(before(to)).unwrap_or(earliest).max(earliest);
    let fits = |interval: &Interval| count_intervals(*interval, from, to) <= MAX_POINTS;
    let (from, interval) = match Interval::ALL.into_iter().find(fits) {
        Some(interval) => (from, interval),
        None => (last_years(to).unwrap_or(from), Interval::Year),
    };
    (Filter { period: Period { from: Some(from), to: Some(to) }, place }, interval)
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
