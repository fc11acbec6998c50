//! What the globe starts from, and the signals between its view and its engine.

use super::{counts::Counts, sphere::Position};
use crate::{
    embed::InitialState,
    live::{field, list, text},
};
use leptos::prelude::*;

/// What the globe starts from beyond what every widget does: on the server by context, in the
/// browser out of the page.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "ssr", derive(serde::Serialize), serde(rename_all = "camelCase"))]
pub(super) struct GlobeState {
    /// Where the markers are.
    pub(super) markers_url: String,
    /// The middle of the drawing.
    pub(super) center: Position,
    /// The places with the most reports: "Lyon, France: 12 reports".
    pub(super) places: Vec<String>,
    /// The ids of the newest reports.
    pub(super) newest: Vec<String>,
    pub(super) view_box: String,
    /// The inside of the drawing. The browser has it in its page already.
    #[cfg_attr(feature = "ssr", serde(skip))]
    pub(super) drawing: String,
}

impl GlobeState {
    /// The state that the page is rendered with.
    pub(super) fn get(initial: &InitialState) -> Self {
        use_context().or_else(|| initial.more.get().map(Self::read)).unwrap_or_default()
    }

    fn read(state: &wasm_bindgen::JsValue) -> Self {
        let texts = |name: &str| -> Vec<String> {
            list(state, name).iter().filter_map(|text| text.as_string()).collect()
        };
        let center = field(state, "center");
        let degrees = |name: &str| field(&center, name).as_f64().unwrap_or_default() as f32;
        Self {
            markers_url: text(state, "markersUrl"),
            center: Position { lat: degrees("lat"), lng: degrees("lng") },
            places: texts("places"),
            newest: texts("newest"),
            view_box: text(state, "viewBox"),
            drawing: String::new(),
        }
    }
}

/// The place that the card tells about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(super) city: String,
    pub(super) country: String,
    pub(super) counts: Counts,
    /// Whether the position is only that of its region or country.
    pub(super) is_rough: bool,
}

/// What view and engine tell each other.
#[derive(Clone, Copy)]
pub(super) struct GlobeSignals {
    /// The inside of the server's drawing.
    pub(super) drawing: RwSignal<String>,
    /// The places with the most reports, for those who do not see the globe.
    pub(super) places: RwSignal<Vec<String>>,
    pub(super) chosen: RwSignal<Option<Chosen>>,
    /// The name of the place that a new report is from, while it is shown.
    pub(super) arrival: RwSignal<String>,
    /// Whether the canvas shows the globe, instead of the drawing.
    pub(super) is_drawn: RwSignal<bool>,
    pub(super) is_on_screen: RwSignal<bool>,
    /// Whether the visitor stopped the globe.
    pub(super) is_paused: RwSignal<bool>,
    /// Whether the visitor has found out how to turn it.
    pub(super) is_used: RwSignal<bool>,
    pub(super) is_held: RwSignal<bool>,
    /// Whether the pointer is over a marker.
    pub(super) is_over: RwSignal<bool>,
    pub(super) is_zoomed: RwSignal<bool>,
}

impl GlobeSignals {
    pub(super) fn new(places: Vec<String>, drawing: String) -> Self {
        Self {
            drawing: RwSignal::new(drawing),
            places: RwSignal::new(places),
            chosen: RwSignal::default(),
            arrival: RwSignal::default(),
            is_drawn: RwSignal::default(),
            is_on_screen: RwSignal::new(true),
            is_paused: RwSignal::default(),
            is_used: RwSignal::default(),
            is_held: RwSignal::default(),
            is_over: RwSignal::default(),
            is_zoomed: RwSignal::default(),
        }
    }
}

/// Sets a signal unless it has that value: each time it is set, the view is written anew.
pub(super) fn set<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|old| *old != value) {
        signal.set(value);
    }
}
