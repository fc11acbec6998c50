//! What an island starts from, read out of its page: see [`FIRST`].

use super::FIRST;
use crate::{lang::Lang, words::Words};
use js_sys::{Array, JSON, Reflect};
use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue};

/// What every widget's page carries.
pub(super) struct First {
    /// All of it, for what one widget alone has.
    pub(super) all: JsValue,
    pub(super) words: Words,
    /// The names of the types that are shown.
    pub(super) types: Vec<String>,
    /// Where the next values come from.
    pub(super) stream: String,
}

impl First {
    pub(super) fn read() -> Self {
        let all = document()
            .get_element_by_id(FIRST)
            .and_then(|element| element.text_content())
            .and_then(|json| JSON::parse(&json).ok())
            .unwrap_or_default();
        let lang = document().document_element().and_then(|root| root.get_attribute("lang"));
        let lang = lang.and_then(|tag| Lang::from_tag(&tag)).unwrap_or_default();
        Self {
            words: Words { lang, texts: strings(&field(&all, "words")) },
            types: strings(&field(&all, "types")),
            stream: field(&all, "stream").as_string().unwrap_or_default(),
            all,
        }
    }
}

/// A member of an object; undefined where there is none.
pub(super) fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &JsValue::from_str(name)).unwrap_or_default()
}

fn strings(array: &JsValue) -> Vec<String> {
    let strings = array.dyn_ref::<Array>().map(|array| array.iter());
    strings.into_iter().flatten().filter_map(|value| value.as_string()).collect()
}
