use super::queue::Entry;
use crate::{
    contract::messages::tell_selected,
    widgets::{feed::words::PERSON, live::Live},
    words::{Word, Wording, common::COMMA},
};
use kit::{
    signals::{Var, flag, text},
    time,
};
use leptos::{ev::MouseEvent, prelude::*};

/// One report.
#[component]
pub(crate) fn Row(
    entry: Entry,
    /// Keys of the rows that are the first of their day.
    firsts: Var<Vec<usize>>,
    /// Contains the day that the numbers are from.
    live: Live,
    /// `None` until times are updated: see [`time::use_now`].
    now: Var<Option<f64>>,
    wording: Wording,
) -> impl IntoView {
    let Entry { report, is_new, key } = entry;
    let kind = report.kind.as_str();
    let selected = report.clone();
    let class = [kind, if is_new { " new" } else { "" }].concat();
    let people = u64::from(report.people_count);
    let at = report.time().to_owned();
    let [datetime, day] = [at.clone(), at.clone()];
    let day = move || now.get().map_or_else(String::new, |now| time::day_name(&day, now));
    let is_same_day = move || !firsts.get().contains(&key);
    let age = move || {
        let relative = now.get().and_then(|now| time::relative(&at, now));
        relative.unwrap_or_else(|| time::standing(&at, live.metrics.get().day()))
    };
    let said = move || if now.get().is_some() { "said" } else { "" }.to_owned();
    view! {
        <li
            class=class
            data-id=report.id
            on:click:capture=move |_: MouseEvent| tell_selected(&selected)
        >
            <svg aria-hidden="true">
                <use href=["#", kind].concat() />
            </svg>
            <span class="kind unseen">{wording.text(Word::of(report.kind))}</span>
            <p class="day" hidden=flag(is_same_day)>
                <span>{text(day)}</span>
            </p>
            <p class="place">
                // Reached by arrow keys from the list, see `frontend/rows.js`. A click on it is a
                // click on the row.
                <button type="button" tabindex="-1">
                    // Without its own direction, the name of the city would move the country.
                    <b dir="auto">{report.city}</b>
                    {wording.text(COMMA)}
                    <span class="country">{report.country}</span>
                </button>
            </p>
            <p class="people">
                {text(move || wording.counted(PERSON, people))}
            </p>
            <time datetime=datetime class=text(said)>
                {text(age)}
            </time>
        </li>
    }
}
