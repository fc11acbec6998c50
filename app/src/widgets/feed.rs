//! The feed widget: the newest reports, live.
//!
//! [`FeedBoard`] is rendered twice from one view: by the server with the reports of the page, and
//! by the browser over signals. [`queue`] decides which reports are shown and when; [`row`] renders
//! one report.

#[cfg(feature = "ssr")]
mod document;
#[cfg(feature = "ssr")]
mod picture;
mod queue;
mod row;

#[cfg(feature = "ssr")]
use {super::registry::Widget, document::FeedWidget};

use self::{queue::Queue, row::Row};
use crate::{
    contract::page_state::InitialState,
    widgets::{
        announcer::Announcer,
        connection_status::{PauseButton, Printed, Status},
        live::use_live,
    },
    words::{Word, Wording},
};
use js_sys::Date;
use kit::{
    signals::{Var, effect, text},
    time::use_now,
};
use leptos::{ev::MouseEvent, html::Ol, prelude::*};
use std::time::Duration;

/// Interval at which the relative times are updated.
const MINUTE_HAND: Duration = Duration::from_secs(15);

/// The widget's entry in the [registry](super::registry).
#[cfg(feature = "ssr")]
pub(super) const WIDGET: Widget = Widget {
    name: "feed",
    label: "Feed",
    title: |words| words.feed,
    height: 320,
    whole_height: "(w,n)=>60+44*(n||20)",
    view: || FeedWidget().into_any(),
    picture: Some(picture::draw),
};

/// Texts of the island, by name.
#[cfg(feature = "ssr")]
const WORDS: &[Word] = &[
    Word::AsOf,
    Word::AsOfDate,
    Word::Both,
    Word::Comma,
    Word::Live,
    Word::NewReport,
    Word::NothingYet,
    Word::Pause,
    Word::Person,
    Word::Reconnecting,
    Word::Report,
    Word::Resume,
    Word::Spirit,
    Word::Water,
];

/// The island: the header and the list of the newest reports.
#[island(lazy)]
pub fn FeedBoard() -> impl IntoView {
    let initial = InitialState::get();
    let wording = Wording::new(&initial.words);
    let live = use_live(&initial);
    let list = NodeRef::<Ol>::new();
    let announced = Var::new(String::new());
    let announcer = Announcer::new(wording, announced);
    let queue = Queue::new(live, list, announcer, wording);
    let Queue { entries, waiting, is_paused, .. } = *queue;
    let now = use_now(MINUTE_HAND);
    // New entries have just happened, so their age must not be computed from the last update of
    // `now`.
    effect(move |is_first| {
        entries.get();
        if !is_first && now.get_untracked().is_some() {
            now.set(Some(Date::now()));
        }
    });
    let types = initial.types;
    let is_unlabelled = initial.label.is_empty();
    let row = move |entry| view! { <Row entry=entry live=live now=now wording=wording /> };
    let button =
        move || if waiting.get().is_empty() { "waiting none" } else { "waiting" }.to_owned();
    view! {
        <header class="pulse" data-state=text(move || live.state.get().as_str().to_owned())>
            <h1 class="unseen">{initial.heading.clone()}</h1>
            <p class="total">
                <bdi class="label" hidden=is_unlabelled>
                    {initial.label.clone()}
                </bdi>
                <span>{text(move || wording.counted(Word::Report, live.count(types)))}</span>
            </p>
            <Status live=live wording=wording />
            <PauseButton paused=is_paused wording=wording />
        </header>
        <Printed live=live wording=wording />
        <p class="unseen" role="status">
            {text(move || announced.get())}
        </p>
        <button
            class=text(button)
            type="button"
            on:click:capture=move |_: MouseEvent| queue.release()
        >
            {text(move || waiting.get())}
        </button>
        <ol
            tabindex="0"
            aria-label=initial.heading.clone()
            node_ref=list
        >
            <For each=move || entries.get() key=|entry| entry.key children=row />
        </ol>
        <p class="nothing">{wording.text(Word::NothingYet)}</p>
    }
}
