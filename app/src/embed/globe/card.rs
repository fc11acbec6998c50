use super::{counts::Counts, state::Chosen};
use crate::{
    embed::text::text,
    model::{ReportType, Types},
    words::Wording,
};
use leptos::{html::Div, prelude::*};

/// The card of the place that was chosen: city and country, and how many reports of each type.
#[component]
pub(crate) fn Card(
    chosen: RwSignal<Option<Chosen>>,
    types: Types,
    wording: Wording,
    /// The box that the engine puts beside the place.
    node_ref: NodeRef<Div>,
) -> impl IntoView {
    let part = move |read: fn(&Chosen) -> String| {
        text(move || chosen.with(|chosen| chosen.as_ref().map(read).unwrap_or_default()))
    };
    let count_of = move |count: fn(Counts, ReportType) -> u64, kind| {
        chosen.with(|chosen| chosen.as_ref().map_or(0, |chosen| count(chosen.counts, kind)))
    };
    let total = move || {
        let count = chosen.with(|chosen| chosen.as_ref().map_or(0, |chosen| chosen.counts.total()));
        wording.counted(|words| &words.report, count)
    };
    let entries: Vec<_> = types
        .each()
        .map(|kind| {
            let count = move || count_of(Counts::of, kind);
            view! {
                <li class=kind.as_str() hidden=move || count() == 0>
                    <svg aria-hidden="true">
                        <use href="#".to_owned() + kind.as_str() />
                    </svg>
                    <span>{wording.get(|words| words.kind(kind).to_owned())}</span>
                    <b>{text(move || wording.number(count()))}</b>
                </li>
            }
        })
        .collect();
    let is_rough =
        move || chosen.with(|chosen| chosen.as_ref().is_some_and(|chosen| chosen.is_rough));
    view! {
        <div class="card" role="status">
            <div node_ref=node_ref hidden=move || chosen.with(|chosen| chosen.is_none())>
                <b>{part(|chosen| chosen.city.clone())}</b>
                // Each on its own: in a text from right to left, names and numbers would change
                // places.
                <p>
                    <bdi>{part(|chosen| chosen.country.clone())}</bdi>
                    " · "
                    <bdi>{text(total)}</bdi>
                </p>
                <small hidden=move || !is_rough()>{wording.text(|words| &words.rough)}</small>
                <ul>{entries}</ul>
            </div>
        </div>
    }
}
