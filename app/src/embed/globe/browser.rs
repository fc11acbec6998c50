//! The widget in its page. A picture is drawn when something has changed, and the next one asked for
//! only while something moves: a globe that stands still costs nothing.

mod markers;
mod moves;
mod news;
mod pictures;
mod watch;

use self::news::{Arrival, Expected};
use super::{
    camera::Camera,
    card::Card,
    hands,
    painter::Painter,
    places::{Name, Places, Rows},
};
use crate::{
    embed::{
        announcer::Announcer,
        dom::{callback, find},
        first::{First, field},
        pulse::Pulse,
    },
    words::Words,
};
use js_sys::{Array, Function, Math};
use leptos::prelude::*;
use std::{
    cell::{Cell, OnceCell, RefCell},
    rc::Rc,
};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{HtmlCanvasElement, HtmlElement};

/// Keeps the globe of the page alive, once the first render stands.
pub(super) fn keep() {
    Effect::new(|| {
        if let Some(globe) = Globe::find() {
            Rc::new(globe).follow();
        }
    });
}

/// Sine and cosine of an angle in degrees, by the browser: the standard library's own would be
/// kilobytes of wasm.
pub(super) fn sin_cos(degrees: f32) -> (f32, f32) {
    let angle = f64::from(degrees.to_radians());
    (Math::sin(angle) as f32, Math::cos(angle) as f32)
}

/// The widget.
pub(super) struct Globe {
    words: Words,
    stream: String,
    markers: String,
    types: Vec<String>,
    stage: HtmlElement,
    canvas: HtmlCanvasElement,
    pulse: Pulse,
    announcer: Announcer,
    card: Card,
    painter: RefCell<Option<Painter>>,
    camera: RefCell<Camera>,
    places: RefCell<Places<Name>>,
    /// The last answer with markers.
    rows: RefCell<Rows>,
    /// The level of clusters that the painter has.
    level: Cell<usize>,
    /// Whether the lines have been asked for.
    lines: Cell<bool>,
    /// The place that is told about, by its marker.
    chosen: Cell<Option<usize>>,
    /// The places that the keyboard walks through, and how far it has come.
    walk: RefCell<(Vec<usize>, usize)>,
    arrival: RefCell<Option<Arrival>>,
    frames: Cell<u64>,
    /// Whether a picture has been asked for.
    asked: Cell<bool>,
    /// When the last picture was, while something moves.
    drawn_at: Cell<f64>,
    on_screen: Cell<bool>,
    /// Whether markers are on their way; whether they were asked for a moment ago.
    fetching: Cell<bool>,
    resting: Cell<bool>,
    stale: Cell<bool>,
    /// The newest reports known, by id.
    known: RefCell<Option<Vec<String>>>,
    expected: RefCell<Option<Expected>>,
    calls: OnceCell<Calls>,
    /// The timer that takes the name of an arrival away.
    leaving: Cell<i32>,
}

/// What the browser calls again and again, made once.
struct Calls {
    frame: Function,
    answer: Function,
    markers: Function,
    lines: Function,
    lines_body: Function,
    rest: Function,
    leave: Function,
}

impl Globe {
    fn find() -> Option<Self> {
        let First { words, stream, types, rest } = First::read()?;
        let middle: Array = field(&rest, "middle").dyn_into().ok()?;
        let degrees = |index: u32| middle.get(index).as_f64().unwrap_or_default() as f32;
        Some(Self {
            words,
            stream,
            types,
            markers: field(&rest, "markers").as_string()?,
            stage: find(".stage")?.dyn_into().ok()?,
            canvas: find("canvas")?.dyn_into().ok()?,
            pulse: Pulse::find()?,
            announcer: Announcer::new(find(".said")?),
            card: Card::find()?,
            painter: RefCell::default(),
            camera: RefCell::new(Camera::at(degrees(0), degrees(1))),
            places: RefCell::default(),
            rows: RefCell::default(),
            level: Cell::default(),
            lines: Cell::default(),
            chosen: Cell::default(),
            walk: RefCell::default(),
            arrival: RefCell::default(),
            frames: Cell::default(),
            asked: Cell::default(),
            drawn_at: Cell::default(),
            on_screen: Cell::new(true),
            fetching: Cell::default(),
            resting: Cell::default(),
            stale: Cell::default(),
            known: RefCell::default(),
            expected: RefCell::default(),
            calls: OnceCell::new(),
            leaving: Cell::default(),
        })
    }

    fn follow(self: Rc<Self>) {
        let call = |act: fn(&Rc<Self>, JsValue)| {
            let globe = self.clone();
            callback(move |value| act(&globe, value))
        };
        let calls = Calls {
            frame: call(|globe, now| globe.frame(now.as_f64().unwrap_or_default())),
            answer: call(Self::read_answer),
            markers: call(Self::take_markers),
            lines: call(Self::read_lines),
            lines_body: call(|globe, body| globe.take_lines(&body)),
            rest: call(|globe, _| globe.end_rest()),
            leave: call(|globe, _| globe.let_go()),
        };
        _ = self.calls.set(calls);
        self.listen();
        self.watch_context();
        if !self.begin() {
            return;
        }
        hands::listen(&self);
        self.watch(&call);
        self.look_for_markers();
    }
}
