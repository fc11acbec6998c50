//! Reads the API's JSON with the browser's own parser: serde_json would be kilobytes of wasm.

use crate::model::{Metrics, Report, ReportType};
use js_sys::{Array, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// A member of an object, or `undefined`.
pub(crate) fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(name)).unwrap_or_default()
}

/// A member that is text; empty where it is not.
pub(crate) fn text(object: &JsValue, name: &str) -> String {
    field(object, name).as_string().unwrap_or_default()
}

/// A member that is a list; empty where it is not.
pub(crate) fn list(object: &JsValue, name: &str) -> Array {
    field(object, name).dyn_into().unwrap_or_default()
}

/// A metrics object.
pub(crate) fn metrics(object: &JsValue) -> Metrics {
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

/// The reports of a report list; those of types that this version doesn't know are left out.
pub(crate) fn reports(object: &JsValue) -> Vec<Report> {
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
