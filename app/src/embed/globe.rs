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
    arrivals::use_arrivals,
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
        text::text,
    },
    live::use_live,
    words::Wording,
};
use leptos::{
    ev::{KeyboardEvent, PointerEvent, WheelEvent},
    html::{Canvas, Div, P},
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
    let wording = Wording::new(initial.words.clone());
    let announcer = Announcer::new(wording);
    let live = use_live(&initial);
    let types = initial.types;
    let signals = GlobeSignals::new(state.places, state.drawing);
    let stage = NodeRef::<Div>::new();
    let canvas = NodeRef::<Canvas>::new();
    let card = NodeRef::<Div>::new();
    let arrival = NodeRef::<P>::new();
    let engine = use_engine(stage, canvas, card, arrival, signals, state.center);
    let markers = use_markers(live, types, signals, engine, wording, state.markers_url);
    use_arrivals(live, types, signals, engine, announcer, markers, state.newest);

    let total = move || live.metrics.with(|metrics| types.sum(|kind| metrics.of(kind)));
    let noun = move || wording.noun(|words| &words.report, total());
    let keys = wording.text(|words| &words.keys);
    let on_engine = move |act: &dyn Fn(&Rc<Engine>)| {
        engine.with_value(|engine| {
            if let Some(engine) = engine {
                act(engine);
            }
        })
    };
    let place = move |place: String| view! { <li>{place}</li> };
    view! {
        <h1>{initial.heading.clone()}</h1>
        <div class="stage" node_ref=stage>
            <svg
                viewBox=state.view_box
                role="img"
                aria-label=initial.heading.clone()
                inner_html=move || signals.drawing.get()
            ></svg>
            <canvas
                tabindex="0"
                role="application"
                aria-label=initial.heading + ". " + &keys
                node_ref=canvas
                hidden=move || !signals.is_drawn.get()
                class:held=move || signals.is_held.get()
                class:over=move || signals.is_over.get()
                class:zoomed=move || signals.is_zoomed.get()
                on:pointerdown=move |event: PointerEvent| on_engine(&|engine| engine.press(&event))
                on:pointermove=move |event: PointerEvent| on_engine(&|engine| engine.drag(&event))
                on:pointerup=move |event: PointerEvent| on_engine(&|engine| engine.release(&event))
                on:pointercancel=move |event: PointerEvent| on_engine(&|engine| engine.lift(&event))
                on:wheel=move |event: WheelEvent| on_engine(&|engine| engine.wheel(&event))
                on:keydown=move |event: KeyboardEvent| on_engine(&|engine| engine.key(&event))
            ></canvas>
            <p class="arrival" aria-hidden="true" node_ref=arrival hidden=move || {
                signals.arrival.with(|name| name.is_empty())
            }>{text(move || signals.arrival.get())}</p>
            <Card chosen=signals.chosen types=types wording=wording node_ref=card />
        </div>
        <header class="pulse" data-state=move || live.state.get().as_str()>
            <p class="total">
                {(!initial.label.is_empty())
                    .then(|| view! { <bdi class="label">{initial.label.clone()}</bdi> })}
                <b>{text(move || wording.number(total()))}</b>
                " "
                <span>{text(noun)}</span>
            </p>
            <Legend live=live types=types wording=wording />
            <Status live=live wording=wording />
            <PauseButton paused=signals.is_paused wording=wording />
        </header>
        <Printed live=live wording=wording />
        <p class="unseen" role="status">
            {text(move || announcer.text.get())}
        </p>
        <ol class="places unseen" aria-label=wording.text(|words| &words.list)>
            <For each=move || signals.places.get() key=String::clone children=place />
        </ol>
        <p class="hint" aria-hidden="true" class:done=move || signals.is_used.get()>
            {wording.text(|words| &words.drag)}
        </p>
        <p class="keys" aria-hidden="true">
            {keys}
        </p>
        <p class="nothing" hidden=move || { total() > 0 }>
            {wording.text(|words| &words.nothing_yet)}
        </p>
    }
}
