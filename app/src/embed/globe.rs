//! The globe widget: where the reports are, live.
//!
//! The server draws the globe as SVG, turned to where the newest report is. [`GlobeBoard`] is
//! rendered twice from one view: numbers, legend, card and list of places are views over signals.
//! What has no declarative form is behind [`engine`]: it draws the same globe with WebGL 2 on a
//! canvas that lies exactly over the SVG, and turns it. Without WebGL the drawing stays and is
//! renewed; everything else is live all the same.
//!
//! [`markers`] fetches what changed, [`arrivals`] finds the reports that are new. In the engine:
//! `input` is what is done to the canvas, `camera` where one looks from and how that moves,
//! `painter` draws; [`places`] are the markers and [`clusters`] what is drawn of them.

mod arrivals;
mod camera;
mod card;
mod clusters;
mod counts;
#[cfg(feature = "ssr")]
mod document;
#[cfg(feature = "ssr")]
mod drawing;
mod engine;
mod legend;
mod lines;
mod markers;
mod painter;
mod places;
mod sphere;
mod state;

#[cfg(feature = "ssr")]
pub use document::GlobeWidget;

use self::{
    arrivals::Arrivals,
    card::Card,
    engine::{Engine, use_engine},
    legend::Legend,
    markers::use_markers,
    state::{GlobeSignals, GlobeState},
};
use crate::{
    embed::{
        InitialState,
        announcer::Announcer,
        pulse::{PauseButton, Printed, Status},
    },
    live::use_live,
    reactive::{Var, flag, text},
    words::Wording,
};
use leptos::{
    ev::{KeyboardEvent, PointerEvent, WheelEvent},
    html::{Canvas, Div},
    prelude::*,
};
use std::rc::Rc;

/// What the island says, by name.
#[cfg(feature = "ssr")]
const WORDS: &[&str] = &[
    "as_of",
    "both",
    "comma",
    "drag",
    "globe",
    "keys",
    "list",
    "live",
    "new_report",
    "nothing_yet",
    "pause",
    "reconnecting",
    "report",
    "resume",
    "rough",
    "spirit",
    "water",
];

/// From the middle of the picture to its nearer edge, in radii of the globe: room for its rim and
/// for what stands out at it.
const REACH: f32 = 1.12;

/// The island: the globe, what it counts, and the places with the most reports as a list.
#[island(lazy)]
pub fn GlobeBoard() -> impl IntoView {
    let initial = InitialState::get();
    let state = GlobeState::get(&initial);
    let wording = Wording::new(&initial.words);
    let words = wording.words();
    let live = use_live(&initial);
    let types = initial.types;
    let is_unlabelled = initial.label.is_empty();
    let signals = GlobeSignals::new(state.places.clone(), state.drawing.clone());
    let canvas = NodeRef::<Canvas>::new();
    let [stage, card, arrival] = [(); 3].map(|()| NodeRef::<Div>::new());
    let engine = use_engine(canvas, [stage, card, arrival], signals, state.center);
    let announced = Var::new(String::new());
    let arrivals = Arrivals::new(Announcer::new(wording, announced), state.newest.clone());
    use_markers(live, types, signals, engine.clone(), wording, state.markers_url.clone(), arrivals);

    let on_pointer = |act: fn(&Rc<Engine>, &PointerEvent)| -> Box<dyn FnMut(PointerEvent)> {
        let engine = engine.clone();
        Box::new(move |event| {
            if let Some(engine) = engine.get() {
                act(engine, &event);
            }
        })
    };
    let (wheeled, typed) = (engine.clone(), engine.clone());
    let on_wheel = move |event: WheelEvent| {
        if let Some(engine) = wheeled.get() {
            engine.wheel(&event);
        }
    };
    let on_key = move |event: KeyboardEvent| {
        if let Some(engine) = typed.get() {
            engine.key(&event);
        }
    };
    let noun = move || {
        let words = wording.words();
        words.form(&words.report, live.count(types)).to_owned()
    };
    let places = move || {
        signals.places.get().into_iter().map(|place| view! { <li>{place}</li> }).collect_view()
    };
    view! {
        <h1 class="unseen">{initial.heading.clone()}</h1>
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
                aria-label=[&initial.heading, ". ", &words.keys].concat()
                node_ref=canvas
                hidden=flag(move || !signals.is_drawn.get())
                class:held=flag(move || signals.is_held.get())
                class:over=flag(move || signals.is_over.get())
                class:zoomed=flag(move || signals.is_zoomed.get())
                on:pointerdown=on_pointer(Engine::press)
                on:pointermove=on_pointer(Engine::drag)
                on:pointerup=on_pointer(Engine::release)
                on:pointercancel=on_pointer(Engine::lift)
                on:wheel=on_wheel
                on:keydown=on_key
            ></canvas>
            <div
                class="arrival"
                aria-hidden="true"
                node_ref=arrival
                hidden=flag(move || signals.arrival.get().is_empty())
            >
                {text(move || signals.arrival.get())}
            </div>
            <Card chosen=signals.chosen types=types wording=wording node_ref=card />
        </div>
        <header class="pulse" data-state=move || live.state.get().as_str()>
            <p class="total">
                <bdi class="label" hidden=is_unlabelled>
                    {initial.label.clone()}
                </bdi>
                <b>{text(move || wording.number(live.count(types)))}</b>
                " "
                <span>{text(noun)}</span>
            </p>
            <Legend live=live types=types wording=wording />
            <Status live=live wording=wording />
            <PauseButton paused=signals.is_paused wording=wording />
        </header>
        <Printed live=live wording=wording />
        <p class="unseen" role="status">
            {text(move || announced.get())}
        </p>
        <ol class="places unseen" aria-label=words.list.clone()>
            {places}
        </ol>
        <p class="hint" aria-hidden="true" class:done=flag(move || signals.is_used.get())>
            {words.drag.clone()}
        </p>
        <p class="keys" aria-hidden="true">
            {words.keys.clone()}
        </p>
        <p class="nothing" hidden=flag(move || live.count(types) > 0)>
            {words.nothing_yet.clone()}
        </p>
    }
}
