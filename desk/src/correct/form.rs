use super::{NEW, NEW_YEAR, NO_POSITION, NO_REGION, Subjects, is_new, origin, pairs};
use crate::{
    backend::{CorrectingMany, OldValues},
    confirm_bulk::reports,
    layout::DeskQuery,
};
use app::{brand::Brand, shell::link};
use kit::{lang::Lang, number::neutral};
use leptos::prelude::*;
use model::ReportType;
use std::sync::Arc;

/// The form for new values. Empty fields leave the present values.
#[component]
pub(super) fn Fields(asked: DeskQuery, correcting: CorrectingMany) -> impl IntoView {
    let title = format!("Correct {}", reports(correcting.reports, ""));
    let kept = pairs(&asked).filter(|(name, _)| !is_new(name));
    let kept = kept.map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
    let back = asked.back.clone().unwrap_or_default();
    let fields = NEW.map(|(name, member, label)| {
        let value = asked.value(name);
        let input = match member {
            "type" => view! { <select name=name>{types(&value)}</select> }.into_any(),
            _ => view! { <input type=kind(member) name=name value=value inputmode=mode(member) /> }
                .into_any(),
        };
        let current = correcting.current.iter().find(|(one, _)| *one == member);
        let current = current.map(|(_, values)| view! { <small>{in_words(values)}</small> });
        view! { <label><span>{label}</span> {input} {current}</label> }
    });
    let removal = |name: &'static str, label: &'static str| {
        view! {
            <label class="check">
                <input type="checkbox" name=name value="1" checked=!asked.value(name).is_empty() />
                <span>{label}</span>
            </label>
        }
    };
    let refusal = correcting.refusal.clone().map(|refusal| {
        view! { <p class="trouble" role="alert">"These values cannot be used. " {refusal}</p> }
    });
    let year = asked.value(NEW_YEAR);
    let is_empty = correcting.reports == 0;
    view! {
        <form class="correct-many" method="get" action=link("/desk/correct")>
            <h1>{title}</h1>
            {refusal}
            <Subjects asked=asked.clone() correcting=correcting.clone() />
            {kept.collect_view()}
            <input type="hidden" name="back" value=back />
            <div class="fields">
                {fields.collect_view()}
                <label>
                    <span>"Only the year of the date"</span>
                    <input type="number" name=NEW_YEAR min="1" max="9999" value=year />
                </label>
            </div>
            {removal(NO_REGION, "Remove the region")}
            {removal(NO_POSITION, "Remove the position")}
            <p class="hint">"Empty fields stay as they are. You see the effect before anything is changed."</p>
            <p class="do">
                <button class="main" type="submit" disabled=is_empty>
                    "Check"
                </button>
                <a href=link(origin(&asked))>"Change nothing"</a>
            </p>
        </form>
    }
}

fn types(chosen: &str) -> impl IntoView {
    let brand = expect_context::<Arc<Brand>>();
    let types =
        ReportType::ALL.map(|kind| (kind.as_str(), brand.label(kind, Lang::En).to_string()));
    let all = [("", "As it is".to_owned())].into_iter().chain(types);
    let option = |(name, label): (&'static str, String)| {
        view! {
            <option value=name selected=name == chosen>
                {label}
            </option>
        }
    };
    all.map(option).collect_view()
}

/// Type of a member's input.
fn kind(member: &str) -> &'static str {
    match member {
        "eventDate" => "date",
        "peopleCount" => "number",
        _ => "text",
    }
}

/// Keyboard of a member's input on phones.
fn mode(member: &str) -> Option<&'static str> {
    matches!(member, "lat" | "lng").then_some("decimal")
}

/// Values with the number of their reports, such as `Oslo 28, Olso 2`.
fn in_words(OldValues { values, more }: &OldValues) -> String {
    let count = |count: u64| neutral(count, Lang::En);
    let values = values.iter().map(|one| format!("{} {}", one.name, count(one.reports)));
    let values = values.collect::<Vec<_>>().join(", ");
    match more {
        0 => values,
        1 => format!("{values} and 1 other"),
        more => format!("{values} and {} others", count(*more as u64)),
    }
}
