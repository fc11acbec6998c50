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
    queue::{Queue, use_latest},
    row::Row,
};
use crate::{
    embed::{
        InitialState,
        announcer::Announcer,
        pulse::{PauseButton, Printed, Status},
    },
    live::use_live,
    reactive::{Var, effect, flag, text},
    time::use_now,
    words::Wording,
};
use js_sys::Date;
use leptos::{
    ev::{Event, FocusEvent, MouseEvent, PointerEvent},
    html::Ol,
    prelude::*,
};
use std::{rc::Rc, time::Duration};

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
    let wording = Wording::new(&initial.words);
    let words = wording.words();
    let live = use_live(&initial);
    let list = NodeRef::<Ol>::new();
    let announced = Var::new(String::new());
    let announcer = Announcer::new(wording, announced);
    let queue = Queue::new(use_latest(live, &initial), list, announcer, wording);
    let Queue { entries, waiting, is_paused, .. } = *queue;
    let now = use_now(MINUTE_HAND);
    // What has just come in has just happened: its age is not the one of the last minute hand.
    effect(move |is_first| {
        entries.get();
        if !is_first && now.get_untracked().is_some() {
            now.set(Some(Date::now()));
        }
    });
    let types = initial.types;
    let is_unlabelled = initial.label.is_empty();
    let row = move |entry| view! { <Row entry=entry live=live now=now wording=wording /> };
    // Whatever may have been the reason to wait, it may be over.
    let reading: Rc<dyn Fn()> = Rc::new({
        let queue = queue.clone();
        move || queue.check_reader()
    });
    let on_pointer = || -> Box<dyn FnMut(PointerEvent)> {
        let reading = reading.clone();
        Box::new(move |_| reading())
    };
    let on_focus = || -> Box<dyn FnMut(FocusEvent)> {
        let reading = reading.clone();
        Box::new(move |_| reading())
    };
    let on_scroll = reading.clone();
    view! {
        <header class="pulse" data-state=move || live.state.get().as_str()>
            <h1 class="unseen">{initial.heading.clone()}</h1>
            <p class="total">
                <bdi class="label" hidden=is_unlabelled>
                    {initial.label.clone()}
                </bdi>
                <span>{text(move || wording.counted(|words| &words.report, live.count(types)))}</span>
            </p>
            <Status live=live wording=wording />
            <PauseButton paused=is_paused wording=wording />
        </header>
        <Printed live=live wording=wording />
        <p class="unseen" role="status">
            {text(move || announced.get())}
        </p>
        <button
            class="waiting"
            type="button"
            hidden=flag(move || waiting.get().is_empty())
            on:click=move |_: MouseEvent| queue.release()
        >
            {text(move || waiting.get())}
        </button>
        <ol
            tabindex="0"
            aria-label=initial.heading.clone()
            node_ref=list
            on:pointerenter=on_pointer()
            on:pointerleave=on_pointer()
            on:focusin=on_focus()
            on:focusout=on_focus()
            on:scroll=move |_: Event| on_scroll()
        >
            <For each=move || entries.get() key=|entry| entry.report.id.clone() children=row />
        </ol>
        <p class="nothing">{words.nothing_yet.clone()}</p>
    }
}
