use crate::{embed::text::text, live::Live, model::Types, words::Wording};
use leptos::prelude::*;

/// What the colours mean, and how many reports there are of each type.
#[component]
pub(crate) fn Legend(live: Live, types: Types, wording: Wording) -> impl IntoView {
    let entries: Vec<_> = types
        .each()
        .map(|kind| {
            let count = move || wording.number(live.metrics.with(|metrics| metrics.of(kind)));
            view! {
                <li class=kind.as_str()>
                    <svg aria-hidden="true">
                        <use href="#".to_owned() + kind.as_str() />
                    </svg>
                    <span>{wording.get(|words| words.kind(kind).to_owned())}</span>
                    <b>{text(count)}</b>
                </li>
            }
        })
        .collect();
    view! { <ul class="legend">{entries}</ul> }
}
