//! What feed and globe say about their connection, and the button that stops what moves by itself.

use crate::{
    live::{Live, State},
    reactive::{Var, flag, text},
    time,
    words::Wording,
};
use leptos::{ev::MouseEvent, prelude::*};

/// Whether the numbers are live, and since when they are not.
///
/// Not a live region: a connection that comes and goes would be announced each time.
#[component]
pub(crate) fn Status(live: Live, wording: Wording) -> impl IntoView {
    let status = move || {
        let words = wording.words();
        match live.state.get() {
            State::Waiting => words.time_of(&live.metrics.get()),
            State::Live => words.live.clone(),
            State::Reconnecting => words.reconnecting.clone(),
        }
    };
    let since = move || match (live.state.get(), live.confirmed_at.get_untracked()) {
        // The next event renews the time, and ends this state.
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

/// When the numbers are from, on paper.
#[component]
pub(crate) fn Printed(live: Live, wording: Wording) -> impl IntoView {
    let date = move || wording.words().date_of(&live.metrics.get());
    view! { <p class="printed">{text(date)}</p> }
}

/// Stops what moves by itself, and lets it go on (WCAG 2.2.2).
#[component]
pub(crate) fn PauseButton(paused: Var<bool>, wording: Wording) -> impl IntoView {
    let label = move || {
        let words = wording.words();
        if paused.get() { words.resume.clone() } else { words.pause.clone() }
    };
    view! {
        <button
            class="pause"
            type="button"
            aria-label=text(label)
            title=text(label)
            class:paused=flag(move || paused.get())
            on:click=move |_: MouseEvent| paused.set(!paused.get_untracked())
        ></button>
    }
}
