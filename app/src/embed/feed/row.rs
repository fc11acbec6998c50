use super::queue::Entry;
use crate::{embed::text::text, live::Live, time, words::Wording};
use leptos::prelude::*;

/// One report.
#[component]
pub(crate) fn Row(
    entry: Entry,
    /// For the day that the numbers are from.
    live: Live,
    /// `None` until times are renewed: see [`time::use_now`].
    now: RwSignal<Option<f64>>,
    wording: Wording,
) -> impl IntoView {
    let Entry { report, is_new } = entry;
    let kind = report.kind.as_str();
    let class = if is_new { kind.to_owned() + " new" } else { kind.to_owned() };
    let people = u64::from(report.people_count);
    let created_at = report.created_at.clone();
    let age = move || {
        let relative = now.get().and_then(|now| time::relative(&created_at, now));
        relative.unwrap_or_else(|| {
            live.metrics.with(|metrics| time::standing(&created_at, metrics.day()))
        })
    };
    view! {
        <li class=class data-id=report.id>
            <svg aria-hidden="true">
                <use href="#".to_owned() + kind />
            </svg>
            <span class="kind unseen">{wording.get(|words| words.kind(report.kind).to_owned())}</span>
            <p class="place" dir="auto">
                <b>{report.city}</b>
                {wording.text(|words| &words.comma)}
                <span class="country">{report.country}</span>
            </p>
            <p class="people">
                {text(move || wording.counted(|words| &words.person, people))}
            </p>
            <time datetime=report.created_at class:said=move || now.get().is_some()>
                {text(age)}
            </time>
        </li>
    }
}
