//! The widget in its page. A picture is drawn when something has changed, and the next one asked for
//! only while something moves: a globe that stands still costs nothing.

use super::{
    REACH,
    camera::Camera,
    card::Card,
    hands,
    painter::{Colour, Painter, Palette, Ring, View},
    places::Places,
    sphere::{Sphere, point},
    word,
};
use crate::{
    embed::{
        announcer::Announcer,
        first::{First, field},
    },
    live::{self, State},
    number::localised,
    words::Words,
};
use js_sys::{Array, Function, JSON, Math};
use leptos::prelude::*;
use std::{
    cell::{Cell, OnceCell, RefCell},
    rc::Rc,
};
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{
    Element, EventTarget, HtmlCanvasElement, HtmlElement, IntersectionObserver, MutationObserver,
    MutationObserverInit, RequestInit, ResizeObserver,
};

/// The least time between two looks for new markers, in milliseconds.
const MARKERS_REST: i32 = 4_000;
/// For how long the name of a new report's place stays, in milliseconds.
const NAME_STAYS: i32 = 4_000;
/// For how long its ring spreads, in seconds.
const RING: f32 = 1.6;
/// How far beside a marker a click still counts, in pixels: a finger is not a point.
const SLACK: f32 = 9.0;

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

/// Calls `hear` with every event of this name.
pub(super) fn on(target: &EventTarget, name: &str, hear: impl Fn(JsValue) + 'static) {
    _ = target.add_event_listener_with_callback(name, &callback(hear));
}

/// A function of the browser, for as long as the page lives.
fn callback(call: impl Fn(JsValue) + 'static) -> Function {
    Closure::<dyn Fn(JsValue)>::new(call).into_js_value().unchecked_into()
}

/// The widget.
pub(super) struct Globe {
    words: Words,
    stream: String,
    markers: String,
    types: Vec<String>,
    stage: HtmlElement,
    canvas: HtmlCanvasElement,
    pulse: Element,
    announcer: Announcer,
    card: Card,
    painter: RefCell<Option<Painter>>,
    camera: RefCell<Camera>,
    places: RefCell<Places>,
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

/// A new report whose position is not known yet.
struct Expected {
    id: String,
    kind: usize,
    place: String,
    /// How often markers have come without it.
    missed: u32,
}

/// A new report that is being shown.
struct Arrival {
    lat: f32,
    lng: f32,
    kind: usize,
    /// In seconds; below nought while the globe is still turning there.
    age: f32,
    /// Whether its ring stands still.
    still: bool,
}

/// What the browser calls again and again, made once.
struct Calls {
    frame: Function,
    answer: Function,
    markers: Function,
    rest: Function,
    leave: Function,
}

impl Globe {
    fn find() -> Option<Self> {
        let page = document();
        let find = |selector: &str| page.query_selector(selector).ok().flatten();
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
            pulse: find(".pulse")?,
            announcer: Announcer::new(find(".said")?),
            card: Card::find()?,
            painter: RefCell::default(),
            camera: RefCell::new(Camera::at(degrees(0), degrees(1))),
            places: RefCell::default(),
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
            rest: call(|globe, _| globe.end_rest()),
            leave: call(|globe, _| globe.let_go()),
        };
        _ = self.calls.set(calls);
        let (events, states) = (self.clone(), self.clone());
        live::follow(
            &self.stream,
            &["metrics", "reports"],
            move |name, data| match name {
                "metrics" => events.count(data),
                _ => events.hear(&field(data, "reports")),
            },
            move |state| states.tell(state),
        );
        // The context can go at any time, and come again.
        on(&self.canvas, "webglcontextlost", {
            let globe = self.clone();
            move |event| {
                event.unchecked_ref::<web_sys::Event>().prevent_default();
                *globe.painter.borrow_mut() = None;
                globe.unveil(false);
            }
        });
        on(&self.canvas, "webglcontextrestored", {
            let globe = self.clone();
            move |_| _ = globe.begin()
        });
        if !self.begin() {
            return;
        }
        hands::listen(&self);
        self.watch(&call);
        self.look_for_markers();
    }

