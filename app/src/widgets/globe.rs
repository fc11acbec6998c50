//! The globe widget: the places of the reports, live.
//!
//! The server draws the globe as SVG, centred on the newest report. [`GlobeBoard`] is rendered
//! twice from one view: numbers, legend, card and list of places are views over signals. [`engine`]
//! contains everything that has no declarative form: it draws the same globe with WebGL 2 on a
//! canvas exactly over the SVG, and turns it. Without WebGL, the SVG stays and is refreshed;
//! everything else is live as well.
//!
//! [`markers`] fetches changes, and [`new_report_focus`] finds new reports. In the engine, `input` handles
//! pointers and keys, `camera` holds the viewpoint and its animations, and `painter` draws.
//! [`places`] holds the markers, and [`clusters`] groups them into lights. [`sun`] divides the globe
//! into day and night.

mod camera;
mod card;
mod clusters;
mod counts;
#[cfg(feature = "ssr")]
mod document;
#[cfg(feature = "ssr")]
pub(crate) mod drawing;
mod engine;
pub(crate) mod lines;
mod markers;
mod new_report_focus;
mod painter;
#[cfg(feature = "ssr")]
mod picture;
mod places;
mod sphere;
mod state;
mod sun;
pub(crate) mod words;

#[cfg(feature = "ssr")]
pub(super) use document::WIDGET;

use self::{
    card::Card,
    engine::{names::BOXES, use_engine},
    markers::use_markers,
    new_report_focus::NewReportFocus,
    state::{Drawing, GlobeSignals, GlobeState},
    words::{DRAG, KEYS, LIST},
};
use crate::{
    contract::page_state::InitialState,
    widgets::{
        announcer::Announcer,
        connection_status::{PauseButton, Printed},
        header::{header, report_count},
        legend::Legend,
        live::use_live,
    },
    words::{Wording, common::NOTHING_YET},
};
use kit::signals::{Var, flag, provided, text};
use leptos::{
    html::{Canvas, Div},
    prelude::*,
};

/// Distance from the centre of the picture to its nearer edge, in radii of the globe. Leaves room
/// for the atmosphere and for the hint below the globe.
const REACH: f32 = 1.16;

/// The island: the globe, its counters, and a list of the places with the most reports.
#[component]
pub fn GlobeBoard() -> impl IntoView {
    let initial = InitialState::get();
    let state = GlobeState::get();
    let Drawing(drawing) = provided().unwrap_or_default();
    let wording = Wording::new(&initial.words);
    let live = use_live(&initial);
    let types = initial.types;
    let signals = GlobeSignals::new(state.places.clone(), drawing);
    let canvas = NodeRef::<Canvas>::new();
    let [stage, card, arrival, names] = [(); 4].map(|()| NodeRef::<Div>::new());
    let engine = use_engine(canvas, [stage, card, arrival, names], signals, &initial, state.center);
    let announced = Var::new(String::new());
    let arrivals = NewReportFocus::new(Announcer::new(wording, announced), state.newest.clone());
    use_markers(live, types, signals, engine, wording, state.markers_url.clone(), arrivals);

    let numbers = view! {
        <p class="total">{report_count(wording, move || live.count(types))}</p>
        <Legend live=live types=types wording=wording />
    };
    let pause = view! { <PauseButton paused=signals.is_paused wording=wording /> };
    let places = move || {
        signals.places.get().into_iter().map(|place| view! { <li>{place}</li> }).collect_view()
    };
    let class = move || {
        let held = if signals.is_held.get() { "held " } else { "" };
        let over = if signals.is_over.get() { "over " } else { "" };
        [held, over, if signals.is_zoomed.get() { "zoomed" } else { "" }].concat()
    };
    let hint = move || if signals.is_used.get() { "hint done" } else { "hint" }.to_owned();
    view! {
        <div class="stage" node_ref=stage>
            <svg
                viewBox=state.view_box.clone()
                role="img"
                aria-label=initial.heading.clone()
                inner_html=move || signals.drawing.get()
            ></svg>
            <canvas
                tabindex="0"
                role="application"
                aria-label=[&initial.heading, ". ", &wording.text(KEYS)].concat()
                node_ref=canvas
                hidden=flag(move || !signals.is_drawn.get())
                class=text(class)
            ></canvas>
            <div class="names" aria-hidden="true" node_ref=names inner_html=BOXES></div>
            <div
                class="arrival"
                aria-hidden="true"
                node_ref=arrival
                hidden=flag(move || signals.arrival.get().is_empty())
            >
                {text(move || signals.arrival.get())}
            </div>
            <p class=text(hint) aria-hidden="true">
                {wording.text(DRAG)}
            </p>
            <Card chosen=signals.chosen types=types wording=wording node_ref=card />
        </div>
        {header(live, wording, initial.title(), numbers, pause)}
        <Printed live=live wording=wording />
        <p class="unseen" role="status">
            {text(move || announced.get())}
        </p>
        <ol class="places unseen" aria-label=wording.text(LIST)>
            {places}
        </ol>
        <p class="keys" aria-hidden="true">
            {wording.text(KEYS)}
        </p>
        <p class="nothing" hidden=flag(move || live.count(types) > 0)>
            {wording.text(NOTHING_YET)}
        </p>
    }
}

kit::own_module!(globe, GlobeBoard);
