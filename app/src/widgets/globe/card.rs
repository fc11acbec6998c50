use super::{counts::Counts, state::Chosen};
use crate::{
    widgets::{globe::words::ROUGH, legend::type_count},
    words::{Wording, common::REPORT},
};
use kit::signals::{Var, flag, text};
use leptos::{html::Div, prelude::*};
use model::Types;

/// The card of the selected place: city, country and number of reports per type.
#[component]
pub(crate) fn Card(
    chosen: Var<Option<Chosen>>,
    types: Types,
    wording: Wording,
    /// The element that the engine places beside the place.
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
                // Separate elements: in a right-to-left text, names and numbers would otherwise
                // change places.
                <p>
                    <bdi>{name(|chosen| chosen.country)}</bdi>
                    " · "
                    <bdi>
                        {text(move || wording.counted(REPORT, counts().total()))}
                    </bdi>
                </p>
                <small hidden=flag(is_certain)>{wording.text(ROUGH)}</small>
                <ul>{entries}</ul>
            </div>
        </div>
    }
}
