//! Formats dates and times in UTC.

use super::{
    common::{COMMA, DATE, MONTHS},
    words,
};
use kit::words::Words;

/// Length of a date, `YYYY-MM-DD`, in characters.
const DAY: usize = 10;

/// Formats an instant to the minute: `5 Jan 2026, 13:02`.
pub fn minute(instant: &str) -> String {
    minute_in(&words(), instant)
}

/// [`minute`] in the language of the words.
pub fn minute_in(words: &Words, instant: &str) -> String {
    match (instant.get(..DAY), instant.get(DAY + 1..DAY + 6)) {
        (Some(day), Some(time)) => [&*date_in(words, day), words.text(COMMA), time].concat(),
        _ => instant.to_owned(),
    }
}

/// Formats an instant to the second: `5 Jan 2026, 13:02:59`.
#[cfg(feature = "ssr")]
pub(crate) fn second(instant: &str) -> String {
    [&*minute(instant), instant.get(DAY + 6..DAY + 9).unwrap_or_default()].concat()
}

/// Formats a date, `YYYY-MM-DD`: `5 Jan 2026`.
pub fn date(day: &str) -> String {
    date_in(&words(), day)
}

/// [`date`] in the language of the words.
pub fn date_in(words: &Words, day: &str) -> String {
    let parts = (day.get(..4), day.get(5..7), day.get(8..DAY));
    let (Some(year), Some(month), Some(number)) = parts else { return day.to_owned() };
    let digit = |sum: usize, digit: u8| 10 * sum + usize::from(digit.wrapping_sub(b'0'));
    let month = month.bytes().fold(0, digit).wrapping_sub(1);
    match words.item(MONTHS, month) {
        "" => day.to_owned(),
        month => {
            let number = number.strip_prefix('0').unwrap_or(number);
            words.with(DATE, &[("day", number), ("month", month), ("year", year)])
        }
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;
    use kit::lang::Lang;

    #[test]
    fn an_instant_is_a_day_and_a_minute() {
        assert_eq!(minute("2026-01-05T13:02:59.000Z"), "5 Jan 2026, 13:02");
        assert_eq!(minute("2026-12-31T00:00:00.000Z"), "31 Dec 2026, 00:00");
        assert_eq!(date("2026-09-10"), "10 Sep 2026");
        assert_eq!(second("2026-01-05T13:02:59.000Z"), "5 Jan 2026, 13:02:59");
        for other in ["", "never", "2026-13-01", "2026-00-01", "2026-01"] {
            assert_eq!([minute(other), date(other)], [other; 2]);
        }
    }

    #[test]
    fn each_language_has_its_names_of_months_and_their_order() {
        for (lang, text) in [
            (Lang::Pt, "5 mar. 2026"),
            (Lang::Es, "5 mar 2026"),
            (Lang::Fr, "5 mars 2026"),
            (Lang::De, "5. März 2026"),
            (Lang::Ar, "5 مارس 2026"),
        ] {
            assert_eq!(date_in(&Words::all(lang), "2026-03-05"), text);
            assert!(!words_missing(lang), "{lang:?}");
        }
    }

    fn words_missing(lang: Lang) -> bool {
        let words = Words::all(lang);
        (0..12).any(|month| words.item(MONTHS, month).is_empty())
            || !words.item(MONTHS, 12).is_empty()
    }
}
