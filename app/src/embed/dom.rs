//! What islands ask of the page that they are in.

use js_sys::Function;
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Element, EventTarget};

/// The first element of the page that a selector finds.
pub(super) fn find(selector: &str) -> Option<Element> {
    document().query_selector(selector).ok().flatten()
}

/// Writes a text where it is another; returns whether it was.
pub(super) fn write(within: &Element, selector: &str, text: &str) -> bool {
    let element = within.query_selector(selector).ok().flatten();
    let changed = element.filter(|element| element.text_content().as_deref() != Some(text));
    changed.inspect(|element| element.set_text_content(Some(text))).is_some()
}

/// Whether a media query holds now.
pub(super) fn media(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|query| query.matches())
}

pub(super) fn less_motion() -> bool {
    media("(prefers-reduced-motion: reduce)")
}

/// Calls `hear` with every event of this name.
pub(super) fn on(target: &EventTarget, name: &str, hear: impl Fn(JsValue) + 'static) {
    _ = target.add_event_listener_with_callback(name, &callback(hear));
}

/// A function of the browser, for as long as the page lives.
pub(super) fn callback(call: impl Fn(JsValue) + 'static) -> Function {
    Closure::<dyn Fn(JsValue)>::new(call).into_js_value().unchecked_into()
}
