//! Initial state of the globe, and the signals between its view and its engine.

use super::{counts::Counts, sphere::Position};
use crate::contract::page_state::page_state;
use kit::signals::Var;

page_state! {
    /// Initial state of the globe.
    pub(super) struct GlobeState {
        /// URL of the markers.
        markers_url: String = "markersUrl",
        /// Centre of the drawing.
        center: Position = "center",
        /// The places with the most reports: "Lyon, France: 12 reports".
        places: Vec<String> = "places",
        /// Ids of the newest reports.
        newest: Vec<String> = "newest",
        view_box: String = "viewBox",
    }
}

/// Contents of the server's drawing. The browser has it in its page.
#[derive(Clone, Default)]
pub(super) struct Drawing(pub(super) String);

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
