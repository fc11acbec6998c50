use super::value::{Input, Parsed};
use crate::words::common::{SINCE, UNTIL};
use kit::lang::Lang;

/// A date of the Gregorian calendar, `YYYY-MM-DD`. Dates sort as text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(String);

impl Parsed for Date {
    const INPUT: Input = Input::Date;

    fn parse(text: &str) -> Option<Self> {
        is_date(text).then(|| Self(text.to_owned()))
    }

    fn text(&self) -> String {
        self.0.clone()
    }
}

impl AsRef<str> for Date {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// Whether a period ends before it begins.
pub(super) fn is_reversed(from: &Option<Date>, to: &Option<Date>) -> bool {
    matches!((from, to), (Some(from), Some(to)) if from > to)
}

/// `from=` and `to=`: dates of the shown reports, both inclusive, as in the API.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Period {
    pub from: Option<Date>,
    pub to: Option<Date>,
}

impl Period {
    /// The period for display: `2026-01-01 – 2026-03-31`, `since 2026-01-01`; empty if it is open.
    pub(crate) fn name(&self, lang: Lang) -> String {
        let text = |date: &'_ Option<Date>| date.as_ref().map(|date| date.0.clone());
        match (text(&self.from), text(&self.to)) {
            (None, None) => String::new(),
            (Some(from), None) => format!("{} {from}", SINCE.text(lang)),
            (None, Some(to)) => format!("{} {to}", UNTIL.text(lang)),
            (Some(from), Some(to)) if from == to => from,
            (Some(from), Some(to)) => format!("{from} – {to}"),
        }
    }

    /// Whether the period has neither a start nor an end.
    pub fn is_open(&self) -> bool {
        self.from.is_none() && self.to.is_none()
    }

    /// Whether the period excludes a date, `YYYY-MM-DD`.
    pub(crate) fn excludes(&self, day: &str) -> bool {
        self.from.as_ref().is_some_and(|from| day < &*from.0)
            || self.to.as_ref().is_some_and(|to| day > &*to.0)
    }
}

/// Whether the text is a date of the Gregorian calendar from the year 1 on, written `YYYY-MM-DD`.
fn is_date(text: &str) -> bool {
    let is_written_so = text.len() == 10
        && text.bytes().enumerate().all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !is_written_so {
        return false;
    }
    let number = |range: std::ops::Range<usize>| text[range].parse::<u32>().unwrap_or_default();
    let (year, month, day) = (number(0..4), number(5..7), number(8..10));
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    year > 0 && (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::EmbedOptions;

    fn period(from: &str, to: &str) -> Period {
        EmbedOptions::from_query(&format!("from={from}&to={to}")).period()
    }

    #[test]
    fn only_dates_that_exist_are_dates() {
        for date in ["2026-01-31", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"] {
            assert!(is_date(date), "{date}");
        }
        for text in [
            "",
            "2026-1-1",
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-13-01",
            "2026-00-10",
            "2026-01-00",
            "0000-01-01",
            "2026-01-01T00:00",
            "२०२६-०१",
            "+026-01-01",
        ] {
            assert!(!is_date(text), "{text}");
        }
    }

    #[test]
    fn a_period_that_ends_before_it_begins_is_open() {
        assert_eq!(period("2026-03-01", "2026-01-01"), Period::default());
    }

    #[test]
    fn an_open_end_is_said_in_words() {
        let name = |from, to| period(from, to).name(Lang::De);
        assert_eq!(name("", ""), "");
        assert_eq!(name("2026-01-01", ""), "seit 2026-01-01");
        assert_eq!(name("", "2026-03-31"), "bis 2026-03-31");
        assert_eq!(name("2026-01-01", "2026-03-31"), "2026-01-01 – 2026-03-31");
        assert_eq!(name("2026-01-01", "2026-01-01"), "2026-01-01");
    }

    #[test]
    fn both_ends_are_inside() {
        let march = period("2026-03-01", "2026-03-31");
        for (day, excluded) in [
            ("2026-02-28", true),
            ("2026-03-01", false),
            ("2026-03-31", false),
            ("2026-04-01", true),
        ] {
            assert_eq!(march.excludes(day), excluded, "{day}");
        }
        assert!(!Period::default().excludes("2026-03-01"));
    }
}
