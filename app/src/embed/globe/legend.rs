use crate::{live::Live, model::Types, reactive::text, words::Wording};
use leptos::prelude::*;

/// What the colours mean, and how many reports there are of each type.
#[component]
pub(crate) fn Legend(live: Live, types: Types, wording: Wording) -> impl IntoView {
    let words = wording.words();
    let entries: Vec<_> = types
        .each()
        .map(|kind| {
            let count = move || wording.number(live.metrics.get().of(kind));
            view! {
                <li class=kind.as_str()>
                    <svg aria-hidden="true">
                        <use href=["#", kind.as_str()].concat() />
                    </svg>
                    <span>{words.kind(kind).to_owned()}</span>
                    <b>{text(count)}</b>
                </li>
            }
        })
        .collect();
    view! { <ul class="legend">{entries}</ul> }
}
