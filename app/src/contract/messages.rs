//! Messages from islands to the embedding page. `frontend/host.js` has the other messages, and the
//! reason why any page may receive them.

use js_sys::{Object, Reflect};
use model::Report;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = ["window", "parent"], js_name = postMessage)]
    fn post(message: &JsValue, origin: &str);
}

/// Sends `{ type: "svc:report", report }`: a new report. `report` is the API's object.
pub(crate) fn tell_new(report: &Report) {
    tell_report("svc:report", report);
}

/// Sends `{ type: "svc:select", report }`: a visitor has clicked on the report.
pub(crate) fn tell_selected(report: &Report) {
    tell_report("svc:select", report);
}

fn tell_report(kind_of_message: &str, report: &Report) {
    let Report { id, city, country, people_count, kind, created_at, .. } = report;
    let report = object(&[
        ("id", id.into()),
        ("city", city.into()),
        ("country", country.into()),
        ("peopleCount", (*people_count).into()),
        ("type", kind.as_str().into()),
        ("createdAt", created_at.into()),
    ]);
    tell(kind_of_message, "report", report);
}

/// Sends `{ type: "svc:select", place: { city, country, spirit, water, both } }`: a visitor has
/// selected a place. The last three are numbers of reports.
pub(crate) fn tell_place(city: &str, country: &str, counts: [u64; 3]) {
    let [spirit, water, both] = counts.map(|count| (count as f64).into());
    let place = object(&[
        ("city", city.into()),
        ("country", country.into()),
        ("spirit", spirit),
        ("water", water),
        ("both", both),
    ]);
    tell("svc:select", "place", place);
}

fn tell(kind: &str, name: &str, what: JsValue) {
    post(&object(&[("type", kind.into()), (name, what)]), "*");
}

fn object(members: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in members {
        _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}
