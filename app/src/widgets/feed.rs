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
pub(crate) mod words;

#[cfg(feature = "ssr")]
pub(super) use document::WIDGET;

use self::{queue::Queue, row::row};
use crate::{
    contract::page_state::InitialState,
    widgets::{
        announcer::Announcer,
        connection_status::{PauseButton, Printed},
        header::{header, report_count},
        live::use_live,
    },
    words::{Wording, common::NOTHING_YET},
};
use js_sys::Date;
use kit::{
    signals::{Var, effect, text},
    time::{day, use_now},
};
use leptos::{ev::MouseEvent, html::Ol, prelude::*};

/// The island: the header and the list of the newest reports.
#[component]
pub fn FeedBoard() -> impl IntoView {
    let initial = InitialState::get();
    let wording = Wording::new(&initial.words);
    let live = use_live(&initial);
    let list = NodeRef::<Ol>::new();
    let announced = Var::new(String::new());
    let announcer = Announcer::new(wording, announced);
    let queue = Queue::new(live, list, announcer, wording);
    let Queue { shown, waiting, is_paused, .. } = *queue;
    let now = use_now(move || {
        let shown = shown.read_untracked();
        shown.reports.first().map_or_else(String::new, |report| report.time().to_owned())
    });
    // Places of the rows that are the first of their day.
    let firsts = Var::new(Vec::new());
    effect(move |is_first| {
        let mut last = f64::NAN;
        let mut places = Vec::new();
        for (place, report) in shown.read().reports.iter().enumerate() {
            let day = day(report.time());
            if day != last {
                places.push(place);
            }
            last = day;
        }
        firsts.set(places);
        // New reports have just happened, so their age must not be computed from the last update of
        // `now`.
        if !is_first && now.get_untracked().is_some() {
            now.set(Some(Date::now()));
        }
    });
    let types = initial.types;
    // A row is not bound to a report: each takes the next report when one arrives at the top.
    let rows = move || {
        let shown = shown.read();
        let row =
            |(place, report)| row(report, place, place < shown.new, firsts, live, now, wording);
        shown.reports.iter().enumerate().map(row).collect::<Vec<_>>()
    };
    let arrival = move || {
        let shown = shown.read();
        match (shown.new, shown.is_odd) {
            (0, _) => "",
            (_, true) => "arrival",
            (_, false) => "arrival again",
        }
        .to_owned()
    };
    let button =
        move || if waiting.get().is_empty() { "waiting none" } else { "waiting" }.to_owned();
    let total = view! { <p class="total">{report_count(wording, move || live.count(types))}</p> };
    let pause = view! { <PauseButton paused=is_paused wording=wording /> };
    view! {
        {header(live, wording, initial.title(), total, pause)}
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
            class=text(arrival)
            node_ref=list
        >
            {rows}
        </ol>
        <p class="nothing">{wording.text(NOTHING_YET)}</p>
    }
}

kit::own_module!(feed, FeedBoard);
