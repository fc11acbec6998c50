use super::list::List;
use crate::model::Verdict;
use leptos::{ev, prelude::*};
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
    Effect::new(move |_| {
        let handle = window_event_listener(ev::keydown, move |event| press(list, &event));
        on_cleanup(move || handle.remove());
    });
    // Scrolls to the report that keys act on and focuses it, so that screen readers announce it.
    Effect::new(move |_| {
        let current = list.current.get();
        let row = (!current.is_empty()).then(|| row_of(&current)).flatten();
        if let Some(row) = row {
            row.scroll_into_view_with_bool(false);
            if let Ok(row) = row.dyn_into::<web_sys::HtmlElement>() {
                _ = row.focus();
            }
        }
    });
}

fn press(list: List, event: &KeyboardEvent) {
    if event.ctrl_key() || event.meta_key() || event.alt_key() || is_writing(event) {
        return;
    }
    match event.key().as_str() {
        "j" | "ArrowDown" => list.step(1),
        "k" | "ArrowUp" => list.step(-1),
        "a" => list.decide_here(Verdict::Approve),
        "r" => list.decide_here(Verdict::Reject),
        "x" => list.toggle(&list.current.get_untracked()),
        "u" => list.undo(None),
        "o" => open(&list.current.get_untracked()),
        _ => return,
    }
    event.prevent_default();
}

/// Whether the key is typed into a field.
fn is_writing(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| {
        let is_field = ["INPUT", "SELECT", "TEXTAREA"].contains(&target.tag_name().as_str());
        is_field && target.get_attribute("type").as_deref() != Some("checkbox")
    })
}

/// Opens the page of a report.
fn open(id: &str) {
    let link = row_of(id).and_then(|row| row.query_selector("a.id").ok().flatten());
    if let Some(link) = link.and_then(|link| link.dyn_into::<web_sys::HtmlElement>().ok()) {
        link.click();
    }
}

fn row_of(id: &str) -> Option<Element> {
    let list = document().query_selector(".reports").ok()??;
    let rows = list.children();
    let mut rows = (0..rows.length()).filter_map(|index| rows.item(index));
    rows.find(|row| row.get_attribute("data-id").as_deref() == Some(id))
}