    /// Whatever else makes a new picture necessary: size, theme, coming into view.
    fn watch(self: &Rc<Self>, call: &impl Fn(fn(&Rc<Self>, JsValue)) -> Function) {
        if let Ok(sizes) = ResizeObserver::new(&call(|globe, _| globe.want())) {
            sizes.observe(&self.stage);
        }
        let seen = call(|globe, entries| {
            let last = entries.unchecked_into::<Array>().pop();
            globe.on_screen.set(field(&last, "isIntersecting").is_truthy());
            globe.want();
        });
        if let Ok(seen) = IntersectionObserver::new(&seen) {
            seen.observe(&self.stage);
        }
        let page = document();
        on(&page, "visibilitychange", {
            let globe = self.clone();
            move |_| globe.want()
        });
        let themed = call(|globe, _| {
            globe.paint_in();
            globe.want();
        });
        if let (Ok(theme), Some(root)) = (MutationObserver::new(&themed), page.document_element()) {
            let options: MutationObserverInit =
                JSON::parse(r#"{"attributes":true}"#).unwrap_or_default().unchecked_into();
            _ = theme.observe_with_options(&root, &options);
        }
        if let Ok(Some(scheme)) = window().match_media("(prefers-color-scheme: dark)") {
            _ = scheme.add_event_listener_with_callback("change", &themed);
        }
    }

    /// Begins to draw, where that is possible.
    fn begin(self: &Rc<Self>) -> bool {
        *self.painter.borrow_mut() = Painter::new(&self.canvas);
        let can = self.painter.borrow().is_some();
        if can {
            self.paint_in();
            self.give_markers();
            self.want();
        }
        can
    }

    /// Shows the canvas instead of the server's drawing, or the other way round.
    fn unveil(&self, canvas: bool) {
        if canvas == self.canvas.has_attribute("hidden") {
            self.canvas.set_hidden(!canvas);
        }
        if !canvas {
            self.close();
            self.card.name_arrival(None);
        }
    }

    /// Takes the colours of the page.
    fn paint_in(&self) {
        let root = document().document_element();
        let style = root.and_then(|root| window().get_computed_style(&root).ok().flatten());
        let colour = |name: &str| -> Colour {
            let text = style.as_ref().and_then(|style| style.get_property_value(name).ok());
            parse_colour(text.unwrap_or_default().trim()).unwrap_or([0.5; 3])
        };
        if let Some(painter) = &mut *self.painter.borrow_mut() {
            painter.set_palette(Palette {
                near: colour("--near"),
                far: colour("--far"),
                air: colour("--air"),
                land: colour("--land"),
                types: [colour("--spirit"), colour("--water"), colour("--both")],
            });
        }
    }

    // Pictures.

    /// Asks for a picture, unless one is coming or nobody would see it.
    fn want(&self) {
        let drawable = self.painter.borrow().is_some() && self.on_screen.get();
        if drawable
            && !document().hidden()
            && let Some(calls) = self.calls.get()
            && !self.asked.replace(true)
        {
            _ = window().request_animation_frame(&calls.frame);
        }
    }

    fn frame(&self, now: f64) {
        self.asked.set(false);
        let last = self.drawn_at.replace(0.0);
        // After a standstill no time has passed; a page that was busy must not make it leap.
        let seconds =
            if last > 0.0 { ((now - last) / 1_000.0).clamp(0.0, 0.1) as f32 } else { 0.0 };
        self.camera.borrow_mut().step(seconds);
        let spreading = self.arrival.borrow_mut().as_mut().is_some_and(|arrival| {
            arrival.age += seconds;
            !arrival.still && arrival.age < RING
        });
        if !self.draw() {
            return;
        }
        if spreading || self.camera.borrow().is_moving() {
            self.drawn_at.set(now);
            self.want();
        }
    }

    fn draw(&self) -> bool {
        let (width, height) = self.size();
        let painter = self.painter.borrow();
        let (Some(painter), true) = (&*painter, width > 0.0 && height > 0.0) else { return false };
        // Twice is as fine as eyes see; more would be four times the work.
        let ratio = window().device_pixel_ratio().clamp(1.0, 2.0) as f32;
        let (wide, high) = ((width * ratio) as u32, (height * ratio) as u32);
        if (self.canvas.width(), self.canvas.height()) != (wide, high) {
            self.canvas.set_width(wide);
            self.canvas.set_height(high);
        }
        let sphere = self.sphere();
        let zoom = self.camera.borrow().zoom;
        painter.draw(&View {
            sphere,
            width: wide as f32,
            height: high as f32,
            radius: self.radius() * ratio,
            zoom,
            rings: self.rings(),
        });
        self.frames.set(self.frames.get() + 1);
        let frames = crate::number::plain(self.frames.get());
        _ = self.canvas.set_attribute("data-frames", &frames);
        self.unveil(true);
        self.place_texts(&sphere);
        true
    }

    fn rings(&self) -> Vec<Ring> {
        let mut rings = Vec::new();
        if let Some(place) = self.chosen.get().and_then(|index| self.places.borrow().get(index)) {
            let (lat, lng, radius, kind) =
                (place.lat, place.lng, place.radius + 0.02, place.kind());
            rings.push(Ring { lat, lng, radius, kind, strength: 1.0 });
        }
        if let Some(arrival) = &*self.arrival.borrow() {
            let time = if arrival.still { 0.3 } else { arrival.age / RING };
            if (0.0..1.0).contains(&time) {
                let left = 1.0 - time;
                rings.push(Ring {
                    lat: arrival.lat,
                    lng: arrival.lng,
                    radius: 0.02 + 0.2 * (1.0 - left * left * left),
                    kind: arrival.kind,
                    strength: left,
                });
            }
        }
        rings
    }

    /// Puts the texts where their places are seen.
    fn place_texts(&self, sphere: &Sphere) {
        let size = self.size();
        let grow = 1.0 / self.camera.borrow().zoom.sqrt();
        let chosen = self.chosen.get().and_then(|index| self.places.borrow().get(index));
        if let Some(place) = chosen {
            let [x, y, z] = sphere.project(point(place.lat, place.lng));
            if z < 0.0 && !self.camera.borrow().is_moving() {
                self.close();
            } else {
                let around = (place.radius * grow + 0.02) * self.radius();
                self.card.place_card(self.seen_at(x, y, z), around, size);
            }
        }
        if let Some(arrival) = &*self.arrival.borrow() {
            let [x, y, z] = sphere.project(point(arrival.lat, arrival.lng));
            self.card.place_arrival(self.seen_at(x, y, z), 0.05 * self.radius(), size);
        }
    }

    /// From radii of the globe to pixels of the stage. What is on the far side is put at the edge
    /// nearest to it.
    fn seen_at(&self, x: f32, y: f32, z: f32) -> (f32, f32) {
        let ((width, height), radius) = (self.size(), self.radius());
        let away = if z < 0.0 { (x * x + y * y).sqrt().max(0.01) } else { 1.0 };
        (width / 2.0 + x / away * radius, height / 2.0 - y / away * radius)
    }

    fn size(&self) -> (f32, f32) {
        (self.stage.client_width() as f32, self.stage.client_height() as f32)
    }

    /// The globe's radius in pixels.
    fn radius(&self) -> f32 {
        let (width, height) = self.size();
        width.min(height) / 2.0 / REACH * self.camera.borrow().zoom
    }

    fn sphere(&self) -> Sphere {
        let camera = self.camera.borrow();
        Sphere::facing(camera.lat, camera.lng)
    }

    // What hands do.

    pub(super) fn canvas(&self) -> &HtmlCanvasElement {
        &self.canvas
    }

    pub(super) fn has_focus(&self) -> bool {
        self.canvas.matches(":focus").unwrap_or_default()
    }

    pub(super) fn hold(&self, held: bool) {
        if held {
            self.camera.borrow_mut().stop();
            self.forget_hint();
        }
        _ = self.canvas.class_list().toggle_with_force("held", held);
    }

    /// Who has found out how to turn it needs no hint.
    pub(super) fn forget_hint(&self) {
        if let Ok(Some(hint)) = document().query_selector(".hint") {
            _ = hint.class_list().add_1("done");
        }
    }

    /// Turns by so many pixels; returns by how many degrees.
    pub(super) fn turn(&self, dx: f32, dy: f32) -> (f32, f32) {
        let degrees = 1.0_f32.to_degrees() / self.radius().max(1.0);
        let (lat, lng) = (dy * degrees, -dx * degrees);
        self.camera.borrow_mut().turn(lat, lng);
        self.want();
        (lat, lng)
    }

    pub(super) fn throw(&self, lat: f32, lng: f32) {
        if !less_motion() {
            self.camera.borrow_mut().throw(lat, lng);
            self.want();
        }
    }

    pub(super) fn zoom(&self, factor: f32) {
        self.camera.borrow_mut().zoom_by(factor);
        let zoomed = self.camera.borrow().zoom > 1.05;
        _ = self.canvas.class_list().toggle_with_force("zoomed", zoomed);
        self.want();
    }

    /// Goes so many degrees on.
    pub(super) fn go(&self, lat: f32, lng: f32) {
        let (from_lat, from_lng) = (self.camera.borrow().lat, self.camera.borrow().lng);
        self.face(from_lat + lat, from_lng + lng);
    }

    /// Goes to a point; returns for how long, in seconds.
    fn face(&self, lat: f32, lng: f32) -> f32 {
        let length = if less_motion() {
            self.camera.borrow_mut().jump(lat, lng);
            0.0
        } else {
            self.camera.borrow_mut().fly(lat, lng)
        };
        self.want();
        length
    }

    fn pick(&self, x: f32, y: f32) -> Option<usize> {
        let ((width, height), radius) = (self.size(), self.radius());
        let at = ((x - width / 2.0) / radius, (height / 2.0 - y) / radius);
        let grow = 1.0 / self.camera.borrow().zoom.sqrt();
        self.places.borrow().pick(&self.sphere(), at, grow, SLACK / radius)
    }

    pub(super) fn hover(&self, x: f32, y: f32) {
        let over = self.pick(x, y).is_some();
        _ = self.canvas.class_list().toggle_with_force("over", over);
    }

    pub(super) fn click(&self, x: f32, y: f32) {
        match self.pick(x, y) {
            Some(index) => self.open(index),
            None => self.close(),
        }
    }

    fn open(&self, index: usize) {
        let Some(place) = self.places.borrow().get(index) else { return };
        let names = self.places.borrow().names(index);
        self.chosen.set(Some(index));
        self.card.tell(&names, place.counts, &self.words);
        self.want();
    }

    pub(super) fn close(&self) {
        self.chosen.set(None);
        self.walk.take();
        self.card.hide();
        self.want();
    }

    /// On to the next place, from the one nearest to the middle outwards.
    pub(super) fn walk(&self, step: isize) {
        let mut walk = self.walk.borrow_mut();
        if walk.0.is_empty() {
            let (lat, lng) = (self.camera.borrow().lat, self.camera.borrow().lng);
            *walk = (self.places.borrow().around(lat, lng), 0);
        } else {
            walk.1 = walk.1.saturating_add_signed(step).min(walk.0.len() - 1);
        }
        let next = walk.0.get(walk.1).copied();
        drop(walk);
        let place = next.and_then(|index| Some((index, self.places.borrow().get(index)?)));
        if let Some((index, place)) = place {
            self.open(index);
            self.face(place.lat, place.lng);
        }
    }

    // What the stream says.

    fn tell(&self, state: State) {
        _ = self.pulse.set_attribute("data-state", state.as_str());
        let word = match state {
            State::Waiting => return,
            State::Live => word::LIVE,
            State::Reconnecting => word::RECONNECTING,
        };
        write(&self.pulse, ".status", self.words.text(word));
    }

    fn count(&self, metrics: &JsValue) {
        let lang = self.words.lang;
        let mut total = 0;
        let mut moved = false;
        for kind in &self.types {
            let count = field(metrics, kind).as_f64().unwrap_or_default() as u64;
            total += count;
            let selector = ".legend .".to_owned() + kind + " b";
            moved |= write(&self.pulse, &selector, &localised(count, lang));
        }
        write(&self.pulse, ".total b", &localised(total, lang));
        write(&self.pulse, ".total span", self.words.noun(word::REPORT, total));
        if moved {
            self.look_for_markers();
        }
    }

    fn hear(&self, reports: &JsValue) {
        let Some(reports) = reports.dyn_ref::<Array>() else { return };
        let text =
            |report: &JsValue, name: &str| field(report, name).as_string().unwrap_or_default();
        let mut ids = Vec::new();
        let mut news = 0;
        let mut newest = None;
        for report in reports.iter() {
            let kind = text(&report, "type");
            let id = text(&report, "id");
            let kind = match kind.as_str() {
                _ if !self.types.contains(&kind) => continue,
                "spirit" => 0,
                "water" => 1,
                _ => 2,
            };
            if self.known.borrow().as_ref().is_some_and(|known| !known.contains(&id)) {
                news += 1;
                if newest.is_none() {
                    let place = text(&report, "city") + ", " + &text(&report, "country");
                    newest = Some(Expected { id: id.clone(), kind, place, missed: 0 });
                }
            }
            ids.push(id);
        }
        *self.known.borrow_mut() = Some(ids);
        if newest.is_some() {
            self.announcer.announce(news, &self.words, word::NEW_REPORT);
            *self.expected.borrow_mut() = newest;
            self.look_for_markers();
        }
    }

    // Markers.

    /// Fetches the markers now, or as soon as the last fetch is some seconds ago.
    fn look_for_markers(&self) {
        let (true, Some(calls)) = (self.painter.borrow().is_some(), self.calls.get()) else {
            return;
        };
        if self.resting.replace(true) {
            // One tick of the stream tells of counts and of reports: one fetch is for both.
            return self.stale.set(!self.fetching.get() || self.stale.get());
        }
        self.fetching.set(true);
        // Not what the browser may still have: it would know nothing of what the stream just told.
        let init: RequestInit =
            JSON::parse(r#"{"cache":"no-cache"}"#).unwrap_or_default().unchecked_into();
        let answer = window().fetch_with_str_and_init(&self.markers, &init);
        then(&answer, &calls.answer);
        _ = window()
            .set_timeout_with_callback_and_timeout_and_arguments_0(&calls.rest, MARKERS_REST);
    }

    fn end_rest(&self) {
        self.fetching.set(false);
        self.resting.set(false);
        if self.stale.replace(false) {
            self.look_for_markers();
        }
    }

    fn read_answer(self: &Rc<Self>, answer: JsValue) {
        if !field(&answer, "ok").is_truthy() {
            return;
        }
        if let Ok(json) = field(&answer, "json").dyn_into::<Function>()
            && let Ok(body) = json.call0(&answer)
            && let Some(calls) = self.calls.get()
        {
            then(&body, &calls.markers);
        }
    }

    fn take_markers(self: &Rc<Self>, markers: JsValue) {
        self.fetching.set(false);
        let Some(places) = Places::read(&markers) else { return };
        let chosen = self.chosen.get().map(|index| self.places.borrow().names(index));
        *self.places.borrow_mut() = places;
        self.walk.take();
        // Another place may be where the one that is told about was.
        if let Some(names) = chosen {
            match self.places.borrow().find(&names) {
                Some(index) => self.open(index),
                None => self.close(),
            }
        }
        self.give_markers();
        self.want();
        let Some(mut expected) = self.expected.take() else { return };
        let at = self.places.borrow().newest(&expected.id);
        if let Some((lat, lng)) = at {
            self.arrive(expected, lat, lng);
        } else if expected.missed == 0 {
            // These markers may have been asked for before the report was there. What is missing
            // again is nowhere on the map.
            expected.missed += 1;
            *self.expected.borrow_mut() = Some(expected);
            self.look_for_markers();
        }
    }

    fn give_markers(&self) {
        if let Some(painter) = &mut *self.painter.borrow_mut() {
            painter.set_markers(&self.places.borrow().instances());
        }
    }

    /// Shows where a new report is. Who is looking at a place, or holds the globe, is not torn away.
    fn arrive(&self, Expected { kind, place, .. }: Expected, lat: f32, lng: f32) {
        let busy = self.chosen.get().is_some() || self.canvas.class_list().contains("held");
        let still = less_motion();
        let flight = if busy || still { 0.0 } else { self.face(lat, lng) };
        let age = -0.7 * flight;
        *self.arrival.borrow_mut() = Some(Arrival { lat, lng, kind, age, still });
        self.card.name_arrival(Some(&place));
        window().clear_timeout_with_handle(self.leaving.get());
        let stay = NAME_STAYS + (flight * 1_000.0) as i32;
        let timer = self.calls.get().and_then(|calls| {
            let window = window();
            window.set_timeout_with_callback_and_timeout_and_arguments_0(&calls.leave, stay).ok()
        });
        self.leaving.set(timer.unwrap_or_default());
        self.want();
    }

    fn let_go(&self) {
        *self.arrival.borrow_mut() = None;
        self.card.name_arrival(None);
        self.want();
    }
}

/// Calls a function with what a promise comes to, also if that is an error: then what is asked for
/// is not in it.
fn then(promise: &JsValue, call: &Function) {
    if let Ok(then) = field(promise, "then").dyn_into::<Function>() {
        _ = then.call2(promise, call, call);
    }
}

/// Writes a text where it is another; returns whether it was.
fn write(within: &Element, selector: &str, text: &str) -> bool {
    let element = within.query_selector(selector).ok().flatten();
    let changed = element.filter(|element| element.text_content().as_deref() != Some(text));
    changed.inspect(|element| element.set_text_content(Some(text))).is_some()
}

fn less_motion() -> bool {
    let query = window().match_media("(prefers-reduced-motion: reduce)").ok().flatten();
    query.is_some_and(|query| query.matches())
}

/// A colour as our style sheets write it: `#` and six digits.
fn parse_colour(text: &str) -> Option<Colour> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let part = |start: usize| {
        let part = u8::from_str_radix(digits.get(start..start + 2)?, 16).ok()?;
        Some(f32::from(part) / 255.0)
    };
    Some([part(0)?, part(2)?, part(4)?])
}
