//! Pointer, wheel and key input on the canvas. None of it may prevent the page from scrolling.

use super::Engine;
use kit::dom::use_listener;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};
use wasm_bindgen::JsCast;
use web_sys::{KeyboardEvent, PointerEvent, WheelEvent};

/// Maximum movement of a click, in pixels.
const CLICK: f32 = 6.0;
/// Angle by which an arrow key turns the globe, in degrees.
const STEP: f32 = 18.0;
/// Maximum rest of a pointer before it is lifted for a throw, in milliseconds.
const REST: f64 = 60.0;

/// Pointers that are down.
#[derive(Default)]
pub(super) struct Input {
    down: RefCell<Vec<Pointer>>,
    /// Total movement of the first pointer, in pixels.
    way: Cell<f32>,
    /// Turning speed, in degrees per second, and the time of its measurement, in milliseconds.
    speed: Cell<(f32, f32)>,
    moved_at: Cell<f64>,
}

#[derive(Clone, Copy)]
struct Pointer {
    id: i32,
    x: f32,
    y: f32,
}

impl From<&PointerEvent> for Pointer {
    fn from(event: &PointerEvent) -> Self {
        Self { id: event.pointer_id(), x: event.offset_x() as f32, y: event.offset_y() as f32 }
    }
}

impl Engine {
    /// Listens to all input events until the component is cleaned up.
    pub(super) fn use_input(self: &Rc<Self>) {
        for name in [
            "pointerdown",
            "pointermove",
            "pointerup",
            "pointercancel",
            "pointerleave",
            "wheel",
            "keydown",
        ] {
            let engine = self.clone();
            use_listener(&self.elements.canvas, name, move |event| match name {
                "pointerdown" => engine.press(event.unchecked_ref()),
                "pointermove" => engine.drag(event.unchecked_ref()),
                "pointerup" => engine.release(event.unchecked_ref()),
                "pointercancel" => engine.lift(event.unchecked_ref()),
                "pointerleave" => engine.point_at(None),
                "wheel" => engine.wheel(event.unchecked_ref()),
                _ => engine.key(event.unchecked_ref()),
            });
        }
    }

    /// Handles `pointerdown`.
    fn press(self: &Rc<Self>, event: &PointerEvent) {
        if event.button() > 0 {
            return;
        }
        let pointer = Pointer::from(event);
        _ = self.elements.canvas.set_pointer_capture(pointer.id);
        let mut down = self.input.down.borrow_mut();
        // Two fingers never click.
        self.input.way.set(if down.is_empty() { 0.0 } else { CLICK });
        down.push(pointer);
        drop(down);
        self.input.speed.set((0.0, 0.0));
        self.hold(true);
    }

    /// Handles `pointermove`.
    fn drag(self: &Rc<Self>, event: &PointerEvent) {
        let input = &self.input;
        let to = Pointer::from(event);
        let mut down = input.down.borrow_mut();
        let other = down.iter().find(|pointer| pointer.id != to.id).copied();
        let Some(from) = down.iter_mut().find(|pointer| pointer.id == to.id) else {
            return self.hover(to.x, to.y);
        };
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let before = *from;
        *from = to;
        if let Some(other) = other {
            let apart = |pointer: Pointer| (pointer.x - other.x).hypot(pointer.y - other.y);
            input.way.set(CLICK);
            return self.zoom(apart(to) / apart(before).max(1.0));
        }
        input.way.set(input.way.get() + dx.abs() + dy.abs());
        // The first pixels of a touch may still become a scroll of the page.
        let (lat, lng) = self.turn(dx, dy);
        let now = event.time_stamp();
        let seconds = ((now - input.moved_at.replace(now)) / 1_000.0).clamp(0.001, 0.1) as f32;
        let (old, new) = (input.speed.get(), (lat / seconds, lng / seconds));
        let smooth = |old: f32, new: f32| old + (new - old) * (seconds / 0.05).min(1.0);
        input.speed.set((smooth(old.0, new.0), smooth(old.1, new.1)));
    }

    /// Handles `pointerup`.
    fn release(self: &Rc<Self>, event: &PointerEvent) {
        let pointer = Pointer::from(event);
        let was_alone = self.input.down.borrow().len() == 1;
        self.lift(event);
        if !was_alone {
            return;
        }
        if self.input.way.get() < CLICK {
            return self.click(pointer.x, pointer.y);
        }
        let (lat, lng) = self.input.speed.get();
        let rested = event.time_stamp() - self.input.moved_at.get() > REST;
        if !rested && lat.abs().max(lng.abs()) > 12.0 {
            self.throw(lat.clamp(-360.0, 360.0), lng.clamp(-540.0, 540.0));
        }
    }

    /// Removes a pointer that was lifted or cancelled.
    fn lift(self: &Rc<Self>, event: &PointerEvent) {
        let id = event.pointer_id();
        self.input.down.borrow_mut().retain(|pointer| pointer.id != id);
        let is_held = !self.input.down.borrow().is_empty();
        self.hold(is_held);
    }

    /// Handles `wheel`. The wheel scrolls the page, unless it is a pinch (for which browsers set
    /// the Ctrl key) or the globe has the focus.
    fn wheel(self: &Rc<Self>, event: &WheelEvent) {
        if event.ctrl_key() || self.has_focus() {
            event.prevent_default();
            // Wheels may report lines or pages; pinches report pixels in small steps.
            let step = if event.delta_mode() > 0 { 16.0 } else { 1.0 };
            let delta = (event.delta_y() * step).clamp(-120.0, 120.0) as f32;
            self.zoom(if delta < 0.0 { 1.0 - delta / 250.0 } else { 1.0 / (1.0 + delta / 250.0) });
        }
    }

    /// Handles `keydown`.
    fn key(self: &Rc<Self>, event: &KeyboardEvent) {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        match event.key().as_str() {
            "ArrowLeft" => self.go(0.0, -STEP),
            "ArrowRight" => self.go(0.0, STEP),
            "ArrowUp" => self.go(STEP, 0.0),
            "ArrowDown" => self.go(-STEP, 0.0),
            "+" | "=" => self.zoom(1.25),
            "-" => self.zoom(0.8),
            "Enter" | " " => self.next_place(if event.shift_key() { -1 } else { 1 }),
            "Escape" => self.close(),
            _ => return,
        }
        self.signals.is_used.set(true);
        event.prevent_default();
    }
}
