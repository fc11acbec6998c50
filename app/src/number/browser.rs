use crate::{dom::page_lang, lang::Lang};
use js_sys::{Array, Function, Intl::NumberFormat, JSON, Object, Reflect};
use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    /// `format` of the visitor's own number format. Built once: building is what is slow.
    static FORMAT: Function = NumberFormat::new(&Array::of1(&locale().into()), &options("{}")).format();
}

/// Options of a format, an object as JSON. In Arabic the digits are those that the server writes.
pub(crate) fn options(json: &str) -> Object {
    let options = JSON::parse(json).unwrap_or_default();
    _ = Reflect::set(&options, &"numberingSystem".into(), &"latn".into());
    options.unchecked_into()
}

/// The visitor's own locale where it is of the page's language, with its region's habits; else the
/// language alone.
pub(crate) fn locale() -> String {
    let page = page_lang();
    let own = window().navigator().language().unwrap_or_default();
    match own.strip_prefix(&*page) {
        Some(rest) if rest.is_empty() || rest.starts_with('-') => own,
        _ => page,
    }
}

/// The number as the visitor's locale writes it.
pub(crate) fn localised(value: u64, lang: Lang) -> String {
    FORMAT
        .with(|format| format.call1(&JsValue::UNDEFINED, &JsValue::from_f64(value as f64)))
        .ok()
        .and_then(|text| text.as_string())
        .unwrap_or_else(|| super::neutral(value, lang))
}
