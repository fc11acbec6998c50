//! Keys of a report's page: they press what the page marks with `data-key`. A link or button is
//! clicked. The fields of the correction are opened. An option, one of the operator's reasons, is
//! chosen, and the report is rejected.

use crate::shortcuts::{OnKey, Shortcuts, is_within};
use js_sys::Reflect;
use kit::{
    dom::use_listener,
    signals::{Var, effect},
};
use leptos::prelude::*;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// The island: the switch beside the descriptions of the keys, which act wherever no field or button
/// has the focus.
#[island]
pub fn ReportKeys() -> impl IntoView {
    // After a decision, until the next page is there, another key would decide once more.
    let is_left = Var::new(false);
    effect(move |_| use_listener(&window(), "pageshow", move |_| is_left.set(false)));
    let on_key: OnKey = Rc::new(move |key, is_held| {
        let key = if key == "Escape" { "o" } else { key };
        let Some(element) = marked(key) else { return false };
        if !is_held && !is_left.get_untracked() {
            is_left.set(press(&element));
        }
        true
    });
    let acts_at = |element: &Element| !is_within(element, "input, select, textarea, button");
    view! { <Shortcuts label="Keys:" acts_at=acts_at on_key=on_key /> }
}

/// Returns whether the press leads to another page.
fn press(element: &Element) -> bool {
    match &*element.tag_name() {
        "SUMMARY" => {
            if let Some(details) = element.parent_element() {
                _ = details.set_attribute("open", "");
                if let Ok(Some(field)) = details.query_selector("select") {
                    _ = field.unchecked_into::<HtmlElement>().focus();
                }
            }
            false
        }
        "OPTION" => {
            _ = Reflect::set(element, &"selected".into(), &true.into());
            marked("r").is_some_and(|reject| press(&reject))
        }
        _ => {
            element.unchecked_ref::<HtmlElement>().click();
            true
        }
    }
}

/// The element with this key.
fn marked(key: &str) -> Option<Element> {
    document().query_selector(&["[data-key=\"", key, "\"]"].concat()).ok()?
}
