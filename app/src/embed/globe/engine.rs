//! The globe on its canvas. A picture is drawn when something has changed, and the next one
//! requested only while something moves: a globe that stands still costs nothing.
//!
//! [`frames`] says when a picture is drawn and what is in it, [`input`] what is done to the canvas,
//! [`navigation`] what that does to the globe, [`context`] what else makes a new picture necessary.

mod context;
mod frames;
mod input;
pub(super) mod names;
mod navigation;

use self::input::Input;
use super::{
    camera::Camera,
    lines::Lines,
    painter::Painter,
    places::{Name, Places},
    sphere::Position,
    state::{GlobeSignals, GlobeState},
};
use crate::{
    dom::prefers_less_motion,
    reactive::{cleanup, effect},
    refresh::fetch,
};
use js_sys::Uint8Array;
use leptos::{
    html::{Canvas, Div},
    leptos_dom::helpers::TimeoutHandle,
    prelude::*,
    task::spawn_local,
};
use model::ReportType;
use std::{
    cell::{Cell, OnceCell, RefCell},
    rc::Rc,
    time::Duration,
};
use web_sys::{HtmlCanvasElement, HtmlDivElement};

/// For how long the name of a new report's place stays.
const NAME_STAYS: Duration = Duration::from_secs(4);
/// Where coasts and borders are.
const LINES: &str = "../globe-lines.bin";

/// The engine of a component, once the browser has rendered it.
pub(super) type EngineHandle = Rc<OnceCell<Rc<Engine>>>;

/// The elements that it works on.
struct Elements {
    stage: HtmlDivElement,
    canvas: HtmlCanvasElement,
    /// The boxes that are put beside places.
    card: HtmlDivElement,
    arrival: HtmlDivElement,
    /// The boxes of the names of places.
    names: HtmlDivElement,
}

/// See the [module](self).
pub(super) struct Engine {
    elements: Elements,
    signals: GlobeSignals,
    painter: RefCell<Option<Painter>>,
    camera: RefCell<Camera>,
    places: RefCell<Places<Name>>,
    /// The level of clusters that the painter has.
    level: Cell<usize>,
    /// Whether the lines have been asked for, and what came.
    lines_requested: Cell<bool>,
    lines: RefCell<Option<Lines>>,
    /// The place that the card tells about.
    chosen: Cell<Option<usize>>,
    /// The places that the keyboard goes through, and how far it has come.
    tour: RefCell<(Vec<usize>, usize)>,
    arrival: RefCell<Option<Arrival>>,
    arrival_leaves: Cell<Option<TimeoutHandle>>,
    input: Input,
    /// Whether it turns by itself.
    is_rotating: bool,
    /// Whether places are named.
    is_labelled: bool,
    /// Whether a picture has been requested.
    requested: Cell<bool>,
    /// When the last picture was, while something moves; else 0.
    drawn_at: Cell<f64>,
    stopped: Cell<bool>,
}

/// A new report that is being shown.
struct Arrival {
    position: Position,
    kind: ReportType,
    /// In seconds; below zero while the globe is still turning there.
    age: f32,
    /// Whether its ring stands still.
    is_still: bool,
}

