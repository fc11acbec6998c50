//! What countries are called in the language of the page, for what arrives live: the stream has names
//! as they were given. What the server rendered has its names already.

use crate::lang::Lang;
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
    let page = web_sys::window()?.document()?.document_element()?.get_attribute("lang")?;
    let own = regions(&page)?;
    let all: Vec<DisplayNames> =
        Lang::ALL.into_iter().filter_map(|lang| regions(lang.tag())).collect();
    let names = Map::new();
    // There are 250 codes, which need not be listed: the browser tells.
    for first in b'A'..=b'Z' {
        for second in b'A'..=b'Z' {
            let code = [first, second];
            let Ok(code) = str::from_utf8(&code) else { continue };
            let Some(name) = own.of(code) else { continue };
            names.set(&JsString::from(code).to_lower_case(), &name);
            for other in all.iter().filter_map(|regions| regions.of(code)) {
                names.set(&other.to_lower_case(), &name);
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
