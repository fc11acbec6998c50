//! The feed widget: the newest reports, live.
//!
//! [`FeedBoard`] is rendered twice from one view: by the server with the reports of the page, and
//! by the browser over signals. [`queue`] decides what of the stream is shown and when; [`row`] is
//! one report.

#[cfg(feature = "ssr")]
mod document;
mod queue;
mod row;

#[cfg(feature = "ssr")]
pub use document::FeedWidget;

use self::{
    queue::{Queue, use_latest, use_queue},
    row::Row,
};
use crate::{
    embed::{
        InitialState,
        announcer::Announcer,
        pulse::{PauseButton, Printed, Status},
        text::text,
    },
    live::use_live,
    time::use_now,
    words::Wording,
};
use leptos::{html::Ol, prelude::*};
use std::time::Duration;

/// Maximum number of rows.
pub const ROWS: usize = 20;

/// How often the times are renewed.
const MINUTE_HAND: Duration = Duration::from_secs(15);

/// What the island says, by name.
#[cfg(feature = "ssr")]
const WORDS: &[&str] = &[
    "as_of",
    "both",
    "comma",
    "feed",
    "live",
    "new_report",
    "nothing_yet",
    "pause",
    "person",
    "reconnecting",
    "report",
    "resume",
    "spirit",
    "water",
];

/// The island: the header, and the list of the newest reports.
#[island(lazy)]
pub fn FeedBoard() -> impl IntoView {
    let initial = InitialState::get();
    let wording = Wording::new(initial.words.clone());
    let announcer = Announcer::new(wording);
    let live = use_live(&initial);
    let list = NodeRef::<Ol>::new();
    let Queue { entries, waiting, paused, reading, release } =
        use_queue(use_latest(live, &initial), list, announcer);
    let now = use_now(MINUTE_HAND);
    let types = initial.types;
    let total = move || {
        let total = live.metrics.with(|metrics| types.sum(|kind| metrics.of(kind)));
        wording.counted(|words| &words.report, total)
    };
    let row = move |entry| view! { <Row entry=entry live=live now=now wording=wording /> };
    view! {
        <header class="pulse" data-state=move || live.state.get().as_str()>
            <h1>{initial.heading.clone()}</h1>
            <p class="total">
                {(!initial.label.is_empty())
                    .then(|| view! { <bdi class="label">{initial.label.clone()}</bdi> })}
                <span>{text(total)}</span>
            </p>
            <Status live=live wording=wording />
            <PauseButton paused=paused wording=wording />
        </header>
        <Printed live=live wording=wording />
        <p class="unseen" role="status">
            {text(move || announcer.text.get())}
        </p>
        <button
            class="waiting"
            type="button"
            hidden=move || waiting.get() == 0
            on:click=move |_| release.run(())
        >
            {text(move || wording.counted(|words| &words.new_report, waiting.get()))}
        </button>
        <ol
            tabindex="0"
            aria-label=initial.heading
            node_ref=list
            on:pointerenter=move |_| reading.run(())
            on:pointerleave=move |_| reading.run(())
            on:focusin=move |_| reading.run(())
            on:focusout=move |_| reading.run(())
            on:scroll=move |_| reading.run(())
        >
            <For each=move || entries.get() key=|entry| entry.report.id.clone() children=row />
        </ol>
        <p class="nothing">{wording.text(|words| &words.nothing_yet)}</p>
    }
}
