//! Intervals by number. Consecutive intervals have consecutive numbers.

use base::time::{date_of_day, day_number};
use chrono::NaiveDate;
use model::Interval;

use super::grain::Grain;

/// Last Monday before 1970-01-01, in days since that date.
const MONDAY: i64 = -3;

/// Returns the widest grain from which intervals can be composed.
pub(super) const fn grain(interval: Interval) -> Grain {
    match interval {
        Interval::Day | Interval::Week => Grain::Day,
        Interval::Month => Grain::Month,
        Interval::Year => Grain::Year,
    }
}

/// Returns the number of the interval that contains a date.
pub(super) fn number(interval: Interval, date: NaiveDate) -> i64 {
    match interval {
        Interval::Week => (day_number(date) - MONDAY).div_euclid(7),
        _ => grain(interval).bucket(date),
    }
}

/// Returns the number of intervals from one day to another, both inclusive.
pub fn count(interval: Interval, from: NaiveDate, to: NaiveDate) -> i64 {
    number(interval, to) - number(interval, from) + 1
}

/// Returns the first and last day of an interval.
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
