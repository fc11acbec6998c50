use super::{First, Shown, roll::Roll};
use crate::{
    embed::metrics::{FIRST, counts::Counts},
    live,
};
use js_sys::{JSON, Reflect};
use leptos::prelude::*;
use wasm_bindgen::JsValue;

/// The values that the page was rendered with: it carries them as the API's own JSON.
pub(super) fn first() -> First {
    let metrics = document()
        .get_element_by_id(FIRST)
        .and_then(|element| element.text_content())
        .and_then(|json| JSON::parse(&json).ok())
        .unwrap_or_default();
    let updated = field(&metrics, "updatedAt").as_string().unwrap_or_default();
    First { counts: read(&metrics), time: updated.get(11..16).unwrap_or_default().to_owned() }
}

/// Lets the stream move what is shown, once the first render stands.
pub(super) fn follow(shown: Shown) {
    Effect::new(move || {
        shown.localised.set(true);
        let roll = Roll::new(shown.counts);
        live::follow(
            "/api/v1/stream",
            &["metrics"],
            move |_, metrics| roll.to(read(metrics)),
            move |state| shown.state.set(state),
        );
    });
}

/// Reads a metrics object of the API.
fn read(metrics: &JsValue) -> Counts {
    Counts(Counts::FIELDS.map(|name| field(metrics, name).as_f64().unwrap_or_default() as u64))
}

fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(name)).unwrap_or_default()
}
