//! Keys of the list. They act only while the focus is in the list, and can be turned off: somebody
//! who types elsewhere, or dictates, must not decide on reports.

use super::{list::List, reducer::Event};
use crate::model::Verdict;
use kit::{
    dom::use_listener,
    number::plain,
    signals::{Var, effect, flag, text},
};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

/// Keys of all lists, with the description that the page shows. Decisions have
/// [keys](Verdict::key), too.
const KEYS: [(&str, &str); 8] = [
    ("j", "next"),
    ("k", "previous"),
    ("x", "select"),
    ("J", "select several"),
    ("u", "undo"),
    ("o", "open"),
    ("n", "show new reports"),
    ("?", "show these keys"),
];

/// Item of the browser's storage, which is `off` if the keys are turned off.
const SETTING: &str = "svc-desk-keys";
const OFF: &str = "off";

/// Makes the list usable by keyboard, and describes the keys.
#[component]
pub(super) fn Keys(
    list: List,
    /// Whether scripts run.
    is_scripted: Var<bool>,
) -> impl IntoView {
    let is_on = Var::new(true);
    let is_shown = Var::new(false);
    let start = list.start();
    let verdicts = Verdict::possible(&start.status);
    let reasons = match verdicts.contains(&Verdict::Reject) {
        true => start.reasons.iter().take(9).cloned().collect::<Vec<_>>(),
        false => Vec::new(),
    };
    effect(move |_| {
        is_on.set(setting().as_deref() != Some(OFF));
        use_listener(&window(), "keydown", move |event| {
            let event: KeyboardEvent = event.unchecked_into();
            let is_shortcut = event.ctrl_key() || event.meta_key() || event.alt_key();
            if is_shortcut || !is_on.get_untracked() || !is_in_list(&event) {
                return;
            }
            let key = match (event.shift_key(), &*event.key()) {
                (true, "ArrowDown") => "J".to_owned(),
                (true, "ArrowUp") => "K".to_owned(),
                (_, key) => key.to_owned(),
            };
            if key == "?" {
                is_shown.set(!is_shown.get_untracked());
            } else if key == "Escape" {
                is_shown.set(false);
            } else if let Some(meant) = meaning(&key, verdicts, &list.start().reasons) {
                event.prevent_default();
                // A key that is held down moves through the list, but decides only once.
                if !event.repeat()
                    || matches!(meant, Event::Next | Event::Previous | Event::Extend(_))
                {
                    list.on(meant);
                }
            }
        });
    });
    let toggle = move |_: leptos::ev::MouseEvent| {
        is_on.set(!is_on.get_untracked());
        if let Ok(Some(storage)) = window().local_storage() {
            _ = match is_on.get_untracked() {
                true => storage.remove_item(SETTING),
                false => storage.set_item(SETTING, OFF),
            };
        }
    };
    let key = |(key, what): (&'static str, &'static str)| {
        view! { <span><kbd>{key}</kbd> " " {what}</span> }
    };
    let reason = |(number, reason): (u64, String)| {
        view! { <span><kbd>{plain(number)}</kbd> " reject: " <bdi>{reason}</bdi></span> }
    };
    let reasons: Vec<_> = (1..).zip(reasons).map(reason).collect();
    let decisions = verdicts.iter().map(|verdict| (verdict.key(), verdict.as_str()));
    let keys: Vec<_> = decisions.chain(KEYS).map(key).collect();
    view! {
        <div
            class=text(move || String::from(if is_shown.get() { "keys shown" } else { "keys" }))
            hidden=flag(move || !is_scripted.get())>
            <label>
                <input type="checkbox" prop:checked=flag(move || is_on.get()) on:click=toggle />
                "Keys, while the list has the focus:"
            </label>
            {keys}
            {reasons}
        </div>
    }
}

fn setting() -> Option<String> {
    window().local_storage().ok()??.get_item(SETTING).ok()?
}

/// `reasons` are those for rejecting, which have the keys from 1.
fn meaning(key: &str, verdicts: &[Verdict], reasons: &[String]) -> Option<Event> {
    let digit = key.bytes().next().filter(|byte| key.len() == 1 && (b'1'..=b'9').contains(byte));
    if let Some(reason) = digit.and_then(|digit| reasons.get(usize::from(digit - b'1'))) {
        return Some(Event::RejectHere(reason.clone()));
    }
    if let Some(verdict) = verdicts.iter().find(|verdict| verdict.key() == key) {
        return Some(Event::DecideHere(*verdict));
    }
    Some(match key {
        "j" | "ArrowDown" => Event::Next,
        "k" | "ArrowUp" => Event::Previous,
        "J" => Event::Extend(true),
        "K" => Event::Extend(false),
        "x" => Event::ToggleCurrent,
        "u" => Event::UndoLast,
        "o" => Event::OpenCurrent,
        "n" => Event::ShowArrived,
        _ => return None,
    })
}

/// Whether the focus is in the list.
fn is_in_list(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.closest(".reports").is_ok_and(|list| list.is_some()))
}