/// Starts an engine on the component's elements, once the browser has rendered them; stops it when
/// the component is cleaned up.
pub(super) fn use_engine(
    canvas: NodeRef<Canvas>,
    [stage, card, arrival, names]: [NodeRef<Div>; 4],
    signals: GlobeSignals,
    state: &GlobeState,
) -> EngineHandle {
    let handle = EngineHandle::default();
    let (center, is_rotating) = (state.center, state.is_rotating);
    let (is_labelled, is_unclustered) = (state.is_labelled, state.is_unclustered);
    let started = handle.clone();
    effect(move |_| {
        let Some(canvas) = canvas.get_untracked() else { return };
        let [Some(stage), Some(card), Some(arrival), Some(names)] =
            [stage, card, arrival, names].map(|element| element.get_untracked())
        else {
            return;
        };
        let engine = started.get_or_init(|| {
            Rc::new(Engine {
                elements: Elements { stage, canvas, card, arrival, names },
                signals,
                painter: RefCell::default(),
                camera: RefCell::new(Camera::at(center.lat, center.lng)),
                places: RefCell::new(Places::empty(is_unclustered)),
                level: Cell::default(),
                lines_requested: Cell::default(),
                lines: RefCell::default(),
                chosen: Cell::default(),
                tour: RefCell::default(),
                arrival: RefCell::default(),
                arrival_leaves: Cell::default(),
                input: Input::default(),
                is_rotating,
                is_labelled,
                requested: Cell::default(),
                drawn_at: Cell::default(),
                stopped: Cell::default(),
            })
        });
        engine.begin();
        engine.use_context();
        engine.use_input();
        let engine = engine.clone();
        cleanup(move || {
            engine.stopped.set(true);
            if let Some(timeout) = engine.arrival_leaves.take() {
                timeout.clear();
            }
        });
    });
    handle
}

impl Engine {
    /// Takes the places anew, after `change`.
    pub(super) fn update_places(self: &Rc<Self>, change: impl FnOnce(&mut Places<Name>)) {
        let chosen = self.chosen.get().and_then(|index| self.places.borrow().name(index).cloned());
        change(&mut self.places.borrow_mut());
        self.tour.take();
        // Another place may have the index of the one that is told about.
        if let Some(name) = chosen {
            let index = self.places.borrow().find(&name);
            match index {
                Some(index) => self.open(index),
                None => self.close(),
            }
        }
        self.paint_places();
        self.request_frame();
    }

    /// Reads something out of the places.
    pub(super) fn with_places<T>(&self, read: impl FnOnce(&Places<Name>) -> T) -> T {
        read(&self.places.borrow())
    }

    fn paint_places(&self) {
        if let Some(painter) = &mut *self.painter.borrow_mut() {
            let places = self.places.borrow();
            let level = places.clusters().level(self.camera.borrow().zoom);
            painter.set_clusters(places.clusters().on(level));
            self.level.set(level);
        }
    }

    /// Fetches coasts and borders when the globe is seen from near by for the first time.
    fn request_lines(self: &Rc<Self>) {
        if self.lines_requested.replace(true) {
            return;
        }
        let engine = self.clone();
        spawn_local(async move {
            let body = fetch(LINES.to_owned(), "arrayBuffer").await;
            let lines = body.and_then(|body| Lines::decode(&Uint8Array::new(&body).to_vec()));
            *engine.lines.borrow_mut() = lines;
            engine.paint_lines();
            engine.request_frame();
        });
    }

    fn paint_lines(&self) {
        if let (Some(painter), Some(lines)) =
            (&mut *self.painter.borrow_mut(), &*self.lines.borrow())
        {
            painter.set_lines(lines);
        }
    }

    /// Shows where a new report is. Whoever looks at a place, holds the globe or has stopped it is
    /// not torn away.
    pub(super) fn show_arrival(self: &Rc<Self>, name: &str, kind: ReportType, position: Position) {
        let signals = self.signals;
        let is_still = prefers_less_motion() || signals.is_paused.get_untracked();
        let is_busy = self.chosen.get().is_some() || signals.is_held.get_untracked();
        let flight = if is_busy || is_still { 0.0 } else { self.face(position) };
        *self.arrival.borrow_mut() = Some(Arrival { position, kind, age: -0.7 * flight, is_still });
        signals.arrival.set(name.to_owned());
        if let Some(timeout) = self.arrival_leaves.take() {
            timeout.clear();
        }
        let engine = self.clone();
        let stay = NAME_STAYS + Duration::from_millis((flight * 1_000.0) as u64);
        let leave = set_timeout_with_handle(move || engine.end_arrival(), stay);
        self.arrival_leaves.set(leave.ok());
        self.request_frame();
    }

    fn end_arrival(self: &Rc<Self>) {
        *self.arrival.borrow_mut() = None;
        self.signals.arrival.set(String::new());
        self.request_frame();
    }
}
