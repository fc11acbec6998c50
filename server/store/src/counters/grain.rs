//! Grains of time. A period is divided into as few whole years, months and days as possible: ten
//! years need at most about ninety buckets, regardless of where they start and end.

use base::time::{date_of_day, day_number};
use chrono::{Datelike, NaiveDate};

/// Width of a bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Grain {
    All = 0,
    Year = 1,
    Month = 2,
    Day = 3,
}

impl Grain {
    pub(crate) const ALL: [Grain; 4] = [Grain::All, Grain::Year, Grain::Month, Grain::Day];

    /// Returns the number stored in the `grain` columns.
    pub(crate) const fn number(self) -> i64 {
        self as i64
    }

    /// Returns the bucket of this grain that contains `date`.
    pub(crate) fn bucket(self, date: NaiveDate) -> i64 {
        match self {
            Grain::All => 0,
            Grain::Year => i64::from(date.year()),
            Grain::Month => i64::from(date.year()) * 12 + i64::from(date.month0()),
            Grain::Day => day_number(date),
        }
    }

    /// Returns the first and last day of a bucket.
    pub(super) fn days(self, bucket: i64) -> (NaiveDate, NaiveDate) {
        let month = |number: i64| first_of_month(i32::try_from(number).unwrap_or(i32::MAX));
        match self {
            Grain::All => (NaiveDate::MIN, NaiveDate::MAX),
            Grain::Year => (month(bucket * 12), day_before(month(bucket * 12 + 12))),
            Grain::Month => (month(bucket), day_before(month(bucket + 1))),
            Grain::Day => (date_of_day(bucket), date_of_day(bucket)),
        }
    }
}

/// Consecutive buckets of one grain, both ends inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    pub grain: Grain,
    pub first: i64,
    pub last: i64,
}

impl Span {
    /// Returns the span of all reports, with any date.
    pub(crate) fn all_time() -> Vec<Span> {
        vec![Span { grain: Grain::All, first: 0, last: 0 }]
    }

    /// Returns the span of one day.
    pub(crate) fn day(date: NaiveDate) -> Vec<Span> {
        let day = day_number(date);
        vec![Span { grain: Grain::Day, first: day, last: day }]
    }

    /// Returns the period `from` to `to`, both inclusive, as at most five spans: days and months
    /// before the first whole year, the whole years, and months and days after the last one.
    pub(crate) fn cover(from: NaiveDate, to: NaiveDate) -> Vec<Span> {
        let mut spans = Vec::with_capacity(5);
        let first = from.year() + i32::from(from.ordinal() != 1);
        let last = to.year() - i32::from((to.month(), to.day()) != (12, 31));
        if first > last {
            cover_months(from, to, &mut spans);
        } else {
            cover_months(from, day_before(first_of_month(first * 12)), &mut spans);
            push(Grain::Year, i64::from(first), i64::from(last), &mut spans);
            cover_months(first_of_month((last + 1) * 12), to, &mut spans);
        }
        spans
    }

    /// Like [`cover`](Self::cover), but without buckets wider than `widest`, so the result may have
    /// more buckets.
    pub(super) fn cover_up_to(widest: Grain, from: NaiveDate, to: NaiveDate) -> Vec<Span> {
        let mut spans = Vec::new();
        match widest {
            Grain::All | Grain::Year => return Self::cover(from, to),
            Grain::Month => cover_months(from, to, &mut spans),
            Grain::Day => push(Grain::Day, day_number(from), day_number(to), &mut spans),
        }
        spans
    }
}

fn cover_months(from: NaiveDate, to: NaiveDate, spans: &mut Vec<Span>) {
    if from > to {
        return;
    }
    let first = month_number(from) + i32::from(from.day() != 1);
    let last = month_number(to) - i32::from(day_before(first_of_month(month_number(to) + 1)) != to);
    if first > last {
        push(Grain::Day, day_number(from), day_number(to), spans);
    } else {
        let (head_end, tail_start) = (first_of_month(first), first_of_month(last + 1));
        push(Grain::Day, day_number(from), day_number(head_end) - 1, spans);
        push(Grain::Month, i64::from(first), i64::from(last), spans);
        push(Grain::Day, day_number(tail_start), day_number(to), spans);
    }
}

fn push(grain: Grain, first: i64, last: i64, spans: &mut Vec<Span>) {
    if first <= last {
        spans.push(Span { grain, first, last });
    }
}

/// Returns the number of months since the year 0.
fn month_number(date: NaiveDate) -> i32 {
    date.year() * 12 + date.month0().cast_signed()
}

fn first_of_month(month: i32) -> NaiveDate {
    let month0 = month.rem_euclid(12).cast_unsigned();
    NaiveDate::from_ymd_opt(month.div_euclid(12), month0 + 1, 1).unwrap_or(NaiveDate::MAX)
}

fn day_before(date: NaiveDate) -> NaiveDate {
    date.pred_opt().unwrap_or(NaiveDate::MIN)
}

#[cfg(test)]
mod tests {
    use base::time::parse_date;
    use proptest::prelude::*;

    use super::*;

    fn date(text: &str) -> NaiveDate {
        parse_date(text).unwrap()
    }

    fn holds(spans: &[Span], day: NaiveDate) -> usize {
        let within = |span: &&Span| {
            let bucket = span.grain.bucket(day);
            span.first <= bucket && bucket <= span.last
        };
        spans.iter().filter(within).count()
    }

    #[test]
    fn ten_years_from_the_middle_of_a_month_are_five_spans() {
        let spans = Span::cover(date("2014-03-17"), date("2024-05-02"));
        let grains: Vec<_> =
            spans.iter().map(|span| (span.grain, span.last - span.first)).collect();
        assert_eq!(
            grains,
            [
                (Grain::Day, 14),
                (Grain::Month, 8),
                (Grain::Year, 8),
                (Grain::Month, 3),
                (Grain::Day, 1)
            ]
        );
    }

    #[test]
    fn whole_years_months_and_days_are_one_span() {
        for (from, to, grain) in [
            ("2020-01-01", "2020-12-31", Grain::Year),
            ("2020-02-01", "2020-02-29", Grain::Month),
            ("2020-02-10", "2020-02-10", Grain::Day),
            ("0001-01-01", "9999-12-31", Grain::Year),
        ] {
            let spans = Span::cover(date(from), date(to));
            assert_eq!(spans.len(), 1, "{from} {to}");
            assert_eq!(spans[0].grain, grain);
        }
        assert_eq!(Span::cover(date("2020-02-10"), date("2020-02-09")), []);
    }

    proptest! {
        #[test]
        fn every_day_of_the_period_is_covered_once_and_no_other(
            from in 10_000i64..20_000, length in 0i64..5_000, probe in 9_000i64..26_000,
        ) {
            let to = from + length;
            let spans = Span::cover(date_of_day(from), date_of_day(to));
            prop_assert!(spans.len() <= 5);
            for day in [from, to, probe] {
                let inside = usize::from((from..=to).contains(&day));
                prop_assert_eq!(holds(&spans, date_of_day(day)), inside);
            }
        }
    }
}
