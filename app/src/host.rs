//! What an island tells the page around its frame. `frontend/host.js` has the other messages, and why
//! any page may hear these.

use js_sys::{Object, Reflect};
use model::Report;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = ["window", "parent"], js_name = postMessage)]
    fn post(message: &JsValue, origin: &str);
}

/// `{ type: "svc:report", report }`: a report is new. `report` is the object of the API.
pub(crate) fn tell_new(report: &Report) {
    tell_report("svc:report", report);
}

/// `{ type: "svc:select", report }`: a visitor has clicked on it.
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

/// `{ type: "svc:select", place: { city, country, spirit, water, both } }`: a visitor has chosen a
/// place with so many reports of each type.
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
