//! Intervals by their numbers: neighbouring intervals have neighbouring numbers.

use base::time::{date_of_day, day_number};
use chrono::NaiveDate;
use model::Interval;

use super::grain::Grain;

/// The day before 1970-01-01 that is a Monday, in days from there.
const MONDAY: i64 = -3;

/// The widest buckets of which intervals consist.
pub(super) const fn grain(interval: Interval) -> Grain {
    match interval {
        Interval::Day | Interval::Week => Grain::Day,
        Interval::Month => Grain::Month,
        Interval::Year => Grain::Year,
    }
}

/// The number of the interval that a date is in.
pub(super) fn number(interval: Interval, date: NaiveDate) -> i64 {
    match interval {
        Interval::Week => (day_number(date) - MONDAY).div_euclid(7),
        _ => grain(interval).bucket(date),
    }
}

/// How many intervals there are from a day to another, both inclusive.
pub fn count(interval: Interval, from: NaiveDate, to: NaiveDate) -> i64 {
    number(interval, to) - number(interval, from) + 1
}

/// The first and the last day of an interval.
pub(super) fn days(interval: Interval, number: i64) -> (NaiveDate, NaiveDate) {
    match interval {
        Interval::Week => {
            let monday = number * 7 + MONDAY;
            (date_of_day(monday), date_of_day(monday + 6))
        }
        _ => grain(interval).days(number),
    }
}

#[cfg(test)]
mod tests {
    use base::time::parse_date;

    use super::*;

    #[test]
    fn a_date_is_in_the_interval_of_its_number() {
        for (interval, date, first, last) in [
            (Interval::Day, "2024-02-29", "2024-02-29", "2024-02-29"),
            (Interval::Week, "2024-12-31", "2024-12-30", "2025-01-05"),
            (Interval::Week, "1970-01-01", "1969-12-29", "1970-01-04"),
            (Interval::Week, "1969-12-28", "1969-12-22", "1969-12-28"),
            (Interval::Week, "0001-01-01", "0001-01-01", "0001-01-07"),
            (Interval::Month, "2024-02-29", "2024-02-01", "2024-02-29"),
            (Interval::Month, "1969-12-01", "1969-12-01", "1969-12-31"),
            (Interval::Year, "2024-02-29", "2024-01-01", "2024-12-31"),
            (Interval::Year, "9999-12-31", "9999-01-01", "9999-12-31"),
        ] {
            let [date, first, last] = [date, first, last].map(|text| parse_date(text).unwrap());
            assert_eq!(days(interval, number(interval, date)), (first, last), "{interval:?}");
        }
    }
}
