use super::{list::List, reducer::Event};
use crate::{
    correction::CorrectionFields,
    model::{Correction, Item},
    words::{
        common::SAVE,
        list::{CANCEL, CORRECT_ID, PUBLISHED_ALREADY},
        t, with,
    },
};
use kit::{
    json,
    signals::{flag, text},
};
use leptos::{
    ev::{KeyboardEvent, MouseEvent},
    prelude::*,
};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event as DomEvent};

/// Fields that correct the report of a row. They are within the form of the list, but not part of it.
#[component]
pub(super) fn Editor(item: Item, list: List) -> impl IntoView {
    let is_approved = item.status == "APPROVED";
    let save = move |event: &DomEvent| {
        event.prevent_default();
        list.on(Event::Save(typed(event)));
    };
    let error =
        move || list.state().editing.as_ref().map(|one| one.error.clone()).unwrap_or_default();
    view! {
        <div
            class="edit fields"
            role="group"
            aria-label=with(CORRECT_ID, &[("id", &item.id)])
            on:keydown=move |event: KeyboardEvent| {
                let is_on_button = element(&event).is_some_and(|at| at.tag_name() == "BUTTON");
                match &*event.key() {
                    "Enter" if !is_on_button && !event.is_composing() => save(&event),
                    "Escape" => list.on(Event::StopEditing),
                    _ => {}
                }
            }
        >
            <CorrectionFields
                values=Correction::of(&item)
                labels=list.start().labels.clone()
                form=Some("")
            />
            <p class="hint" hidden=!is_approved>
                {t(PUBLISHED_ALREADY)}
            </p>
            <p class="trouble" role="alert" hidden=flag(move || error().is_empty())>
                {text(error)}
            </p>
            <div class="do">
                <button type="button" class="main" on:click=move |event: MouseEvent| save(&event)>
                    {t(SAVE)}
                </button>
                <button type="button" on:click=move |_: MouseEvent| list.on(Event::StopEditing)>
                    {t(CANCEL)}
                </button>
            </div>
        </div>
    }
}

fn element(event: &DomEvent) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// The values of the fields around the target of an event.
fn typed(event: &DomEvent) -> Correction {
    let editor = element(event).and_then(|at| at.closest(".edit").ok()?);
    Correction::read(&|name| {
        let selector = ["[name='", name, "']"].concat();
        let field = editor.as_ref().and_then(|editor| editor.query_selector(&selector).ok()?);
        field.map(|field| json::text(&field, "value")).unwrap_or_default()
    })
}
