//! What an island starts from, read out of its page: see [`FIRST`].

use super::FIRST;
use crate::{lang::Lang, words::Words};
use js_sys::{Array, JSON, Reflect};
use leptos::prelude::document;
use wasm_bindgen::{JsCast, JsValue};

/// What every widget's page carries.
#[derive(Default)]
pub(super) struct First {
    pub(super) words: Words,
    pub(super) stream: String,
    /// The names of the types that are shown.
    pub(super) types: Vec<String>,
    /// Whatever else there is.
    pub(super) rest: JsValue,
}

impl First {
    pub(super) fn read() -> Option<Self> {
        let page = document();
        let rest = JSON::parse(&page.get_element_by_id(FIRST)?.text_content()?).ok()?;
        let lang = page.document_element()?.get_attribute("lang")?;
        let lang = Lang::from_tag(&lang).unwrap_or_default();
        Some(Self {
            words: Words { lang, texts: strings(&field(&rest, "words")) },
            stream: field(&rest, "stream").as_string()?,
            types: strings(&field(&rest, "types")),
            rest,
        })
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
