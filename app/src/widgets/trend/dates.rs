//! Dates of points: at first as the server formats them, then in the visitor's locale.

use super::words::{LAST_DAYS, LAST_MONTHS};
use crate::words::Wording;
use js_sys::Date;
use kit::time::date_in;
use model::{Interval, Series, SeriesPoint};
use wasm_bindgen::JsValue;

/// Date of the first point, for the start of the axis. Reactive.
pub(super) fn first(series: &Series, wording: Wording) -> String {
    end(&series.from, series.interval, wording)
}

/// Date of the last point, for the end of the axis. Reactive.
pub(super) fn last(series: &Series, wording: Wording) -> String {
    end(&series.to, series.interval, wording)
}

/// Name of the whole period: "Last 30 days", or its first and last date. `is_recent` is whether the
/// service chose the period. Reactive.
pub(super) fn period(series: &Series, is_recent: bool, wording: Wording) -> String {
    match (is_recent, series.interval) {
        (true, Interval::Day) => wording.text(LAST_DAYS),
        (true, Interval::Month) => wording.text(LAST_MONTHS),
        _ => [&first(series, wording), " – ", &last(series, wording)].concat(),
    }
}

/// Date or dates of a point. Reactive.
pub(super) fn of_point(point: &SeriesPoint, interval: Interval, wording: Wording) -> String {
    let from = end(&point.from, interval, wording);
    match interval {
        Interval::Week if point.from != point.to => {
            [&from, " – ", &end(&point.to, interval, wording)].concat()
        }
        _ => from,
    }
}

fn end(date: &str, interval: Interval, wording: Wording) -> String {
    if wording.is_localised() { localised(date, interval) } else { neutral_end(date, interval) }
}

/// A date with the precision of an interval: `2026-03-01`, `2026-03`, `2026`.
pub(crate) fn neutral_end(date: &str, interval: Interval) -> String {
    let length = match interval {
        Interval::Day | Interval::Week => 10,
        Interval::Month => 7,
        Interval::Year => 4,
    };
    date.get(..length).unwrap_or(date).to_owned()
}

fn localised(date: &str, interval: Interval) -> String {
    let form = match interval {
        Interval::Day | Interval::Week => {
            r#"{"day":"numeric","month":"short","year":"numeric","timeZone":"UTC"}"#
        }
        Interval::Month => r#"{"month":"short","year":"numeric","timeZone":"UTC"}"#,
        Interval::Year => r#"{"year":"numeric","timeZone":"UTC"}"#,
    };
    // A date without a time is midnight UTC.
    date_in(form, &Date::new(&JsValue::from_str(date)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_said_as_far_as_it_matters() {
        let said = Interval::ALL.map(|interval| neutral_end("2026-03-02", interval));
        assert_eq!(said, ["2026-03-02", "2026-03-02", "2026-03", "2026"]);
    }
}
