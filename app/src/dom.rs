//! What islands ask of the browser.

use leptos::prelude::*;
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Event, EventTarget};

/// Whether a media query matches now.
pub(crate) fn media(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|query| query.matches())
}

/// Whether the visitor prefers that things stand still.
pub(crate) fn prefers_less_motion() -> bool {
    media("(prefers-reduced-motion: reduce)")
}

/// Whether a media query matches. False on the server.
pub(crate) fn use_media(query: &'static str) -> RwSignal<bool> {
    let matches = RwSignal::new(false);
    Effect::new(move || {
        if let Ok(Some(list)) = window().match_media(query) {
            matches.set(list.matches());
            let watched = list.clone();
            use_listener(&list, "change", move |_| matches.set(watched.matches()));
        }
    });
    matches
}

/// Calls `on_event` with every event of this name, until the owner is cleaned up. For targets that
/// no view has. Browser only: to be called in an effect.
pub(crate) fn use_listener(
    target: &EventTarget,
    name: &'static str,
    on_event: impl Fn(Event) + 'static,
) {
    let listener = Closure::<dyn Fn(Event)>::new(on_event);
    let function = listener.as_ref().unchecked_ref();
    if target.add_event_listener_with_callback(name, function).is_err() {
        return;
    }
    let attached = SendWrapper::new((target.clone(), listener));
    on_cleanup(move || {
        let (target, listener) = &*attached;
        let function = listener.as_ref().unchecked_ref();
        _ = target.remove_event_listener_with_callback(name, function);
    });
}
