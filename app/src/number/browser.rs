use crate::lang::Lang;
use js_sys::{Array, Function, Intl::NumberFormat, Object};
use wasm_bindgen::JsValue;

thread_local! {
    /// `format` of the visitor's own number format. Built once: building is what is slow.
    static FORMAT: Function = NumberFormat::new(&locales(), &Object::new()).format();
}

/// The visitor's own locale where it is of the page's language, with its region's habits; else the
/// language alone. In Arabic the digits are those that the server writes.
pub(crate) fn locales() -> Array {
    let window = web_sys::window();
    let page = window
        .as_ref()
        .and_then(|window| window.document()?.document_element()?.get_attribute("lang"))
        .unwrap_or_default();
    let own = window.and_then(|window| window.navigator().language()).unwrap_or_default();
    let locale = match own.split('-').next() {
        Some(language) if language == page => own,
        _ => page,
    };
    let digits = if locale.contains("-u-") { "" } else { "-u-nu-latn" };
    Array::of1(&JsValue::from_str(&(locale + digits)))
}

/// The number as the visitor's locale writes it.
pub(crate) fn localised(value: u64, lang: Lang) -> String {
    FORMAT
        .with(|format| format.call1(&JsValue::UNDEFINED, &JsValue::from_f64(value as f64)))
        .ok()
        .and_then(|text| text.as_string())
        .unwrap_or_else(|| super::neutral(value, lang))
}
