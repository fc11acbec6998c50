//! Keys of the list. They act only while the focus is in the list, outside of its fields: somebody
//! who types elsewhere must not decide on reports.

use super::{list::List, reducer::Event};
use crate::{
    model::Verdict,
    shortcuts::{Shortcuts, described, is_within},
};
use kit::number::plain;
use leptos::prelude::*;
use std::rc::Rc;
use web_sys::Element;

/// Keys of all lists, with the description that the page shows. Decisions have
/// [keys](Verdict::key), too.
const KEYS: [(&str, &str); 9] = [
    ("j", "next"),
    ("k", "previous"),
    ("x", "select"),
    ("J", "select several"),
    ("e", "correct"),
    ("u", "undo"),
    ("o", "open"),
    ("n", "show new reports"),
    ("?", "show these keys"),
];

/// Makes the list usable by keyboard, and describes the keys.
#[component]
pub(super) fn Keys(list: List) -> impl IntoView {
    let start = list.start();
    let verdicts = Verdict::possible(&start.status);
    let reasons = match verdicts.contains(&Verdict::Reject) {
        true => start.reasons.iter().take(9).cloned().collect::<Vec<_>>(),
        false => Vec::new(),
    };
    let on_key = Rc::new(move |key: &str, is_held: bool| {
        if list.is_editing() {
            return false;
        }
        let Some(meant) = meaning(key, verdicts, &list.start().reasons) else { return false };
        // A key that is held down moves through the list, but decides only once.
        if !is_held || matches!(meant, Event::Next | Event::Previous | Event::Extend(_)) {
            list.on(meant);
        }
        true
    });
    let decisions = verdicts.iter().map(|verdict| (verdict.key(), verdict.as_str()));
    let keys = decisions.chain(KEYS).map(|(key, what)| (key.to_owned(), what.to_owned()));
    let reasons = (1..).zip(reasons);
    let reasons = reasons.map(|(number, reason)| (plain(number), ["reject: ", &*reason].concat()));
    let keys: Vec<_> = keys.chain(reasons).map(|(key, what)| described(key, what)).collect();
    view! {
        <div class="keys">
            <Shortcuts label="Keys, while the list has the focus:" acts_at=is_in_list on_key=on_key />
            {keys}
        </div>
    }
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
        "e" => Event::EditCurrent,
        "u" => Event::UndoLast,
        "o" => Event::OpenCurrent,
        "n" => Event::ShowArrived,
        _ => return None,
    })
}

/// Whether an element is in the list, but not in the fields of a correction.
fn is_in_list(element: &Element) -> bool {
    is_within(element, ".reports") && !is_within(element, ".edit")
}
