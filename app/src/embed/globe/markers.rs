//! The markers: the changes of them are fetched whenever the stream tells of something new, while
//! somebody can see them. Where nothing can draw them, the server's drawing is renewed as well.

use super::{
    engine::EngineHandle,
    places::{Places, Rows},
    state::{GlobeSignals, set},
};
use crate::{
    live::{Live, text},
    model::Types,
    refresh::{Refresh, fetch_json, fetch_text, use_refresh},
    words::Wording,
};
use leptos::prelude::*;
use std::{cell::RefCell, rc::Rc};
use web_sys::{DomParser, SupportedType};

/// The least time between two reads of the markers, in milliseconds.
const REST: i32 = 4_000;
/// How many places are listed for those who do not see the globe.
pub(super) const LISTED: usize = 50;

/// What was read of the markers last, in an effect's hands.
#[derive(Clone, Default)]
pub(super) struct LastMarkers(Rc<RefCell<Known>>);

#[derive(Default)]
struct Known {
    version: String,
    rows: Rows,
}

/// A handle on the markers.
#[derive(Clone, Copy)]
pub(super) struct Markers {
    refresh: StoredValue<Option<Refresh>, LocalStorage>,
    last: StoredValue<LastMarkers, LocalStorage>,
    /// Moves whenever markers were read.
    pub(super) reads: RwSignal<u32>,
}

impl Markers {
    /// What is known is out of date.
    pub(super) fn request(&self) {
        self.refresh.with_value(|refresh| {
            if let Some(refresh) = refresh {
                refresh.request();
            }
        });
    }

    /// Where a new report is, by its id.
    pub(super) fn newest(&self, id: &str) -> Option<super::sphere::Position> {
        self.last.with_value(|last| last.0.borrow().rows.newest(id))
    }
}

/// Keeps the engine's places, and the list of them, up to date.
pub(super) fn use_markers(
    live: Live,
    types: Types,
    signals: GlobeSignals,
    engine: EngineHandle,
    wording: Wording,
    url: String,
) -> Markers {
    let markers = Markers {
        refresh: StoredValue::new_local(None),
        last: StoredValue::new_local(LastMarkers::default()),
        reads: RwSignal::default(),
    };
    let url = StoredValue::new(url);
    Effect::new(move || {
        let fetch = move || async move {
            read_changes(markers, url.get_value(), engine).await;
            let can_draw =
                engine.with_value(|engine| engine.as_ref().is_some_and(|engine| engine.can_draw()));
            if !can_draw {
                renew_drawing(signals).await;
            }
            list_places(engine, signals, wording);
            markers.reads.update(|reads| *reads = reads.wrapping_add(1));
        };
        let refresh = use_refresh(REST, signals.is_on_screen.into(), fetch);
        refresh.request();
        markers.refresh.set_value(Some(refresh));
    });
    // One tick of the stream tells of counts and of reports; the counts move with both.
    let counts = Memo::new(move |_| {
        live.metrics.with(|metrics| types.each().map(|kind| metrics.of(kind)).collect::<Vec<_>>())
    });
    Effect::new(move |begun: Option<()>| {
        counts.track();
        if begun.is_some() {
            markers.request();
        }
    });
    markers
}

/// Reads what changed since the last time, or all of it where the server no longer knows.
async fn read_changes(markers: Markers, url: String, engine: EngineHandle) {
    let since = markers.last.with_value(|last| last.0.borrow().version.clone());
    let mark = if url.contains('?') { "&" } else { "?" };
    let url = if since.is_empty() { url } else { [&url, mark, "since=", &since].concat() };
    let Some(answer) = fetch_json(&url).await else { return };
    let Some(rows) = Rows::read(&answer) else { return };
    let are_changes = !since.is_empty() && text(&answer, "since") == since;
    engine.with_value(|engine| {
        let Some(engine) = engine else { return };
        engine.update_places(|places| match are_changes {
            true => places.merge(rows.places()),
            false => *places = Places::new(rows.places()),
        });
    });
    let known = Known { version: text(&answer, "version"), rows };
    markers.last.with_value(|last| last.0.replace(known));
}

/// Writes the list of the places with the most reports.
fn list_places(engine: EngineHandle, signals: GlobeSignals, wording: Wording) {
    let busiest = engine.with_value(|engine| {
        engine.as_ref().map(|engine| engine.with_places(|places| places.busiest(LISTED)))
    });
    let comma = wording.text(|words| &words.comma);
    let written = busiest.into_iter().flatten().map(|(counts, city, country)| {
        let count = untrack(|| wording.counted(|words| &words.report, counts.total()));
        [&city, &comma, &country, ": ", &count].concat()
    });
    set(signals.places, written.collect());
}

/// Takes the drawing out of the page as the server renders it now.
async fn renew_drawing(signals: GlobeSignals) {
    let page = fetch_text(&document().url().unwrap_or_default()).await.and_then(|html| {
        DomParser::new().ok()?.parse_from_string(&html, SupportedType::TextHtml).ok()
    });
    let drawing = page.and_then(|page| page.query_selector(".stage > svg").ok().flatten());
    if let Some(drawing) = drawing {
        set(signals.drawing, drawing.inner_html());
    }
}
