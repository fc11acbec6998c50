//! Fetches the changed markers after each change on the stream, while the widget is visible.
//! Without WebGL, it also refreshes the server's drawing.

use super::{
    engine::EngineHandle, new_report_focus::NewReportFocus, places::Rows, state::GlobeSignals,
};
use crate::{
    widgets::live::{Live, on_news},
    words::{
        Wording,
        common::{COMMA, REPORT},
    },
};
use kit::{
    dom::use_listener,
    json::{field, text},
    refresh::{Refresh, fetch, sleep, use_refresh},
    signals::effect,
};
use leptos::prelude::*;
use model::Types;
use std::{
    cell::{OnceCell, RefCell},
    rc::Rc,
};
use web_sys::{DomParser, SupportedType};

/// Minimum time between two requests for markers, in milliseconds.
const REST: i32 = 4_000;
/// Number of places in the list for screen readers.
pub(super) const LISTED: usize = 50;

/// See the [module](self).
pub(super) struct Markers {
    url: String,
    engine: EngineHandle,
    signals: GlobeSignals,
    wording: Wording,
    arrivals: NewReportFocus,
    /// Rows of the last response.
    rows: RefCell<Option<Rows>>,
    /// Version of the last response; empty at first.
    version: RefCell<String>,
    refresh: OnceCell<Refresh>,
}

/// Keeps the engine's places and the list of places up to date, and shows new reports.
pub(super) fn use_markers(
    live: Live,
    types: Types,
    signals: GlobeSignals,
    engine: EngineHandle,
    wording: Wording,
    url: String,
    arrivals: NewReportFocus,
) {
    let markers = Rc::new(Markers {
        url,
        engine,
        signals,
        wording,
        arrivals,
        rows: RefCell::default(),
        version: RefCell::default(),
        refresh: OnceCell::new(),
    });
    effect(move |_| {
        let read = markers.clone();
        let refresh = use_refresh(REST, Some(signals.is_on_screen), move || {
            let markers = read.clone();
            Box::pin(async move { markers.read().await })
        });
        refresh.request();
        _ = markers.refresh.set(refresh.clone());
        let shown = markers.clone();
        use_listener(&window(), "svc:show", move |event| {
            if let (Some(engine), Some(rows)) = (shown.engine.get(), &*shown.rows.borrow()) {
                engine.show(&field(&event, "detail"), rows);
            }
        });
        let known = markers.arrivals.known();
        let markers = markers.clone();
        on_news(live, types, known, move || {
            markers.arrivals.find(&live.reports.read_untracked());
            refresh.request();
        });
    });
}

impl Markers {
    /// Fetches the changes since the last version, or everything if the server no longer has that
    /// version.
    async fn read(&self) {
        let since = self.version.borrow().clone();
        let mark = if self.url.contains('?') { "&since=" } else { "?since=" };
        let url = match since.is_empty() {
            true => self.url.clone(),
            false => [&self.url, mark, &since].concat(),
        };
        let answer = fetch(&url, "json").await;
        let rows = answer.as_ref().and_then(|answer| Some((answer, Rows::read(answer)?)));
        let Some(engine) = self.engine.get() else { return };
        let Some((answer, rows)) = rows else { return engine.start_drawing() };
        let are_changes = !since.is_empty() && text(answer, "since") == since;
        let mut draft = None;
        if are_changes {
            engine.update_places(|places| draft = places.merge(rows.places()));
        } else {
            draft = Some(engine.with_places(|places| places.replaced(rows.places())));
        }
        if let Some(mut draft) = draft {
            // Thousands of places take a weak phone a while, so each step is a task of its own.
            loop {
                sleep(0).await;
                if !draft.step() {
                    break;
                }
            }
            engine.update_places(|places| *places = draft.finish());
        }
        self.version.replace(text(answer, "version"));
        sleep(0).await;
        let words = self.wording.words();
        let listed = engine.with_places(|places| places.busiest(LISTED));
        let listed = listed.into_iter().map(|(counts, city, country)| {
            let count = untrack(|| self.wording.counted(REPORT, counts.total()));
            [&city, words.text(COMMA), &country, ": ", &count].concat()
        });
        self.signals.places.set(listed.collect());
        if !engine.can_draw() {
            self.renew_drawing().await;
        }
        let is_missing = self.arrivals.show(engine, &rows, words.text(COMMA));
        self.rows.replace(Some(rows));
        if let (true, Some(refresh)) = (is_missing, self.refresh.get()) {
            refresh.request();
        }
    }

    /// Replaces the drawing by the one in a newly rendered page.
    async fn renew_drawing(&self) {
        let html = fetch(&document().url().unwrap_or_default(), "text").await;
        let page = html.and_then(|html| {
            let html = html.as_string()?;
            DomParser::new().ok()?.parse_from_string(&html, SupportedType::TextHtml).ok()
        });
        let drawing = page.and_then(|page| page.query_selector(".stage > svg").ok().flatten());
        if let Some(drawing) = drawing {
            self.signals.drawing.set(drawing.inner_html());
        }
    }
}
