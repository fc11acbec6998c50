//! Live data: follows a view of the service's event stream (`/api/v1/stream?view=…`) while the
//! requesting component exists.
//!
//! [`use_live`] returns signals. Components never have to retry. After a connection loss, the
//! browser's `EventSource` reconnects automatically once, with the server's delay. After that, and
//! if `EventSource` gives up (any status but 200, so every 429 and 503) or an open stream falls
//! silent, a new stream is opened at growing intervals, and the same views are polled in the
//! meantime. While the page is hidden, no stream is open; a new one is opened as soon as the page
//! is visible again.
//!
//! Browsers allow six connections per host over HTTP/1.1, shared by all tabs, and the service
//! limits connections per address. All pages and frames that the browser lets communicate with each
//! other therefore share one stream.

use crate::{
    contract::{messages::tell_new, page_state::InitialState},
    widgets::new_reports::Known,
};
use js_sys::Date;
use kit::{
    json::{FromJson, field},
    signals::{Var, cleanup, effect},
    stream::{State, Stream},
};
use model::{Metrics, Report, Types};
use std::cell::{Cell, RefCell};
use wasm_bindgen::JsValue;

/// Signals returned by [`use_live`]. Each signal changes only when its value does.
#[derive(Clone, Copy)]
pub(crate) struct Live {
    /// Counters of the widget's view, of all types.
    pub(crate) metrics: Var<Metrics>,
    /// The newest reports of the widget's view, newest first.
    pub(crate) reports: Var<Vec<Report>>,
    pub(crate) state: Var<State>,
    /// Time at which the service last confirmed these values, in milliseconds since 1970; `None` on
    /// the server.
    pub(crate) confirmed_at: Var<Option<f64>>,
}

impl Live {
    /// Number of reports of these types. Reactive.
    pub(crate) fn count(self, types: Types) -> u64 {
        let metrics = self.metrics.read();
        types.sum(|kind| metrics.of(kind))
    }
}

/// Calls `run` whenever the stream sends different newest reports, or another number of reports of
/// these types. `known` is the concatenation of the ids of the newest reports that the page was
/// rendered with. Browser only: call it in an effect.
pub(crate) fn on_news(live: Live, types: Types, known: String, run: impl Fn() + 'static) {
    let last = RefCell::new((known, 0));
    effect(move |is_first| {
        let mut ids = String::new();
        for report in &*live.reports.read() {
            ids += &report.id;
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

/// Follows the view of a widget, starting from the values that its page was rendered with.
///
/// The server's render keeps the initial values. In the browser, the stream is opened after the
/// first render, and closed when the owner of the calling component is cleaned up.
pub(crate) fn use_live(initial: &InitialState) -> Live {
    let live = Live {
        metrics: Var::new(initial.metrics.clone()),
        reports: Var::new(initial.reports.clone()),
        state: Var::new(State::default()),
        confirmed_at: Var::new(None),
    };
    let (base_path, view) = (initial.base_path.clone(), initial.view.clone());
    effect(move |_| {
        live.confirmed_at.set(Some(Date::now()));
        // Some widgets are rendered without the newest reports. For those, the first data do not count
        // as new.
        let is_known = Cell::new(!live.reports.read_untracked().is_empty());
        let on_data = move |data: &JsValue| {
            let reports: Vec<Report> = FromJson::from_json(&field(data, "reports"));
            if is_known.replace(true) {
                // The embedding page gets each new report, the newest last.
                let known = Known::of(&live.reports.read_untracked());
                known.new_among(&reports).iter().rev().for_each(tell_new);
            }
            live.metrics.set(FromJson::from_json(&field(data, "metrics")));
            live.reports.set(reports);
        };
        let on_state = move |state| {
            if state == State::Live {
                live.confirmed_at.set(Some(Date::now()));
            }
            live.state.set(state);
        };
        let stream = Stream::open(&base_path, &view, on_data, on_state);
        cleanup(move || stream.close());
    });
    live
}
