//! Parser for ISO 8601 date-times from clients and files.

use chrono::{
    DateTime, Datelike, FixedOffset, NaiveDate, NaiveTime, Offset, TimeDelta, TimeZone, Utc,
};

/// Parses an ISO 8601 date and time, in the extended (`2026-03-01T12:00:00Z`) or the basic format
/// (`20260301T120000Z`). Seconds may have a fraction; seconds, or minutes and seconds, may be
/// omitted. The offset is `Z`, `+02`, `+0200` or `+02:00`; without an offset, the instant is UTC.
/// Week dates, ordinal dates and fractions of hours or minutes are not supported.
pub fn parse_instant(text: &str) -> Option<DateTime<Utc>> {
    let mut rest = Reader(text);
    // As in RFC 3339, a space may separate date and time, but not in the basic format.
    let (dash, colon, separators) = match text.as_bytes().get(4) {
        Some(b'-') => ("-", ":", ['T', 't', ' ']),
        _ => ("", "", ['T', 't', 'T']),
    };
    let year = rest.number(4)?;
    let month = rest.text(dash).and_then(|()| rest.number(2))?;
    let day = rest.text(dash).and_then(|()| rest.number(2))?;
    let mut date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    rest.any_of(&separators)?;

    let mut hour = rest.number(2)?;
    let (mut minute, mut second, mut nano) = (0, 0, 0);
    if rest.has_digit_after(colon) {
        minute = rest.text(colon).and_then(|()| rest.number(2))?;
        if rest.has_digit_after(colon) {
            second = rest.text(colon).and_then(|()| rest.number(2))?;
            if rest.any_of(&['.', ',']).is_some() {
                nano = rest.fraction()?;
            }
        }
    }
    if (hour, minute, second, nano) == (24, 0, 0, 0) {
        (date, hour) = (date.succ_opt()?, 0);
    }
    // A leap second is the instant after it, as in POSIX time.
    let leap = i64::from(second == 60);
    second -= u32::from(second == 60);
    let time = NaiveTime::from_hms_nano_opt(hour, minute, second, nano)?;
    let offset = rest.offset()?;
    let instant = offset.from_local_datetime(&date.and_time(time)).single()?.to_utc();
    let instant = instant.checked_add_signed(TimeDelta::seconds(leap))?;
    // The offset may move the instant out of the supported years.
    (0..=9_999).contains(&instant.year()).then_some(instant)
}

/// The rest of the text.
struct Reader<'a>(&'a str);

impl Reader<'_> {
    /// Reads a number of exactly `digits` digits.
    fn number(&mut self, digits: usize) -> Option<u32> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.0 = rest;
        number.parse().ok()
    }

    fn text(&mut self, text: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(text)?;
        Some(())
    }

    fn any_of(&mut self, characters: &[char]) -> Option<char> {
        let first = self.0.chars().next().filter(|first| characters.contains(first))?;
        self.0 = &self.0[first.len_utf8()..];
        Some(first)
    }

    fn has_digit_after(&self, text: &str) -> bool {
        let rest = self.0.strip_prefix(text);
        rest.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    }

    /// Reads the digits after a decimal mark, in billionths. Digits after the ninth are ignored.
    fn fraction(&mut self) -> Option<u32> {
        let end = self.0.find(|other: char| !other.is_ascii_digit()).unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        let kept = &digits[..end.min(9)];
        Some(kept.parse::<u32>().ok()? * 10_u32.pow(9 - u32::try_from(kept.len()).ok()?))
    }

    /// Reads the offset up to the end of the text. ISO 8601 prefers the minus sign U+2212 to the
    /// hyphen.
    fn offset(&mut self) -> Option<FixedOffset> {
        let sign = match self.any_of(&['Z', 'z', '+', '-', '\u{2212}']) {
            Some('+') => 1,
            Some('-' | '\u{2212}') => -1,
            _ => return self.0.is_empty().then_some(Utc.fix()),
        };
        let hours = self.number(2)?;
        let minutes = match self.0 {
            "" => 0,
            _ => {
                _ = self.text(":");
                self.number(2)?
            }
        };
        let is_valid = self.0.is_empty() && hours < 24 && minutes < 60;
        let seconds = i32::try_from(hours * 3_600 + minutes * 60).ok()?;
        is_valid.then(|| FixedOffset::east_opt(sign * seconds)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::format_instant;

    fn written(text: &str) -> Option<String> {
        parse_instant(text).map(format_instant)
    }

    #[test]
    fn instants_are_read_in_the_forms_of_iso_8601() {
        for (text, instant) in [
            ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01t12:00:00z", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01 12:00:00", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01T14:00:00.000+02:00", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01T14:00:00+0200", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01T14:00:00+02", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01T12:00:00+0000", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01T12:00:00-00:00", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01T08:30:00\u{2212}03:30", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01T12:00", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01T12:00Z", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01T12Z", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01T12", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01T12:00:00,25Z", "2026-03-01T12:00:00.250Z"),
            ("2026-03-01T12:00:00.123456789123Z", "2026-03-01T12:00:00.123Z"),
            ("20260301T120000Z", "2026-03-01T12:00:00.000Z"),
            ("20260301T120000.5Z", "2026-03-01T12:00:00.500Z"),
            ("20260301T140000+0200", "2026-03-01T12:00:00.000Z"),
            ("20260301T140000+02:00", "2026-03-01T12:00:00.000Z"),
            ("20260301T1400+02", "2026-03-01T12:00:00.000Z"),
            ("20260301T12Z", "2026-03-01T12:00:00.000Z"),
            ("20260301T120000", "2026-03-01T12:00:00.000Z"),
            ("2026-02-28T24:00:00Z", "2026-03-01T00:00:00.000Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
            ("2016-12-31T20:59:60-03:00", "2017-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(written(text).as_deref(), Some(instant), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_and_time_is_refused() {
        for text in [
            "",
            "yesterday",
            "1700000000",
            "2026-03-01",
            "20260301",
            "2026-03-01T",
            "2026-02-30T12:00:00Z",
            "2026-03-01T25:00:00Z",
            "2026-03-01T24:00:01Z",
            "2026-03-01T12:60:00Z",
            "2026-03-01T12:00:61Z",
            "2026-03-01T12:00:00.Z",
            "2026-03-01T12:00:Z",
            "2026-03-01T12:0",
            "2026-3-1T12:00:00Z",
            "2026-03-01T12:00:00+24:00",
            "2026-03-01T12:00:00+02:60",
            "2026-03-01T12:00:00+2",
            "2026-03-01T12:00:00+02:",
            "2026-03-01T12:00:00+02:00:00",
            "2026-03-01T12:00:00ZZ",
            "2026-03-01T12:00:00 Z",
            "2026-03-01T120000Z",
            "20260301T12:00:00Z",
            "20260301 120000Z",
            "202603-01T120000Z",
            "2026-W09-7T12:00:00Z",
            "2026-060T12:00:00Z",
            "+2026-03-01T12:00:00Z",
            "２０２６-03-01T12:00:00Z",
            "2026-03-01T12:00:00é",
        ] {
            assert_eq!(written(text), None, "{text}");
        }
    }
}
