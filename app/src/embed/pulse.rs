//! What feed and globe say about their connection, and the button that stops what moves by itself.

use super::text::text;
use crate::{
    live::{Live, State},
    words::Wording,
};
use leptos::prelude::*;

/// Whether the numbers are live, and since when they are not.
///
/// Not a live region: a connection that comes and goes would be announced each time.
#[component]
pub(crate) fn Status(live: Live, wording: Wording) -> impl IntoView {
    view! { <p class="status">{text(move || status(live, wording))}</p> }
}

/// The words of [`Status`]. Reactive.
pub(super) fn status(live: Live, wording: Wording) -> String {
    match live.state.get() {
        State::Waiting => wording.get(|words| live.metrics.with(|metrics| words.time_of(metrics))),
        State::Live => wording.text(|words| &words.live),
        State::Reconnecting => {
            // Events renew the time without need to render anything: they end this state.
            let since = wording.clock(live.confirmed_at.get_untracked());
            wording.text(|words| &words.reconnecting) + " · " + &since
        }
    }
}

/// When the numbers are from, on paper.
#[component]
pub(crate) fn Printed(live: Live, wording: Wording) -> impl IntoView {
    let date = move || wording.get(|words| live.metrics.with(|metrics| words.date_of(metrics)));
    view! { <p class="printed">{text(date)}</p> }
}

/// Stops what moves by itself, and lets it go on (WCAG 2.2.2).
#[component]
pub(crate) fn PauseButton(paused: RwSignal<bool>, wording: Wording) -> impl IntoView {
    let label = move || match paused.get() {
        true => wording.text(|words| &words.resume),
        false => wording.text(|words| &words.pause),
    };
    view! {
        <button
            class="pause"
            type="button"
            aria-label=text(label)
            title=text(label)
            class:paused=move || paused.get()
            on:click=move |_| paused.update(|paused| *paused = !*paused)
        ></button>
    }
}
