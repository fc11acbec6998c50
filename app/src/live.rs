//! Live data: follows the service's event stream (`/api/v1/stream`) for as long as the component
//! that asked for it exists.
//!
//! [`use_live`] returns signals. A component never has to retry: after a connection loss the
//! browser's `EventSource` reconnects by itself once, as the server asked; from then on, and where
//! `EventSource` gives up (any response but 200, so every 429 and 503) or an open stream falls
//! silent, a new one is opened, ever less often. While nobody looks at the page nothing is open;
//! looking again opens at once.
//!
//! A browser allows a host six connections over HTTP/1.1, for all its tabs together. So there is
//! one stream per URL, shared by all pages and frames that the browser lets know of each other.

mod backoff;
mod lock;
mod read;
mod stream;

use self::stream::Stream;
use crate::{
    embed::InitialState,
    model::{Metrics, Report, Types},
    reactive::{Var, cleanup, effect},
};
use js_sys::Date;
pub(crate) use read::{field, list, metrics as read_metrics, reports as read_reports, text};
use std::cell::RefCell;
use wasm_bindgen::JsValue;

/// Whether what is shown is up to date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// As the server rendered it: no event has arrived yet, and nothing has failed.
    #[default]
    Waiting,
    /// Events arrive.
    Live,
    /// The connection is lost, silent or refused, or the server says that it cannot count.
    Reconnecting,
}

impl State {
    /// The value of `data-state`.
    pub const fn as_str(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Live => "live",
            State::Reconnecting => "reconnecting",
        }
    }
}

/// What [`use_live`] returns. Each signal changes only when its value does.
#[derive(Clone, Copy)]
pub(crate) struct Live {
    /// The counters of the widget's place, of all types.
    pub(crate) metrics: Var<Metrics>,
    /// The 20 newest reports of the widget's place, of all types, newest first.
    pub(crate) reports: Var<Vec<Report>>,
    pub(crate) state: Var<State>,
    /// When the service last confirmed these values, in milliseconds since 1970; `None` on the
    /// server.
    pub(crate) confirmed_at: Var<Option<f64>>,
}

impl Live {
    /// How many reports of some types there are. Reactive.
    pub(crate) fn count(self, types: Types) -> u64 {
        let metrics = self.metrics.get();
        types.sum(|kind| metrics.of(kind))
    }
}

/// Runs whenever the stream tells of other newest reports of these types than before, or of another
/// number of them. `known` are the ids of the newest that the page was rendered with, one after the
/// other. Browser only: to be called in an effect.
pub(crate) fn on_news(live: Live, types: Types, known: String, run: impl Fn() + 'static) {
    let last = RefCell::new((known, 0));
    effect(move |is_first| {
        let mut ids = String::new();
        for report in live.reports.get() {
            if types.has(report.kind) {
                ids += &report.id;
            }
        }
        let now = (ids, live.count(types));
        let mut last = last.borrow_mut();
        if is_first {
            last.1 = now.1;
        } else if *last != now {
            *last = now;
            drop(last);
            run();
        }
    });
}

/// Follows the stream of a widget, starting from the values that its page was rendered with.
///
/// The server's render keeps the initial values. In the browser the stream is opened after the
/// first render, and closed when the owner of the calling component is cleaned up.
pub(crate) fn use_live(initial: &InitialState) -> Live {
    let live = Live {
        metrics: Var::new(initial.metrics.clone()),
        reports: Var::new(initial.reports.clone()),
        state: Var::new(State::default()),
        confirmed_at: Var::new(None),
    };
    let url = initial.stream.clone();
    effect(move |_| {
        live.confirmed_at.set(Some(Date::now()));
        let on_event = move |event: &str, data: &JsValue| {
            live.confirmed_at.set(Some(Date::now()));
            match event {
                "metrics" => live.metrics.set(read::metrics(data)),
                _ => live.reports.set(read::reports(data)),
            }
        };
        let stream = Stream::open(&url, on_event, move |state| live.state.set(state));
        cleanup(move || stream.close());
    });
    live
}
