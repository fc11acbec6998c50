//! The globe on its canvas. A frame is drawn only after a change, and the next frame is requested
//! only while something moves, so an idle globe costs nothing.
//!
//! [`frames`] decides when a frame is drawn and draws it, with the [`marks`] of single places, and
//! [`texts`] and [`names`] move with it. [`input`] handles pointers and keys, [`navigation`] turns
//! and zooms the globe, and [`context`] handles everything else that requires a new frame.

mod context;
mod frames;
mod input;
mod marks;
pub(super) mod names;
mod navigation;
mod texts;

use self::input::Input;
use super::{
    camera::Camera,
    lines::Lines,
    painter::Painter,
    places::{Name, Places},
    sphere::Position,
    state::GlobeSignals,
};
use crate::contract::page_state::InitialState;
use js_sys::Uint8Array;
use kit::{
    dom::prefers_less_motion,
    refresh::fetch,
    signals::{cleanup, effect},
};
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

/// Display time of the place name of a new report.
const NAME_STAYS: Duration = Duration::from_secs(4);
/// URL of the coasts and borders.
const LINES: &str = "../globe-lines.bin";

/// The engine of a component. Set after the browser has rendered the component.
pub(super) type EngineHandle = Rc<OnceCell<Rc<Engine>>>;

/// Elements that the engine works on.
struct Elements {
    stage: HtmlDivElement,
    canvas: HtmlCanvasElement,
    /// Boxes placed next to places.
    card: HtmlDivElement,
    arrival: HtmlDivElement,
    /// Boxes for the names of places.
    names: HtmlDivElement,
}

/// See the [module](self).
pub(super) struct Engine {
    elements: Elements,
    signals: GlobeSignals,
    /// `None` until it is ready.
    painter: RefCell<Option<Painter>>,
    /// Whether the browser has WebGL, as far as is known.
    has_webgl: Cell<bool>,
    /// Whether the places were loaded, or could not be loaded.
    has_places: Cell<bool>,
    camera: RefCell<Camera>,
    places: RefCell<Places<Name>>,
    /// Level of the clusters in the painter.
    level: Cell<usize>,
    /// Whether the lines have been requested, and the lines once loaded.
    lines_requested: Cell<bool>,
    lines: RefCell<Option<Lines>>,
    /// Place shown on the card, and a place of the light under the pointer.
    chosen: Cell<Option<usize>>,
    hovered: Cell<Option<usize>>,
    /// Places in the order of keyboard navigation, and the current position.
    tour: RefCell<(Vec<usize>, usize)>,
    arrival: RefCell<Option<Arrival>>,
    arrival_leaves: Cell<Option<TimeoutHandle>>,
    input: Input,
    /// Whether the globe rotates while idle.
    is_rotating: bool,
    /// Whether places are labelled with their names.
    is_labelled: bool,
    /// Whether a frame has been requested.
    requested: Cell<bool>,
    /// Time of the last frame while something moves; else 0.
    drawn_at: Cell<f64>,
    stopped: Cell<bool>,
}

/// A new report that is being shown.
struct Arrival {
    position: Position,
    kind: ReportType,
    name: String,
    /// In seconds; negative while the globe is still turning to the report.
    age: f32,
    /// Whether nothing is animated.
    is_still: bool,
}

/// Starts an engine after the browser has rendered the component's elements. Stops it when the
/// component is cleaned up.
pub(super) fn use_engine(
    canvas: NodeRef<Canvas>,
    [stage, card, arrival, names]: [NodeRef<Div>; 4],
    signals: GlobeSignals,
    initial: &InitialState,
    center: Position,
) -> EngineHandle {
    let handle = EngineHandle::default();
    let [is_rotating, is_labelled, is_unclustered] =
        ["rotate=on", "labels=on", "cluster=off"].map(|option| initial.is_chosen(option));
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
                has_webgl: Cell::new(true),
                has_places: Cell::default(),
                camera: RefCell::new(Camera::at(center.lat, center.lng)),
                places: RefCell::new(Places::empty(is_unclustered)),
                level: Cell::default(),
                lines_requested: Cell::default(),
                lines: RefCell::default(),
                chosen: Cell::default(),
                hovered: Cell::default(),
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
    /// Applies `change` to the places, and keeps the selected place selected.
    pub(super) fn update_places(self: &Rc<Self>, change: impl FnOnce(&mut Places<Name>)) {
        let chosen = self.chosen.get().and_then(|index| self.places.borrow().name(index).cloned());
        change(&mut self.places.borrow_mut());
        self.tour.take();
        self.hovered.take();
        // The index of the selected place may now belong to another place.
        if let Some(name) = chosen {
            let index = self.places.borrow().find(&name);
            match index {
                Some(index) => self.open(index),
                None => self.close(),
            }
        }
        self.paint_places();
        self.start_drawing();
    }

    /// Allows frames, because the places were loaded, or could not be loaded.
    pub(super) fn start_drawing(self: &Rc<Self>) {
        self.has_places.set(true);
        self.request_frame();
    }

    /// Reads from the places.
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

    /// Fetches coasts and borders when the visitor zooms in for the first time.
    fn request_lines(self: &Rc<Self>) {
        if self.lines_requested.replace(true) {
            return;
        }
        let engine = self.clone();
        spawn_local(async move {
            let body = fetch(LINES, "arrayBuffer").await;
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

    /// Shows the position of a new report. The globe does not turn while the visitor looks at a
    /// place, holds the globe or has stopped it.
    pub(super) fn show_arrival(self: &Rc<Self>, name: &str, kind: ReportType, position: Position) {
        let signals = self.signals;
        let is_still = prefers_less_motion() || signals.is_paused.get_untracked();
        let is_busy = self.chosen.get().is_some() || signals.is_held.get_untracked();
        let flight = if is_busy || is_still { 0.0 } else { self.face(position) };
        self.end_arrival();
        let (name, age) = (name.to_owned(), -0.7 * flight);
        *self.arrival.borrow_mut() = Some(Arrival { position, kind, name, age, is_still });
        self.step_arrival(0.0);
        if let Some(timeout) = self.arrival_leaves.take() {
            timeout.clear();
        }
        let engine = self.clone();
        let stay = NAME_STAYS + Duration::from_millis((flight * 1_000.0) as u64);
        let leave = set_timeout_with_handle(move || engine.end_arrival(), stay);
        self.arrival_leaves.set(leave.ok());
        self.request_frame();
    }

    /// Advances the arrival by `seconds`, and shows its name after the pillar. Returns whether it
    /// is still moving.
    fn step_arrival(&self, seconds: f32) -> bool {
        let mut arrival = self.arrival.borrow_mut();
        let Some(arrival) = &mut *arrival else { return false };
        arrival.age += seconds;
        if arrival.is_still || arrival.age >= marks::PILLAR {
            let name = std::mem::take(&mut arrival.name);
            if !name.is_empty() {
                self.signals.arrival.set(name);
            }
        }
        arrival.is_moving()
    }

    fn end_arrival(self: &Rc<Self>) {
        *self.arrival.borrow_mut() = None;
        self.signals.arrival.set(String::new());
        self.request_frame();
    }
}
