//! Browser functions for islands.

use crate::{
    json::field,
    signals::{Var, cleanup, effect},
};
use js_sys::Array;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    Element, Event, EventTarget, IntersectionObserver, MutationObserver, MutationObserverInit,
    ResizeObserver,
};

/// Language tag of the page, one of the supported languages.
pub fn page_lang() -> String {
    let root = document().document_element();
    root.and_then(|root| root.get_attribute("lang")).unwrap_or_default()
}

/// Returns the text of the element with this id, or an empty text if the page has no such element.
pub fn document_text(id: &str) -> String {
    let element = document().get_element_by_id(id);
    element.and_then(|element| element.text_content()).unwrap_or_default()
}

/// Whether a media query matches now.
pub fn media(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|query| query.matches())
}

/// Whether the visitor prefers reduced motion.
pub fn prefers_less_motion() -> bool {
    media("(prefers-reduced-motion: reduce)")
}

/// Whether a media query matches, as a signal. Always false on the server.
pub fn use_media(query: &'static str) -> Var<bool> {
    let matches = Var::new(false);
    effect(move |_| {
        if let Ok(Some(list)) = window().match_media(query) {
            matches.set(list.matches());
            let watched = list.clone();
            use_listener(&list, "change", move |_| matches.set(watched.matches()));
        }
    });
    matches
}

/// Whether the page is visible, as a signal. Always true on the server.
pub fn use_page_visible() -> Var<bool> {
    let visible = Var::new(true);
    effect(move |_| {
        let look = move || visible.set(!document().hidden());
        look();
        use_listener(&document(), "visibilitychange", move |_| look());
    });
    visible
}

type Listener = Closure<dyn Fn(JsValue)>;

/// Calls `on_event` for each event of this name, until the owner is cleaned up. For targets outside
/// any view. Browser only: call it in an effect.
pub fn use_listener(target: &EventTarget, name: &'static str, on_event: impl Fn(Event) + 'static) {
    let listener = Listener::new(move |event: JsValue| on_event(event.unchecked_into()));
    let function = listener.as_ref().unchecked_ref();
    if target.add_event_listener_with_callback(name, function).is_ok() {
        let target = target.clone();
        cleanup(move || {
            let function = listener.as_ref().unchecked_ref();
            _ = target.remove_event_listener_with_callback(name, function);
        });
    }
}

/// Calls `on_resize` once at the start and whenever the size of an element changes. Browser only.
pub fn use_resize(element: &Element, on_resize: impl Fn() + 'static) {
    let listener = Listener::new(move |_| on_resize());
    if let Ok(observer) = ResizeObserver::new(listener.as_ref().unchecked_ref()) {
        observer.observe(element);
        disconnect_later(listener, move || observer.disconnect());
    }
}

/// Calls `on_change` at the start and whenever an element enters or leaves the screen, with whether
/// it is on the screen. Browser only.
pub fn use_on_screen(element: &Element, on_change: impl Fn(bool) + 'static) {
    let listener = Listener::new(move |entries: JsValue| {
        let last = entries.unchecked_into::<Array>().pop();
        on_change(field(&last, "isIntersecting").is_truthy());
    });
    if let Ok(observer) = IntersectionObserver::new(listener.as_ref().unchecked_ref()) {
        observer.observe(element);
        disconnect_later(listener, move || observer.disconnect());
    }
}

/// Calls `on_change` whenever an attribute of an element changes. Browser only.
pub fn use_attributes(element: &Element, on_change: impl Fn() + 'static) {
    let listener = Listener::new(move |_| on_change());
    if let Ok(observer) = MutationObserver::new(listener.as_ref().unchecked_ref()) {
        let options = MutationObserverInit::new();
        options.set_attributes(true);
        if observer.observe_with_options(element, &options).is_ok() {
            disconnect_later(listener, move || observer.disconnect());
        }
    }
}

/// Disconnects an observer when the owner is cleaned up, before its listener is dropped.
fn disconnect_later(listener: Listener, disconnect: impl FnOnce() + 'static) {
    cleanup(move || {
        disconnect();
        drop(listener);
    });
}
