use super::{list::List, reducer::Event};
use crate::{
    map::number,
    model::{Correction, Item, Position},
};
use kit::{
    json,
    number::plain,
    signals::{flag, text},
};
use leptos::{
    ev::{KeyboardEvent, MouseEvent},
    prelude::*,
};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event as DomEvent};

/// Fields that correct the report of a row. They are part of the form of the list, so Enter must not
/// send it.
#[component]
pub(super) fn Editor(item: Item, list: List) -> impl IntoView {
    let Item { id, kind, status, city, region, country, people, event_date, position, .. } = item;
    let labels = list.start().labels.clone();
    let options = labels.into_iter().map(|label| {
        view! {
            <option value=label.kind.clone() selected=label.kind == kind>
                {label.text}
            </option>
        }
    });
    let options: Vec<_> = options.collect();
    let field = |name: &'static str, label: &'static str, kind: &'static str, value: String| {
        view! { <label>{label} <input type=kind data-field=name value=value /></label> }
    };
    let fields = [
        field("city", "City", "text", city),
        field("region", "Region", "text", region),
        field("country", "Country", "text", country),
        field("people", "People", "number", plain(people.into())),
        field("event_date", "Date", "date", event_date),
    ];
    let hints = [
        position.map(|_| "The position stays as it is: it is corrected on the report's page."),
        (status == "APPROVED").then_some(
            "This report is published: a correction updates the counters, and webhooks receive report.updated.",
        ),
    ];
    let hints: Vec<&str> = hints.into_iter().flatten().collect();
    let save = move |event: &DomEvent| {
        event.prevent_default();
        list.on(Event::Save(typed(event, position)));
    };
    let error =
        move || list.state().editing.as_ref().map(|one| one.error.clone()).unwrap_or_default();
    view! {
        <div
            class="edit fields"
            role="group"
            aria-label=["Correct ", &*id].concat()
            on:keydown=move |event: KeyboardEvent| {
                let is_on_button = element(&event).is_some_and(|at| at.tag_name() == "BUTTON");
                match &*event.key() {
                    "Enter" if !is_on_button && !event.is_composing() => save(&event),
                    "Escape" => list.on(Event::StopEditing),
                    _ => {}
                }
            }
        >
            <label>"Type" <select data-field="kind">{options}</select></label>
            {fields.into_iter().collect::<Vec<_>>()}
            <p class="hint" hidden=hints.is_empty()>
                {hints.join(" ")}
            </p>
            <p class="trouble" role="alert" hidden=flag(move || error().is_empty())>
                {text(error)}
            </p>
            <div class="do">
                <button type="button" class="main" on:click=move |event: MouseEvent| save(&event)>
                    "Save"
                </button>
                <button type="button" on:click=move |_: MouseEvent| list.on(Event::StopEditing)>
                    "Cancel"
                </button>
            </div>
        </div>
    }
}

fn element(event: &DomEvent) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// The values of the fields around the target of an event.
fn typed(event: &DomEvent, position: Option<Position>) -> Correction {
    let editor = element(event).and_then(|at| at.closest(".edit").ok()?);
    let value = |name: &str| {
        let selector = ["[data-field=", name, "]"].concat();
        let field = editor.as_ref().and_then(|editor| editor.query_selector(&selector).ok()?);
        field.map(|field| json::text(&field, "value")).unwrap_or_default()
    };
    let degrees = |degrees: fn(Position) -> f64| {
        position.map(|position| number(degrees(position))).unwrap_or_default()
    };
    Correction {
        kind: value("kind"),
        city: value("city"),
        region: value("region"),
        country: value("country"),
        people: value("people"),
        event_date: value("event_date"),
        lat: degrees(|position| position.lat),
        lng: degrees(|position| position.lng),
    }
}
