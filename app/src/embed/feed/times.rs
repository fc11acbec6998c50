//! Times as one says them: "3 min ago".

use crate::number::locales;
use js_sys::{Date, Intl::RelativeTimeFormat, JSON, Object};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

/// From which age on, in seconds, a time is told in which unit.
const UNITS: [(f64, &str); 6] = [
    (31_557_600.0, "year"),
    (2_629_800.0, "month"),
    (86_400.0, "day"),
    (3_600.0, "hour"),
    (60.0, "minute"),
    (1.0, "second"),
];

thread_local! {
    static FORMAT: RelativeTimeFormat = RelativeTimeFormat::new(&locales(), &options());
}

fn options() -> Object {
    JSON::parse(r#"{"numeric":"auto","style":"short"}"#).unwrap_or_default().unchecked_into()
}

/// Writes every time in `list` as it is to be said now.
pub(super) fn write(list: &Element) {
    let Ok(times) = list.query_selector_all("time") else { return };
    let now = Date::now();
    for index in 0..times.length() {
        let time = times.get(index).and_then(|node| node.dyn_into::<Element>().ok());
        let Some(time) = time else { continue };
        let instant = Date::parse(&time.get_attribute("datetime").unwrap_or_default());
        if instant.is_nan() {
            continue;
        }
        let said = say((now - instant) / 1_000.0);
        if time.text_content().as_deref() != Some(&said) {
            time.set_text_content(Some(&said));
        }
        _ = time.set_attribute("class", "said");
    }
}

fn say(age: f64) -> String {
    // A clock that is behind must not speak of the future; a minute is not worth counting down.
    let age = if age < 60.0 { 0.0 } else { age };
    let unit = UNITS.into_iter().find(|(least, _)| age >= *least).unwrap_or((1.0, "second"));
    let count = (age / unit.0).floor();
    FORMAT.with(|format| {
        let said = format.format(-count, unit.1);
        JsValue::from(said).as_string().unwrap_or_default()
    })
}
