use super::{list::List, reducer::Event};
use crate::model::Verdict;
use kit::{dom::use_listener, signals::effect};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// Keys, with the description that the page shows.
#[cfg(feature = "ssr")]
pub(crate) const KEYS: [(&str, &str); 7] = [
    ("j", "next"),
    ("k", "previous"),
    ("a", "approve"),
    ("r", "reject"),
    ("x", "select"),
    ("u", "undo"),
    ("o", "open"),
];

/// Makes the whole list usable by keyboard.
pub(super) fn use_keys(list: List) {
    effect(move |_| {
        use_listener(&window(), "keydown", move |event| {
            let event: KeyboardEvent = event.unchecked_into();
            let is_shortcut = event.ctrl_key() || event.meta_key() || event.alt_key();
            if is_shortcut || is_writing(&event) {
                return;
            }
            if let Some(meant) = meaning(&event.key()) {
                event.prevent_default();
                // A key that is held down moves through the list, but decides only once.
                if !event.repeat() || matches!(meant, Event::Step(_)) {
                    list.on(meant);
                }
            }
        });
    });
}

fn meaning(key: &str) -> Option<Event> {
    Some(match key {
        "j" | "ArrowDown" => Event::Step(1),
        "k" | "ArrowUp" => Event::Step(-1),
        "a" => Event::DecideHere(Verdict::Approve),
        "r" => Event::DecideHere(Verdict::Reject),
        "x" => Event::ToggleCurrent,
        "u" => Event::UndoLast,
        "o" => Event::OpenCurrent,
        _ => return None,
    })
}

/// Whether the key is typed into a field.
fn is_writing(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| {
        target.matches("input:not([type=checkbox]), select, textarea").unwrap_or_default()
    })
}
