use crate::{dom::page_lang, lang::Lang};
use js_sys::{Array, Function, Intl::NumberFormat, JSON, Object, Reflect};
use leptos::prelude::window;
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    /// `format` of the visitor's number format, for a language of the page.
    static FORMAT: ForPage<Function> = ForPage::default();
}

/// Locales in which numbers are written as the server does. They need no format: building the first
/// one takes a tenth of a second on a phone.
const NEUTRAL: [&str; 13] = [
    "en", "en-US", "en-GB", "de", "de-DE", "fr", "fr-FR", "es", "es-ES", "pt", "pt-BR", "ar",
    "ar-EG",
];

/// A format that is cached for a language of the page, because building one is slow.
pub struct ForPage<T>(RefCell<Option<(String, T)>>);

impl<T> Default for ForPage<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T: Clone> ForPage<T> {
    /// The format for the current language of the page, with these options. `build` receives the
    /// visitor's locale.
    pub fn get(&self, form: &str, build: impl FnOnce(&Array, &Object) -> T) -> T {
        let key = page_lang() + form;
        if let Some((known, format)) = &*self.0.borrow()
            && *known == key
        {
            return format.clone();
        }
        let format = build(&Array::of1(&locale().into()), &options(form));
        self.0.replace(Some((key, format.clone())));
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
    let visitor = locale();
    if NEUTRAL.contains(&&*visitor) {
        return super::neutral(value, lang);
    }
    let build = |locale: &Array, options: &Object| NumberFormat::new(locale, options).format();
    FORMAT
        .with(|format| format.get("{}", build))
        .call1(&JsValue::UNDEFINED, &JsValue::from_f64(value as f64))
        .ok()
        .and_then(|text| text.as_string())
        .unwrap_or_else(|| super::neutral(value, lang))
}
