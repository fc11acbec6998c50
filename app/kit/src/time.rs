//! Formats times.

use crate::{
    dom::use_media,
    number::{ForPage, locale, options},
    signals::{Var, cleanup, effect},
};
use js_sys::{Date, Intl::RelativeTimeFormat};
use leptos::leptos_dom::helpers::set_interval_with_handle;
use std::time::Duration;
use wasm_bindgen::JsValue;

/// Minimum age of a time for each unit, in seconds.
const UNITS: [(f64, &str); 6] = [
    (31_557_600.0, "year"),
    (2_629_800.0, "month"),
    (86_400.0, "day"),
    (3_600.0, "hour"),
    (60.0, "minute"),
    (1.0, "second"),
];

/// Length of a date, `YYYY-MM-DD`, in characters.
const DAY: usize = 10;

thread_local! {
    static RELATIVE: ForPage<RelativeTimeFormat> = ForPage::default();
}

/// The current time, in milliseconds since 1970, updated every `period`. `None` where relative
/// times would become wrong: on the server, in the browser until the first render is over, and in
/// print.
pub fn use_now(period: Duration) -> Var<Option<f64>> {
    let now = Var::new(None);
    let printing = use_media("print");
    effect(move |_| {
        if printing.get() {
            return now.set(None);
        }
        now.set(Some(Date::now()));
        if let Ok(interval) = set_interval_with_handle(move || now.set(Some(Date::now())), period) {
            cleanup(move || interval.clear());
        }
    });
    now
}

/// Formats an instant relative to now: "3 min. ago"; or a date, in days: "yesterday". `None` if it
/// is neither.
pub fn relative(instant: &str, now: f64) -> Option<String> {
    let age = (now - Date::parse(instant)) / 1_000.0;
    // The time of day of a date is unknown.
    let is_day = instant.len() == DAY;
    // A slow clock must not lead to a time in the future. Seconds are not worth counting.
    let age = if age < 60.0 || is_day && age < 86_400.0 { 0.0 } else { age };
    let least = if is_day { (86_400.0, "day") } else { (1.0, "second") };
    let unit = UNITS.into_iter().find(|(least, _)| age >= *least).unwrap_or(least);
    let count = (age / unit.0).floor();
    // An invalid date has no age.
    (!age.is_nan()).then(|| {
        let options = || options(r#"{"numeric":"auto","style":"short"}"#);
        let format = RELATIVE
            .with(|format| format.get(|locale| RelativeTimeFormat::new(locale, &options())));
        JsValue::from(format.format(-count, unit.1)).as_string().unwrap_or_default()
    })
}

/// Formats an instant for a page that is not updated: times of today by the clock, others by the
/// date.
pub fn standing(instant: &str, today: &str) -> String {
    match instant.split_at_checked(DAY) {
        Some((day, rest)) if day == today && !rest.is_empty() => {
            [rest.get(1..6).unwrap_or_default(), " UTC"].concat()
        }
        Some((day, _)) => day.to_owned(),
        None => String::new(),
    }
}

/// Formats an instant to the minute: `2026-01-05 13:02 UTC`.
pub fn minute(instant: &str) -> String {
    let minute = instant.get(..DAY + 6).unwrap_or(instant);
    [&*minute.replacen('T', " ", 1), " UTC"].concat()
}

/// Time of day on the visitor's clock, for a time in milliseconds since 1970.
pub fn clock(milliseconds: f64) -> String {
    let date = Date::new(&JsValue::from_f64(milliseconds));
    let options = options(r#"{"hour":"numeric","minute":"2-digit"}"#);
    date.to_locale_time_string_with_options(&locale(), &options).into()
}

#[cfg(test)]
mod tests {
    use super::{minute, standing};

    #[test]
    fn a_standing_time_is_todays_clock_or_another_day() {
        assert_eq!(standing("2026-01-05T13:02:00.000Z", "2026-01-05"), "13:02 UTC");
        assert_eq!(standing("2025-12-31T23:59:00.000Z", "2026-01-05"), "2025-12-31");
        assert_eq!(standing("2026-01-05", "2026-01-05"), "2026-01-05");
        assert_eq!(standing("", "2026-01-05"), "");
    }

    #[test]
    fn an_instant_is_shortened_to_its_minute() {
        assert_eq!(minute("2026-01-05T13:02:59.000Z"), "2026-01-05 13:02 UTC");
    }
}
