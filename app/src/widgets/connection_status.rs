//! Connection status of feed and globe, and the button that pauses automatic movement.

use crate::{
    widgets::live::Live,
    words::{
        Wording,
        common::{LIVE, PAUSE, RECONNECTING, RESUME},
        date_of, time_of,
    },
};
use kit::{
    signals::{Var, text},
    stream::State,
    time,
};
use leptos::{ev::MouseEvent, prelude::*};

/// Whether the numbers are live, and if not, since when.
///
/// Not a live region, because an unstable connection would be announced again and again.
#[component]
pub(crate) fn Status(live: Live, wording: Wording) -> impl IntoView {
    let status = move || match live.state.get() {
        State::Waiting => time_of(&live.metrics.read(), &wording.words()),
        State::Live => wording.text(LIVE),
        State::Reconnecting => wording.text(RECONNECTING),
    };
    let since = move || match (live.state.get(), live.confirmed_at.get_untracked()) {
        // The next event updates the time and ends this state.
        (State::Reconnecting, Some(time)) => " · ".to_owned() + &time::clock(time),
        _ => String::new(),
    };
    view! {
        <p class="status">
            <span>{text(status)}</span>
            <span class="since">{text(since)}</span>
        </p>
    }
}

/// Date of the numbers, for print.
#[component]
pub(crate) fn Printed(live: Live, wording: Wording) -> impl IntoView {
    let date = move || date_of(&live.metrics.read(), &wording.words());
    view! { <p class="printed">{text(date)}</p> }
}

/// Pauses and resumes automatic movement (WCAG 2.2.2).
#[component]
pub(crate) fn PauseButton(paused: Var<bool>, wording: Wording) -> impl IntoView {
    let label = move || wording.text(if paused.get() { RESUME } else { PAUSE });
    let class = move || if paused.get() { "pause paused" } else { "pause" }.to_owned();
    view! {
        <button
            class=text(class)
            type="button"
            aria-label=text(label)
            title=text(label)
            on:click:capture=move |_: MouseEvent| paused.set(!paused.get_untracked())
        ></button>
    }
}
