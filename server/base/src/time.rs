//! Dates and instants: how they are written on the wire and numbered in the store.

mod instant;
mod timestamp;

use chrono::{DateTime, Datelike, NaiveDate, SecondsFormat, TimeDelta, Utc};

pub use self::{instant::parse_instant, timestamp::Timestamp};

/// ISO 8601, UTC, milliseconds and `Z`: `2026-03-01T12:00:00.000Z`.
pub fn format_instant(instant: DateTime<Utc>) -> String {
    instant.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// A date written `YYYY-MM-DD`, ten characters, in the Gregorian calendar from the year 1.
pub fn parse_date(text: &str) -> Option<NaiveDate> {
    let date: NaiveDate = text.parse().ok()?;
    // chrono reads other spellings, too.
    ((1..=9_999).contains(&date.year()) && date.to_string() == text).then_some(date)
}

/// Days since 1970-01-01.
pub fn day_number(date: NaiveDate) -> i64 {
    i64::from(date.num_days_from_ce()) - UNIX_EPOCH_FROM_CE
}

/// The date that is `day` days after 1970-01-01; out of chrono's range, its nearest end.
pub fn date_of_day(day: i64) -> NaiveDate {
    let epoch = DateTime::UNIX_EPOCH.date_naive();
    let end = if day < 0 { NaiveDate::MIN } else { NaiveDate::MAX };
    TimeDelta::try_days(day).and_then(|days| epoch.checked_add_signed(days)).unwrap_or(end)
}

/// The instant `millis` milliseconds after 1970-01-01T00:00:00Z; out of range, the epoch itself.
pub fn instant_of_millis(millis: i64) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(millis).unwrap_or(DateTime::UNIX_EPOCH)
}

/// 0001-01-01T00:00:00Z in milliseconds from 1970: the first instant that can be written.
pub const FIRST_MILLI: i64 = (1 - UNIX_EPOCH_FROM_CE) * 86_400_000;

/// 1970-01-01 counted in days from 0001-01-01, which is day 1.
const UNIX_EPOCH_FROM_CE: i64 = 719_163;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_ten_characters_and_exist() {
        for good in ["2024-02-29", "0001-01-01", "9999-12-31"] {
            assert_eq!(parse_date(good).map(|date| date.to_string()).as_deref(), Some(good));
        }
        for bad in ["2023-02-29", "2024-2-1", "24-02-01", "2024/02/01", "2024-02-01 ", "0000-01-01"]
        {
            assert_eq!(parse_date(bad), None, "{bad}");
        }
        for bad in ["", "+024-01-01", "２０２４", "2024-13-01", "2024-00-10", "2024-04-31"] {
            assert_eq!(parse_date(bad), None, "{bad}");
        }
    }

    #[test]
    fn day_numbers_count_from_the_unix_epoch_and_back() {
        for (text, number) in [("1970-01-01", 0), ("1969-12-31", -1), ("2000-03-01", 11_017)] {
            let date = parse_date(text).unwrap();
            assert_eq!(day_number(date), number);
            assert_eq!(date_of_day(number), date);
        }
    }
}
