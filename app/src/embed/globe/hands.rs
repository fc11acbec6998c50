//! What visitors do to the globe: pointers, wheel and keys. None of it may take the page's own
//! scrolling away.

use super::browser::Globe;
use crate::embed::{dom::on, first::field};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Event;

/// How far a pointer may move, in pixels, and still have clicked.
const CLICK: f32 = 6.0;
/// How far a press of an arrow key turns, in degrees.
const STEP: f32 = 18.0;

/// The pointers that are down.
#[derive(Default)]
struct Hands {
    down: RefCell<Vec<Pointer>>,
    /// How far the first one has moved in all, in pixels.
    way: Cell<f32>,
    /// The speed of turning, in degrees a second, and when it was taken, in milliseconds.
    speed: Cell<(f32, f32)>,
    moved_at: Cell<f64>,
}

#[derive(Clone, Copy)]
struct Pointer {
    id: f64,
    x: f32,
    y: f32,
}

impl Pointer {
    fn of(event: &JsValue) -> Self {
        Self {
            id: number(event, "pointerId"),
            x: number(event, "offsetX") as f32,
            y: number(event, "offsetY") as f32,
        }
    }
}

fn number(event: &JsValue, name: &str) -> f64 {
    field(event, name).as_f64().unwrap_or_default()
}

fn prevent(event: &JsValue) {
    event.unchecked_ref::<Event>().prevent_default();
}

/// Listens for as long as the page lives.
pub(super) fn listen(globe: &Rc<Globe>) {
    let hands = Rc::new(Hands::default());
    type Heard = fn(&Hands, &Rc<Globe>, &JsValue);
    let heard: [(&str, Heard); 6] = [
        ("pointerdown", Hands::press),
        ("pointermove", Hands::go),
        ("pointerup", Hands::release),
        ("pointercancel", Hands::forget),
        ("wheel", |_, globe, event| wheel(globe, event)),
        ("keydown", |_, globe, event| key(globe, event)),
    ];
    for (name, hear) in heard {
        let (hands, globe) = (hands.clone(), globe.clone());
        let canvas = globe.canvas().clone();
        on(&canvas, name, move |event| hear(&hands, &globe, &event));
    }
}

impl Hands {
    fn press(&self, globe: &Rc<Globe>, event: &JsValue) {
        if number(event, "button") > 0.0 {
            return;
        }
        let pointer = Pointer::of(event);
        _ = globe.canvas().set_pointer_capture(pointer.id as i32);
        let mut down = self.down.borrow_mut();
        // Two fingers never click.
        self.way.set(if down.is_empty() { 0.0 } else { CLICK });
        down.push(pointer);
        drop(down);
        self.speed.set((0.0, 0.0));
        globe.hold(true);
    }

    fn go(&self, globe: &Rc<Globe>, event: &JsValue) {
        let to = Pointer::of(event);
        let mut down = self.down.borrow_mut();
        let other = down.iter().find(|pointer| pointer.id != to.id).copied();
        let Some(from) = down.iter_mut().find(|pointer| pointer.id == to.id) else {
            return globe.hover(to.x, to.y);
        };
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let before = *from;
        *from = to;
        if let Some(other) = other {
            let apart = |pointer: Pointer| (pointer.x - other.x).hypot(pointer.y - other.y);
            self.way.set(CLICK);
            return globe.zoom(apart(to) / apart(before).max(1.0));
        }
        self.way.set(self.way.get() + dx.abs() + dy.abs());
        // A finger's first pixels may still become a scroll of the page.
        let (lat, lng) = globe.turn(dx, dy);
        let now = number(event, "timeStamp");
        let seconds = ((now - self.moved_at.replace(now)) / 1_000.0).clamp(0.001, 0.1) as f32;
        let (old, new) = (self.speed.get(), (lat / seconds, lng / seconds));
        let smooth = |old: f32, new: f32| old + (new - old) * (seconds / 0.05).min(1.0);
        self.speed.set((smooth(old.0, new.0), smooth(old.1, new.1)));
    }

    fn release(&self, globe: &Rc<Globe>, event: &JsValue) {
        let pointer = Pointer::of(event);
        let was_alone = self.down.borrow().len() == 1;
        self.forget(globe, event);
        if !was_alone {
            return;
        }
        if self.way.get() < CLICK {
            return globe.click(pointer.x, pointer.y);
        }
        let (lat, lng) = self.speed.get();
        // A hand that rested before it let go does not throw.
        let rested = number(event, "timeStamp") - self.moved_at.get() > 60.0;
        if !rested && lat.abs().max(lng.abs()) > 12.0 {
            globe.throw(lat.clamp(-360.0, 360.0), lng.clamp(-540.0, 540.0));
        }
    }

    fn forget(&self, globe: &Rc<Globe>, event: &JsValue) {
        let id = number(event, "pointerId");
        self.down.borrow_mut().retain(|pointer| pointer.id != id);
        globe.hold(!self.down.borrow().is_empty());
    }
}

/// The wheel belongs to the page, unless it pinches (browsers then say that Ctrl is down) or the
/// visitor has chosen the globe.
fn wheel(globe: &Rc<Globe>, event: &JsValue) {
    if field(event, "ctrlKey").is_truthy() || globe.has_focus() {
        prevent(event);
        // Lines and pages are told in steps; a pinch comes in small ones.
        let step = if number(event, "deltaMode") > 0.0 { 16.0 } else { 1.0 };
        let delta = (number(event, "deltaY") * step).clamp(-120.0, 120.0) as f32;
        globe.zoom(if delta < 0.0 { 1.0 - delta / 250.0 } else { 1.0 / (1.0 + delta / 250.0) });
    }
}

fn key(globe: &Rc<Globe>, event: &JsValue) {
    let has = |name: &str| field(event, name).is_truthy();
    if has("ctrlKey") || has("metaKey") || has("altKey") {
        return;
    }
    match field(event, "key").as_string().unwrap_or_default().as_str() {
        "ArrowLeft" => globe.go(0.0, -STEP),
        "ArrowRight" => globe.go(0.0, STEP),
        "ArrowUp" => globe.go(STEP, 0.0),
        "ArrowDown" => globe.go(-STEP, 0.0),
        "+" | "=" => globe.zoom(1.25),
        "-" => globe.zoom(0.8),
        "Enter" | " " => globe.walk(if has("shiftKey") { -1 } else { 1 }),
        "Escape" => globe.close(),
        _ => return,
    }
    globe.forget_hint();
    prevent(event);
}
