use super::{counts::Counts, state::Chosen};
use crate::{
    embed::legend::type_count,
    reactive::{Var, flag, text},
    words::{Word, Wording},
};
use leptos::{html::Div, prelude::*};
use model::Types;

/// The card of the place that was chosen: city and country, and how many reports of each type.
#[component]
pub(crate) fn Card(
    chosen: Var<Option<Chosen>>,
    types: Types,
    wording: Wording,
    /// The box that the engine puts beside the place.
    node_ref: NodeRef<Div>,
) -> impl IntoView {
    let counts = move || chosen.get().map_or(Counts::default(), |chosen| chosen.counts);
    let name =
        move |name: fn(Chosen) -> String| text(move || chosen.get().map(name).unwrap_or_default());
    let entries: Vec<_> = types
        .each()
        .map(|kind| {
            type_count(kind, wording, move || Some(counts().of(kind)).filter(|count| *count > 0))
        })
        .collect();
    let is_certain = move || !chosen.get().is_some_and(|chosen| chosen.is_rough);
    view! {
        <div class="card" role="status">
            <div node_ref=node_ref hidden=flag(move || chosen.get().is_none())>
                <b>{name(|chosen| chosen.city)}</b>
                // Each on its own: in a text from right to left, names and numbers would change
                // places.
                <p>
                    <bdi>{name(|chosen| chosen.country)}</bdi>
                    " · "
                    <bdi>
                        {text(move || wording.counted(Word::Report, counts().total()))}
                    </bdi>
                </p>
                <small hidden=flag(is_certain)>{wording.text(Word::Rough)}</small>
                <ul>{entries}</ul>
            </div>
        </div>
    }
}
