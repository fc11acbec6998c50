use crate::{dom::page_lang, lang::Lang};
use js_sys::{Array, Function, Intl::NumberFormat, JSON, Object, Reflect};
use leptos::prelude::window;
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    /// `format` of the visitor's number format, for a language of the page.
    static FORMAT: ForPage<Function> = ForPage::default();
}

/// A format that is cached per page language, because building one is slow.
pub struct ForPage<T>(RefCell<Option<(String, T)>>);

impl<T> Default for ForPage<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T: Clone> ForPage<T> {
    /// The format for the current language of the page. `build` receives the visitor's locale.
    pub fn get(&self, build: impl FnOnce(&Array) -> T) -> T {
        let lang = page_lang();
        if let Some((known, format)) = &*self.0.borrow()
            && *known == lang
        {
            return format.clone();
        }
        let format = build(&Array::of1(&locale().into()));
        self.0.replace(Some((lang, format.clone())));
        format
    }
}

/// Options of a format, from a JSON object. In Arabic, the digits are those that the server uses.
pub fn options(json: &str) -> Object {
    let options = JSON::parse(json).unwrap_or_default();
    _ = Reflect::set(&options, &"numberingSystem".into(), &"latn".into());
    options.unchecked_into()
}

/// The visitor's locale, with its region, if it has the page's language; else the page's language.
pub fn locale() -> String {
    let page = page_lang();
    let own = window().navigator().language().unwrap_or_default();
    match own.strip_prefix(&*page) {
        Some(rest) if rest.is_empty() || rest.starts_with('-') => own,
        _ => page,
    }
}

/// Formats the number in the visitor's locale.
pub fn localised(value: u64, lang: Lang) -> String {
    FORMAT
        .with(|format| format.get(|locale| NumberFormat::new(locale, &options("{}")).format()))
        .call1(&JsValue::UNDEFINED, &JsValue::from_f64(value as f64))
        .ok()
        .and_then(|text| text.as_string())
        .unwrap_or_else(|| super::neutral(value, lang))
}
