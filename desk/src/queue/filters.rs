//! Filters of a list: a form, and links with the number of reports that each choice leaves.

use model::ReportType;

use crate::{
    backend::{Choice, List},
    layout::DeskQuery,
};
use app::{brand::Brand, shell::link};
use kit::{lang::Lang, number::neutral};
use leptos::prelude::*;
use std::sync::Arc;

/// Fields of the form besides the text: parameter, label, and type.
const FIELDS: [(&str, &str, &str); 6] = [
    ("country", "Country", "text"),
    ("region", "Region", "text"),
    ("city", "City", "text"),
    ("from", "From", "date"),
    ("to", "To", "date"),
    ("import", "Import", "text"),
];

const ORDERS: [(&str, &str); 4] = [
    ("", "Newest first"),
    ("oldest", "Oldest first"),
    ("event-newest", "Latest event first"),
    ("event-oldest", "Earliest event first"),
];

/// Number of choices shown at once; the others are behind "More".
const SHOWN: usize = 8;

/// The conditions that narrow a list: parameter, label and value.
fn conditions(asked: &DeskQuery) -> Vec<(&'static str, &'static str, String)> {
    let names = [("q", "Text"), ("type", "Type")].into_iter();
    let names = names.chain(FIELDS.map(|(name, label, _)| (name, label)));
    let values = names.map(|(name, label)| (name, label, asked.value(name)));
    values.filter(|(.., value)| !value.is_empty()).collect()
}

/// Whether a list is narrowed by filters.
pub(super) fn is_narrowed(asked: &DeskQuery) -> bool {
    !conditions(asked).is_empty()
}

/// The filters of the list.
#[component]
pub(super) fn Filters(asked: DeskQuery, list: List) -> impl IntoView {
    let brand = expect_context::<Arc<Brand>>();
    let label = |kind: &str| {
        let kind = ReportType::ALL.into_iter().find(|one| one.as_str() == kind);
        kind.map(|kind| brand.label(kind, Lang::En).to_string()).unwrap_or_default()
    };
    let types = ReportType::ALL.map(|kind| {
        let count = list.types.iter().find(|one| one.name == kind.as_str());
        let count = count.filter(|one| one.reports > 0);
        let count = count.map(|one| format!(" ({})", neutral(one.reports, Lang::En)));
        (kind.as_str(), label(kind.as_str()) + &count.unwrap_or_default())
    });
    let types = [("", "All types".to_owned())].into_iter().chain(types).collect();
    let orders = ORDERS.map(|(value, text)| (value, text.to_owned())).to_vec();
    let select = |name: &'static str, label: &'static str, choices: Vec<(&'static str, String)>| {
        let chosen = asked.value(name);
        let choices = choices.into_iter().map(|(value, text)| {
            view! {
                <option value=value selected=value == chosen>
                    {text}
                </option>
            }
        });
        view! {
            <label>
                <span>{label}</span>
                <select name=name>{choices.collect_view()}</select>
            </label>
        }
    };
    let fields = FIELDS.map(|(name, label, kind)| {
        view! {
            <label>
                <span>{label}</span>
                <input name=name type=kind value=asked.value(name) />
            </label>
        }
    });
    let status = asked.value("status");
    let status = (!status.is_empty())
        .then(|| view! { <input type="hidden" name="status" value=status.clone() /> });
    let shown = move |name: &str, value: String| match name {
        "type" => label(&value),
        _ => value,
    };
    let without = |name: &str| {
        let first = DeskQuery { query: asked.with("after", ""), ..DeskQuery::default() };
        link(format!("/desk?{}", first.with(name, "")))
    };
    let conditions = conditions(&asked).into_iter().map(|(name, label, value)| {
        let value = shown(name, value);
        let remove = format!("Remove {label}: {value}");
        view! {
            <li>
                <a href=without(name) aria-label=remove>
                    {label}
                    ": "
                    <b>
                        <bdi>{value}</bdi>
                    </b>
                    <span aria-hidden="true">" ×"</span>
                </a>
            </li>
        }
    });
    let conditions = conditions.collect::<Vec<_>>();
    let conditions = (!conditions.is_empty()).then(|| {
        view! { <ul class="chips" aria-label="Filters">{conditions}</ul> }
    });
    let places = match (&*asked.value("country"), &*asked.value("region"), &*asked.value("city")) {
        ("", ..) => Some(("country", "Country", list.countries)),
        (_, "", "") if !list.regions.is_empty() => Some(("region", "Region", list.regions)),
        (_, _, "") => Some(("city", "City", list.cities)),
        _ => None,
    };
    let places = places.filter(|(.., choices)| choices.len() > 1);
    let has_places = places.is_some();
    let places = places.map(|(name, label, choices)| {
        view! { <Choices asked=asked.clone() name=name label=label choices=choices /> }
    });
    view! {
        <search class="filters">
            <form method="get" action=link("/desk")>
                {status}
                <label class="text">
                    <span>"Place or id"</span>
                    <input name="q" type="search" value=asked.value("q") />
                </label>
                {select("type", "Type", types)}
                {select("order", "Order", orders)}
                <button class="main" type="submit">
                    "Show"
                </button>
                <details>
                    <summary>"More filters"</summary>
                    <div class="fields">{fields}</div>
                </details>
            </form>
            {conditions}
            {places}
            {has_places.then(|| view! { <a href=link("/desk/places")>"Places spelled in two ways"</a> })}
        </search>
    }
}

/// Links that narrow the list to a choice.
#[component]
fn Choices(
    asked: DeskQuery,
    name: &'static str,
    label: &'static str,
    choices: Vec<Choice>,
) -> impl IntoView {
    let first = DeskQuery { query: asked.with("after", ""), ..DeskQuery::default() };
    let choice = |Choice { name: value, reports }: Choice| {
        let href = link(format!("/desk?{}", first.with(name, &value)));
        view! {
            <li>
                <a href=href>
                    <bdi>{value}</bdi>
                    " "
                    <span class="count">{neutral(reports, Lang::En)}</span>
                </a>
            </li>
        }
    };
    let mut choices = choices.into_iter();
    let shown = choices.by_ref().take(SHOWN).map(choice).collect_view();
    let others: Vec<_> = choices.map(choice).collect();
    let others = (!others.is_empty()).then(|| {
        view! {
            <details>
                <summary>"More"</summary>
                <ul class="chips" aria-label=format!("More choices of {label}")>
                    {others}
                </ul>
            </details>
        }
    });
    view! {
        <div class="narrower">
            <ul class="chips" aria-label=label>
                {shown}
            </ul>
            {others}
        </div>
    }
}
