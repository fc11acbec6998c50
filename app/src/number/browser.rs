use js_sys::{Array, Function, Intl::NumberFormat, Object};
use wasm_bindgen::JsValue;

thread_local! {
    /// `format` of the visitor's own number format. Built once: building is what is slow.
    static FORMAT: Function = NumberFormat::new(&Array::new(), &Object::new()).format();
}

/// The number as the visitor's locale writes it.
pub(crate) fn localised(value: u64) -> String {
    FORMAT
        .with(|format| format.call1(&JsValue::UNDEFINED, &JsValue::from_f64(value as f64)))
        .ok()
        .and_then(|text| text.as_string())
        .unwrap_or_else(|| super::neutral(value))
}
