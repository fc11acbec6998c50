//! Initial state of the globe, and the signals between its view and its engine.

use super::{counts::Counts, sphere::Position};
use crate::contract::page_state::InitialState;
use kit::{
    json::{field, list, text},
    signals::{Var, provided},
};
use std::sync::Arc;

/// Initial state specific to the globe: from the context on the server, from the page in the
/// browser.
#[derive(Debug, Default)]
pub(super) struct GlobeState {
    /// URL of the markers.
    pub(super) markers_url: String,
    /// Centre of the drawing.
    pub(super) center: Position,
    /// The places with the most reports: "Lyon, France: 12 reports".
    pub(super) places: Vec<String>,
    /// Ids of the newest reports.
    pub(super) newest: Vec<String>,
    pub(super) view_box: String,
    /// Contents of the drawing. Empty in the browser, which has it in its page.
    pub(super) drawing: String,
    /// See [`GlobeOptions`](crate::contract::GlobeOptions).
    pub(super) is_rotating: bool,
    pub(super) is_labelled: bool,
    pub(super) is_unclustered: bool,
}

impl GlobeState {
    /// The state that the page is rendered with.
    pub(super) fn get(initial: &InitialState) -> Arc<Self> {
        provided()
            .unwrap_or_else(|| Arc::new(initial.more.get().map(Self::read).unwrap_or_default()))
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
            is_rotating: field(state, "isRotating").is_truthy(),
            is_labelled: field(state, "isLabelled").is_truthy(),
            is_unclustered: field(state, "isUnclustered").is_truthy(),
        }
    }
}

#[cfg(feature = "ssr")]
impl GlobeState {
    /// The part of the state that is embedded in the page.
    pub(super) fn to_json(&self) -> serde_json::Value {
        // A conversion to `f64` adds decimals, so this rounds to the precision of positions.
        let degrees = |degrees: f32| (f64::from(degrees) * 100.0).round() / 100.0;
        serde_json::json!({
            "markersUrl": self.markers_url,
            "center": { "lat": degrees(self.center.lat), "lng": degrees(self.center.lng) },
            "places": self.places,
            "newest": self.newest,
            "viewBox": self.view_box,
            "isRotating": self.is_rotating,
            "isLabelled": self.is_labelled,
            "isUnclustered": self.is_unclustered,
        })
    }
}

/// Place shown on the card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(super) city: String,
    pub(super) country: String,
    pub(super) counts: Counts,
    /// Whether the position is only that of its region or country.
    pub(super) is_rough: bool,
}

/// Signals between view and engine.
#[derive(Clone, Copy)]
pub(super) struct GlobeSignals {
    /// Contents of the server's drawing.
    pub(super) drawing: Var<String>,
    /// The places with the most reports, for screen readers.
    pub(super) places: Var<Vec<String>>,
    pub(super) chosen: Var<Option<Chosen>>,
    /// Place name of a new report, while it is shown.
    pub(super) arrival: Var<String>,
    /// Whether the canvas shows the globe instead of the drawing.
    pub(super) is_drawn: Var<bool>,
    pub(super) is_on_screen: Var<bool>,
    /// Whether the visitor has paused the globe.
    pub(super) is_paused: Var<bool>,
    /// Whether the visitor has turned the globe at least once.
    pub(super) is_used: Var<bool>,
    pub(super) is_held: Var<bool>,
    /// Whether the pointer is over a marker.
    pub(super) is_over: Var<bool>,
    pub(super) is_zoomed: Var<bool>,
}

impl GlobeSignals {
    pub(super) fn new(places: Vec<String>, drawing: String) -> Self {
        Self {
            drawing: Var::new(drawing),
            places: Var::new(places),
            chosen: Var::new(None),
            arrival: Var::new(String::new()),
            is_drawn: Var::new(false),
            is_on_screen: Var::new(true),
            is_paused: Var::new(false),
            is_used: Var::new(false),
            is_held: Var::new(false),
            is_over: Var::new(false),
            is_zoomed: Var::new(false),
        }
    }
}
