//! Filters of a list: a form, and links with the number of reports that each choice leaves.

use model::ReportType;

use crate::words::{
    common::{CITY, COUNTRY, MORE, REGION, TYPE},
    correct::TWO_SPELLINGS,
    lang,
    queue::{
        ALL_TYPES, EARLIEST_EVENT_FIRST, FILTERS, FROM, IMPORT, LATEST_EVENT_FIRST,
        MORE_CHOICES_OF, MORE_FILTERS, NEWEST_FIRST, OLDEST_FIRST, ORDER, PLACE_OR_ID,
        REMOVE_FILTER, SHOW, TEXT, TO,
    },
    t, with,
};
use crate::{
    backend::{Choice, List},
    layout::DeskQuery,
};
use app::{brand::Brand, shell::link};
use kit::{number::neutral, words::Word};
use leptos::prelude::*;
use std::sync::Arc;

/// Fields of the form besides the text: parameter, label, and type.
const FIELDS: [(&str, Word, &str); 6] = [
    ("country", COUNTRY, "text"),
    ("region", REGION, "text"),
    ("city", CITY, "text"),
    ("from", FROM, "date"),
    ("to", TO, "date"),
    ("import", IMPORT, "text"),
];

const ORDERS: [(&str, Word); 4] = [
    ("", NEWEST_FIRST),
    ("oldest", OLDEST_FIRST),
    ("event-newest", LATEST_EVENT_FIRST),
    ("event-oldest", EARLIEST_EVENT_FIRST),
];

/// Number of choices shown at once; the others are behind "More".
const SHOWN: usize = 8;

/// The conditions that narrow a list: parameter, label and value.
fn conditions(asked: &DeskQuery) -> Vec<(&'static str, Word, String)> {
    let names = [("q", TEXT), ("type", TYPE)].into_iter();
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
        kind.map(|kind| brand.label(kind, lang()).to_string()).unwrap_or_default()
    };
    let types = ReportType::ALL.map(|kind| {
        let count = list.types.iter().find(|one| one.name == kind.as_str());
        let count = count.filter(|one| one.reports > 0);
        let count = count.map(|one| format!(" ({})", neutral(one.reports, lang())));
        (kind.as_str(), label(kind.as_str()) + &count.unwrap_or_default())
    });
    let types = [("", t(ALL_TYPES))].into_iter().chain(types).collect();
    let orders = ORDERS.map(|(value, text)| (value, t(text))).to_vec();
    let select = |name: &'static str, label: Word, choices: Vec<(&'static str, String)>| {
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
                <span>{t(label)}</span>
                <select name=name>{choices.collect_view()}</select>
            </label>
        }
    };
    let fields = FIELDS.map(|(name, label, kind)| {
        view! {
            <label>
                <span>{t(label)}</span>
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
        let label = t(label);
        let remove = with(REMOVE_FILTER, &[("name", &label), ("value", &value)]);
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
        view! { <ul class="chips" aria-label=t(FILTERS)>{conditions}</ul> }
    });
    let places = match (&*asked.value("country"), &*asked.value("region"), &*asked.value("city")) {
        ("", ..) => Some(("country", COUNTRY, list.countries)),
        (_, "", "") if !list.regions.is_empty() => Some(("region", REGION, list.regions)),
        (_, _, "") => Some(("city", CITY, list.cities)),
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
                    <span>{t(PLACE_OR_ID)}</span>
                    <input name="q" type="search" value=asked.value("q") />
                </label>
                {select("type", TYPE, types)}
                {select("order", ORDER, orders)}
                <button class="main" type="submit">
                    {t(SHOW)}
                </button>
                <details>
                    <summary>{t(MORE_FILTERS)}</summary>
                    <div class="fields">{fields}</div>
                </details>
            </form>
            {conditions}
            {places}
            {has_places.then(|| view! { <a href=link("/desk/places")>{t(TWO_SPELLINGS)}</a> })}
        </search>
    }
}

/// Links that narrow the list to a choice.
#[component]
fn Choices(
    asked: DeskQuery,
    name: &'static str,
    label: Word,
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
                    <span class="count">{neutral(reports, lang())}</span>
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
                <summary>{t(MORE)}</summary>
                <ul class="chips" aria-label=with(MORE_CHOICES_OF, &[("name", &t(label))])>
                    {others}
                </ul>
            </details>
        }
    });
    view! {
        <div class="narrower">
            <ul class="chips" aria-label=t(label)>
                {shown}
            </ul>
            {others}
        </div>
    }
}
