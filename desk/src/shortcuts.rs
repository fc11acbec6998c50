//! Shortcuts: single keys, which can be turned off, because somebody who dictates must not decide on
//! reports. The setting applies to all pages of the desk.

use kit::{
    dom::use_listener,
    signals::{Var, effect, flag, text},
};
use leptos::{ev::MouseEvent, prelude::*};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// Item of the browser's storage, which is `off` if the keys are turned off.
const SETTING: &str = "svc-desk-keys";
const OFF: &str = "off";

/// Acts on a key, unless it is held down and may act only once. Returns whether the key has a
/// meaning.
pub(crate) type OnKey = Rc<dyn Fn(&str, bool) -> bool>;

/// Switch of the keys, beside which the page [describes](described) them. It handles the keys, and
/// gets the class `shown` while the description is wanted.
#[component]
pub(crate) fn Shortcuts(
    label: &'static str,
    /// Whether keys act while an element has the focus.
    acts_at: fn(&Element) -> bool,
    on_key: OnKey,
) -> impl IntoView {
    let is_on = Var::new(true);
    let is_shown = Var::new(false);
    let is_scripted = Var::new(false);
    effect(move |_| {
        is_scripted.set(true);
        is_on.set(setting().as_deref() != Some(OFF));
        let on_key = on_key.clone();
        use_listener(&window(), "keydown", move |event| {
            let event: KeyboardEvent = event.unchecked_into();
            let is_shortcut = event.ctrl_key() || event.meta_key() || event.alt_key();
            let at = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            if is_shortcut || !is_on.get_untracked() || !at.is_some_and(|at| acts_at(&at)) {
                return;
            }
            let key = match (event.shift_key(), &*event.key()) {
                (true, "ArrowDown") => "J".to_owned(),
                (true, "ArrowUp") => "K".to_owned(),
                (_, key) => key.to_owned(),
            };
            if key == "?" {
                is_shown.set(!is_shown.get_untracked());
            } else if key == "Escape" && is_shown.get_untracked() {
                is_shown.set(false);
            } else if on_key(&key, event.repeat()) {
                event.prevent_default();
            }
        });
    });
    let toggle = move |_: MouseEvent| {
        is_on.set(!is_on.get_untracked());
        if let Ok(Some(storage)) = window().local_storage() {
            _ = match is_on.get_untracked() {
                true => storage.remove_item(SETTING),
                false => storage.set_item(SETTING, OFF),
            };
        }
    };
    view! {
        <label
            class=text(move || String::from(if is_shown.get() { "shown" } else { "" }))
            hidden=flag(move || !is_scripted.get())
        >
            <input type="checkbox" prop:checked=flag(move || is_on.get()) on:click=toggle />
            {label}
        </label>
    }
}

/// Description of a key.
pub(crate) fn described(key: String, what: String) -> impl IntoView {
    view! { <span><kbd>{key}</kbd> " " <bdi>{what}</bdi></span> }
}

/// Whether an element, or one around it, matches a selector.
pub(crate) fn is_within(element: &Element, selector: &str) -> bool {
    element.closest(selector).is_ok_and(|found| found.is_some())
}

fn setting() -> Option<String> {
    window().local_storage().ok()??.get_item(SETTING).ok()?
}
