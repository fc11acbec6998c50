//! What islands ask of the page that they are in.

use super::first::field;
use js_sys::{Function, JSON};
use leptos::prelude::{document, window};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{DomParser, Element, EventTarget, RequestInit, SupportedType};

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

/// Asks for what is at an address now, not for what the browser may still have: that would know
/// nothing of what the stream just told. A promise.
pub(super) fn fetch(address: &str) -> JsValue {
    let init: RequestInit =
        JSON::parse(r#"{"cache":"no-cache"}"#).unwrap_or_default().unchecked_into();
    window().fetch_with_str_and_init(address, &init).into()
}

/// Reads the body of an answer, as `json` or as `text`; a promise, or nothing where there is no
/// such answer.
pub(super) fn read(answer: &JsValue, how: &str) -> JsValue {
    let read = field(answer, how).dyn_into::<Function>().ok();
    let read = read.filter(|_| field(answer, "ok").is_truthy());
    read.and_then(|read| read.call0(answer).ok()).unwrap_or_default()
}

/// Calls a function with what a promise comes to, also if that is an error: then what is asked for
/// is not in it. Returns a promise of what the function returns.
pub(super) fn then(promise: &JsValue, call: &Function) -> JsValue {
    let then = field(promise, "then").dyn_into::<Function>().ok();
    then.and_then(|then| then.call2(promise, call, call).ok()).unwrap_or_default()
}

/// Takes these parts of the page anew from the server. A promise, kept when that is over.
pub(super) fn renew(parts: &'static [&'static str]) -> JsValue {
    let text = Closure::once_into_js(|answer: JsValue| read(&answer, "text"));
    let take = Closure::once_into_js(move |html: JsValue| {
        let html = html.as_string().unwrap_or_default();
        let page = DomParser::new()
            .and_then(|parser| parser.parse_from_string(&html, SupportedType::TextHtml));
        for part in parts {
            let new = page.as_ref().ok().and_then(|page| page.query_selector(part).ok().flatten());
            if let (Some(part), Some(new)) = (find(part), new) {
                part.set_inner_html(&new.inner_html());
            }
        }
    });
    let page = fetch(&document().url().unwrap_or_default());
    then(&then(&page, text.unchecked_ref()), take.unchecked_ref())
}
