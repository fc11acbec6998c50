//! Times for reading.

use crate::{
    dom::use_media,
    number::{ForPage, locale, options},
    reactive::{Var, cleanup, effect},
};
use js_sys::{Date, Intl::RelativeTimeFormat};
use leptos::leptos_dom::helpers::set_interval_with_handle;
use std::time::Duration;
use wasm_bindgen::JsValue;

/// From which age on, in seconds, a time is told in which unit.
const UNITS: [(f64, &str); 6] = [
    (31_557_600.0, "year"),
    (2_629_800.0, "month"),
    (86_400.0, "day"),
    (3_600.0, "hour"),
    (60.0, "minute"),
    (1.0, "second"),
];

/// Characters of a date, `YYYY-MM-DD`.
const DAY: usize = 10;

thread_local! {
    static RELATIVE: ForPage<RelativeTimeFormat> = ForPage::default();
}

/// The time now, in milliseconds since 1970, renewed every `period`. `None` wherever times must not
/// grow old: on the server, in the browser until the first render is over, and on paper.
pub(crate) fn use_now(period: Duration) -> Var<Option<f64>> {
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

/// An instant of the API as one says it: "3 min. ago"; a date by days: "yesterday". `None` where it is
/// neither.
pub(crate) fn relative(instant: &str, now: f64) -> Option<String> {
    let age = (now - Date::parse(instant)) / 1_000.0;
    // Of a day it is not known when.
    let is_day = instant.len() == DAY;
    // A clock that is behind must not speak of the future; a minute is not worth counting down.
    let age = if age < 60.0 || is_day && age < 86_400.0 { 0.0 } else { age };
    let least = if is_day { (86_400.0, "day") } else { (1.0, "second") };
    let unit = UNITS.into_iter().find(|(least, _)| age >= *least).unwrap_or(least);
    let count = (age / unit.0).floor();
    // Not a number is no instant.
    (!age.is_nan()).then(|| {
        let options = || options(r#"{"numeric":"auto","style":"short"}"#);
        let format = RELATIVE
            .with(|format| format.get(|locale| RelativeTimeFormat::new(locale, &options())));
        JsValue::from(format.format(-count, unit.1)).as_string().unwrap_or_default()
    })
}

/// An instant of the API for a page that will not be renewed, so that it must not grow old: today's
/// by the clock, others by the day.
pub(crate) fn standing(instant: &str, today: &str) -> String {
    match instant.split_at_checked(DAY) {
        Some((day, rest)) if day == today && !rest.is_empty() => {
            [rest.get(1..6).unwrap_or_default(), " UTC"].concat()
        }
        Some((day, _)) => day.to_owned(),
        None => String::new(),
    }
}

/// What the visitor's clock shows at a time in milliseconds since 1970.
pub(crate) fn clock(milliseconds: f64) -> String {
    let date = Date::new(&JsValue::from_f64(milliseconds));
    let options = options(r#"{"hour":"numeric","minute":"2-digit"}"#);
    date.to_locale_time_string_with_options(&locale(), &options).into()
}

#[cfg(test)]
mod tests {
    use super::standing;

    #[test]
    fn a_standing_time_is_todays_clock_or_another_day() {
        assert_eq!(standing("2026-01-05T13:02:00.000Z", "2026-01-05"), "13:02 UTC");
        assert_eq!(standing("2025-12-31T23:59:00.000Z", "2026-01-05"), "2025-12-31");
        assert_eq!(standing("2026-01-05", "2026-01-05"), "2026-01-05");
        assert_eq!(standing("", "2026-01-05"), "");
    }
}
