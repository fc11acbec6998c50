//! What countries are called in the language of the page, for what comes over the stream: it has names
//! as they were given. Everything else that the server sends has its names already.

use crate::{dom::page_lang, lang::Lang};
use js_sys::{Array, Intl::DisplayNames, JSON, JsString, Map};
use wasm_bindgen::{JsCast, JsValue};

thread_local! {
    /// Codes and names of countries in all our languages, in lower case, each with the name in the
    /// language of the page. Built once, when the first report arrives: it takes the browser some
    /// tens of milliseconds.
    static NAMES: Map = names().unwrap_or_default();
}

/// The country in the language of the page, where the browser knows what is meant by its name or
/// code; else as given.
pub(crate) fn country(given: &str) -> String {
    // "Trinidad and Tobago": browsers have such names with "&".
    let key = JsString::from(given).to_lower_case().replace(" and ", " & ");
    NAMES.with(|names| names.get(&key)).as_string().unwrap_or_else(|| given.to_owned())
}

/// Nothing in a browser without `Intl.DisplayNames`.
fn names() -> Option<Map> {
    let own = regions(&page_lang())?;
    let names = Map::new();
    let letter = |index: u32| char::from(b'A' + index as u8);
    for lang in Lang::ALL {
        let regions = regions(lang.tag())?;
        // There are 250 codes, which need not be listed: the browser tells.
        for index in 0..26 * 26 {
            let code = String::from_iter([letter(index / 26), letter(index % 26)]);
            if let (Some(name), Some(other)) = (own.of(&code), regions.of(&code)) {
                names.set(&other.to_lower_case(), &name);
                names.set(&JsString::from(code).to_lower_case(), &name);
            }
        }
    }
    Some(names)
}

fn regions(lang: &str) -> Option<DisplayNames> {
    // Without a fallback: the code itself is no name.
    let options = JSON::parse("{\"type\":\"region\",\"fallback\":\"none\"}").ok()?;
    Some(DisplayNames::new(&Array::of1(&JsValue::from_str(lang)), options.unchecked_ref()))
}
