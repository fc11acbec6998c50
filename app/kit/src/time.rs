//! Formats times.

use crate::{
    dom::{page_lang, use_media},
    number::{ForPage, locale, options},
    signals::{Var, cleanup, effect, later},
};
use js_sys::{
    Array, Date, Function,
    Intl::{DateTimeFormat, RelativeTimeFormat},
    Object,
};
use leptos::leptos_dom::helpers::set_interval_with_handle;
use std::{rc::Rc, thread::LocalKey, time::Duration};
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

/// Time between two updates of times in minutes, in milliseconds.
const MINUTE_HAND: f64 = 15_000.0;

thread_local! {
    static RELATIVE: ForPage<RelativeTimeFormat> = ForPage::default();
    static DATE: ForPage<Function> = ForPage::default();
    /// Format of seconds, and of all times in Arabic.
    static NARROW: ForPage<RelativeTimeFormat> = ForPage::default();
}

/// The current time, in milliseconds since 1970, updated every second while `newest`, an instant, is
/// less than a minute old, and else four times a minute. `None` where relative times would become
/// wrong: on the server, in the browser until the first render is over, and in print.
#[inline]
pub fn use_now(newest: impl Fn() -> String + 'static) -> Var<Option<f64>> {
    use_boxed_now(Box::new(newest))
}

fn use_boxed_now(newest: Box<dyn Fn() -> String>) -> Var<Option<f64>> {
    let newest = Rc::new(newest);
    let now = Var::new(None);
    let printing = use_media("print");
    effect(move |_| {
        if printing.get() {
            return now.set(None);
        }
        later(move || now.set(Some(Date::now())));
        let newest = newest.clone();
        let tick = move || {
            let time = Date::now();
            let is_due = |last: f64| time - last > MINUTE_HAND - 500.0;
            if now.get_untracked().is_none_or(is_due) || time - Date::parse(&newest()) < 61_000.0 {
                now.set(Some(time));
            }
        };
        boxed_every(Duration::from_secs(1), Box::new(tick));
    });
    now
}

/// Calls `run` at intervals, until the owner of the calling effect is cleaned up. Browser only.
#[inline]
pub fn every(interval: Duration, run: impl Fn() + 'static) {
    boxed_every(interval, Box::new(run));
}

fn boxed_every(interval: Duration, run: Box<dyn Fn()>) {
    if let Ok(interval) = set_interval_with_handle(run, interval) {
        cleanup(move || interval.clear());
    }
}

/// Formats an instant relative to now: "3 min. ago"; or a date, in days: "yesterday". `None` if it
/// is neither.
pub fn relative(instant: &str, now: f64) -> Option<String> {
    let age = (now - Date::parse(instant)) / 1_000.0;
    // The time of day of a date is unknown.
    let is_day = instant.len() == DAY;
    // A slow clock must not lead to a time in the future.
    let age = if is_day && age < 86_400.0 { 0.0 } else { age.max(0.0) };
    let least = if is_day { (86_400.0, "day") } else { (1.0, "second") };
    let unit = UNITS.into_iter().find(|(least, _)| age >= *least).unwrap_or(least);
    let count = (age / unit.0).floor();
    // An invalid date has no age.
    (!age.is_nan()).then(|| {
        // In Arabic, the short form of a past of three to ten months is "within 5 months", and in French
        // the narrow form is a negative number: "-12 s" (both CLDR 48).
        let lang = page_lang();
        match lang == "ar" || unit.1 == "second" && lang != "fr" {
            true => format(&NARROW, r#"{"numeric":"auto","style":"narrow"}"#, count, unit.1),
            false => short(count, unit.1),
        }
    })
}

/// Formats a time before now: "3 min. ago", "yesterday".
fn short(count: f64, unit: &str) -> String {
    format(&RELATIVE, r#"{"numeric":"auto","style":"short"}"#, count, unit)
}

fn format(
    cached: &'static LocalKey<ForPage<RelativeTimeFormat>>,
    form: &str,
    count: f64,
    unit: &str,
) -> String {
    let format = cached.with(|cached| cached.get(form, RelativeTimeFormat::new));
    JsValue::from(format.format(-count, unit)).as_string().unwrap_or_default()
}

/// Day of an instant or a date on the visitor's calendar, as a number that grows by one each day.
pub fn day(instant: &str) -> f64 {
    number_of_day(&local(instant))
}

/// Name of the day of an instant or a date: "today", "yesterday", or its date.
pub fn day_name(instant: &str, now: f64) -> String {
    let date = local(instant);
    let age = number_of_day(&Date::new(&JsValue::from_f64(now))) - number_of_day(&date);
    match age <= 1.0 {
        true => short(age.max(0.0), "day"),
        false => date_in(r#"{"dateStyle":"medium"}"#, &date),
    }
}

/// Formats a date with these options of `Intl.DateTimeFormat`.
pub fn date_in(form: &str, date: &Date) -> String {
    let build = |locale: &Array, options: &Object| DateTimeFormat::new(locale, options).format();
    let format = DATE.with(|cached| cached.get(form, build));
    let text = format.call1(&JsValue::UNDEFINED, date).unwrap_or_default();
    text.as_string().unwrap_or_default()
}

/// The instant; of a date, its midnight on the visitor's clock.
fn local(instant: &str) -> Date {
    let midnight = if instant.len() == DAY { "T00:00" } else { "" };
    Date::new(&JsValue::from_str(&[instant, midnight].concat()))
}

fn number_of_day(date: &Date) -> f64 {
    ((date.get_time() / 60_000.0 - date.get_timezone_offset()) / 1_440.0).floor()
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

/// Time of day on the visitor's clock, for a time in milliseconds since 1970.
pub fn clock(milliseconds: f64) -> String {
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
