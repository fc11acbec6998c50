//! Reads the API's JSON with the browser's own parser, because serde_json would add kilobytes of
//! wasm.

use js_sys::{Array, Reflect};
use model::{Interval, Metrics, Report, ReportType, Series, SeriesPoint};
use wasm_bindgen::{JsCast, JsValue};

/// A member of an object, or `undefined`.
pub fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(name)).unwrap_or_default()
}

/// A string member; empty if it is not a string.
pub fn text(object: &JsValue, name: &str) -> String {
    field(object, name).as_string().unwrap_or_default()
}

/// An array member; empty if it is not an array.
pub fn list(object: &JsValue, name: &str) -> Array {
    field(object, name).dyn_into().unwrap_or_default()
}

/// Reads a metrics object.
pub fn metrics(object: &JsValue) -> Metrics {
    let count = |name: &str| field(object, name).as_f64().unwrap_or_default() as u64;
    Metrics {
        spirit: count("spirit"),
        water: count("water"),
        both: count("both"),
        total: count("total"),
        spirit_today: count("spiritToday"),
        water_today: count("waterToday"),
        both_today: count("bothToday"),
        total_today: count("totalToday"),
        countries: count("countries"),
        cities: count("cities"),
        updated_at: text(object, "updatedAt"),
    }
}

/// Reads a series. `None` if it is invalid, or if this version does not support its interval.
pub fn series(object: &JsValue) -> Option<Series> {
    Some(Series {
        interval: Interval::from_name(&text(object, "interval"))?,
        from: text(object, "from"),
        to: text(object, "to"),
        points: list(object, "points").iter().map(|point| read_point(&point)).collect(),
        updated_at: text(object, "updatedAt"),
    })
}

fn read_point(point: &JsValue) -> SeriesPoint {
    let count = |name: &str| field(point, name).as_f64().unwrap_or_default() as u64;
    SeriesPoint {
        from: text(point, "from"),
        to: text(point, "to"),
        spirit: count("spirit"),
        water: count("water"),
        both: count("both"),
        total: count("total"),
    }
}

/// Reads the reports of a report list. Reports of types that this version does not support are left
/// out.
pub fn reports(object: &JsValue) -> Vec<Report> {
    list(object, "reports").iter().filter_map(|report| read_report(&report)).collect()
}

fn read_report(report: &JsValue) -> Option<Report> {
    Some(Report {
        id: text(report, "id"),
        city: text(report, "city"),
        country: text(report, "country"),
        people_count: field(report, "peopleCount").as_f64().unwrap_or_default() as u32,
        kind: ReportType::from_name(&text(report, "type"))?,
        created_at: text(report, "createdAt"),
        event_date: field(report, "eventDate").as_string(),
    })
}
