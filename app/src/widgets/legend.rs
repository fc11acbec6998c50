use crate::{
    widgets::live::Live,
    words::{Wording, name_of},
};
use kit::signals::{flag, text};
use leptos::prelude::*;
use model::{ReportType, Types};

/// The colours of the types, with their numbers of reports.
#[component]
pub(crate) fn Legend(live: Live, types: Types, wording: Wording) -> impl IntoView {
    let entries: Vec<_> = types
        .each()
        .map(|kind| type_count(kind, wording, move || Some(live.metrics.read().of(kind))))
        .collect();
    view! { <ul class="legend">{entries}</ul> }
}

/// A type's glyph, its name, and its count if there is one.
pub(crate) fn type_count(
    kind: ReportType,
    wording: Wording,
    count: impl Fn() -> Option<u64> + Copy + Send + 'static,
) -> impl IntoView {
    let number = move || wording.number(count().unwrap_or_default());
    view! {
        <li class=kind.as_str() hidden=flag(move || count().is_none())>
            <svg aria-hidden="true">
                <use href=["#", kind.as_str()].concat() />
            </svg>
            <span>{wording.text(name_of(kind))}</span>
            <b>{text(number)}</b>
        </li>
    }
}
