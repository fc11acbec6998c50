//! Frames: when one is drawn, and its contents.

use super::{
    super::{
        REACH,
        painter::{Ring, Scene},
        sphere::{Position, Sphere, point},
    },
    Engine,
};
use js_sys::Date;
use kit::{dom::prefers_less_motion, number::plain};
use leptos::prelude::*;
use std::rc::Rc;
use web_sys::HtmlElement;

/// Duration of the spreading ring around a new report, in seconds.
const RING: f32 = 1.6;
/// Speed of the automatic rotation, in degrees per second.
const ROTATION: f32 = 4.0;
/// Zoom from which coasts and borders are drawn.
const LINES_FROM: f32 = 1.2;
/// Minimum distance of a text from the edge of the stage, in pixels.
const MARGIN: f32 = 8.0;

impl Engine {
    /// Requests a frame, unless one is pending or the globe is not visible.
    pub(super) fn request_frame(self: &Rc<Self>) {
        if self.stopped.get() {
            return;
        }
        let is_seen = self.signals.is_on_screen.get_untracked() && !document().hidden();
        if is_seen && self.can_draw() && !self.requested.replace(true) {
            let engine = self.clone();
            request_animation_frame(move || engine.frame());
        }
    }

    fn frame(self: &Rc<Self>) {
        self.requested.set(false);
        if self.stopped.get() {
            return;
        }
        let now = Date::now();
        let last = self.drawn_at.replace(0.0);
        // After a standstill no time has passed. The upper limit prevents jumps after a busy
        // period.
        let seconds =
            if last > 0.0 { ((now - last) / 1_000.0).clamp(0.0, 0.1) as f32 } else { 0.0 };
        let is_turning = self.is_turning();
        if is_turning {
            self.camera.borrow_mut().turn(0.0, ROTATION * seconds);
        }
        self.camera.borrow_mut().step(seconds);
        let is_spreading = self.arrival.borrow_mut().as_mut().is_some_and(|arrival| {
            arrival.age += seconds;
            !arrival.is_still && arrival.age < RING
        });
        if self.draw() && (is_turning || is_spreading || self.camera.borrow().is_moving()) {
            self.drawn_at.set(now);
            self.request_frame();
        }
    }

    /// Whether the globe is rotating now. It pauses while the visitor interacts with the globe or
    /// looks at something on it.
    fn is_turning(&self) -> bool {
        let signals = self.signals;
        let is_busy = [signals.is_paused, signals.is_held, signals.is_over, signals.is_zoomed];
        self.is_rotating
            && !is_busy.iter().any(|busy| busy.get_untracked())
            && self.chosen.get().is_none()
            && self.arrival.borrow().is_none()
            && !self.camera.borrow().is_moving()
            && !prefers_less_motion()
    }

    fn draw(self: &Rc<Self>) -> bool {
        let (width, height) = self.size();
        let zoom = self.camera.borrow().zoom;
        if self.places.borrow().clusters().level(zoom) != self.level.get() {
            self.paint_places();
        }
        if zoom > LINES_FROM {
            self.request_lines();
        }
        self.signals.is_zoomed.set(zoom > 1.05);
        let painter = self.painter.borrow();
        let (Some(painter), true) = (&*painter, width > 0.0 && height > 0.0) else { return false };
        // A higher ratio is not visible, and would quadruple the work.
        let ratio = window().device_pixel_ratio().clamp(1.0, 2.0) as f32;
        let (wide, high) = ((width * ratio) as u32, (height * ratio) as u32);
        let canvas = &self.elements.canvas;
        if (canvas.width(), canvas.height()) != (wide, high) {
            canvas.set_width(wide);
            canvas.set_height(high);
        }
        let sphere = self.sphere();
        painter.draw(&Scene {
            sphere,
            width: wide as f32,
            height: high as f32,
            radius: self.radius() * ratio,
            zoom,
            rings: self.rings(),
        });
        self.signals.is_drawn.set(true);
        self.place_texts(&sphere);
        self.place_names(&sphere);
        true
    }

    fn rings(&self) -> Vec<Ring> {
        let mut rings = Vec::new();
        if let Some((position, radius)) = self.chosen_disc() {
            rings.push(Ring { position, radius: radius + 0.015, kind: None, strength: 1.0 });
        }
        if let Some(arrival) = &*self.arrival.borrow() {
            let time = if arrival.is_still { 0.3 } else { arrival.age / RING };
            if (0.0..1.0).contains(&time) {
                let left = 1.0 - time;
                rings.push(Ring {
                    position: arrival.position,
                    radius: 0.02 + 0.2 * (1.0 - left * left * left),
                    kind: Some(arrival.kind as usize),
                    strength: left,
                });
            }
        }
        rings
    }

    /// Position of the selected place, and the radius of the disc that contains it.
    fn chosen_disc(&self) -> Option<(Position, f32)> {
        let places = self.places.borrow();
        let level = places.clusters().level(self.camera.borrow().zoom);
        let cluster = places.clusters().of_site(level, self.chosen.get()?)?;
        Some((cluster.position, cluster.radius))
    }

    /// Moves the texts to the positions of their places on the stage.
    fn place_texts(self: &Rc<Self>, sphere: &Sphere) {
        let near = self.radius() / self.camera.borrow().zoom;
        if let Some((position, radius)) = self.chosen_disc() {
            let [x, y, z] = sphere.project(point(position.lat, position.lng));
            if z < 0.0 && !self.camera.borrow().is_moving() {
                self.close();
            } else {
                let around = (radius + 0.02) * near;
                self.place(&self.elements.card, self.seen_at(x, y, z), around);
            }
        }
        if let Some(arrival) = &*self.arrival.borrow() {
            let [x, y, z] = sphere.project(point(arrival.position.lat, arrival.position.lng));
            self.place(&self.elements.arrival, self.seen_at(x, y, z), 0.05 * near);
        }
    }

    /// Puts a text above a place that extends `around` pixels, or below if there is no room, and
    /// keeps it on the stage.
    fn place(&self, text: &HtmlElement, (x, y): (f32, f32), around: f32) {
        let (width, height) = self.size();
        let (wide, high) = (text.offset_width() as f32, text.offset_height() as f32);
        let keep =
            |start: f32, length: f32, room: f32| start.min(room - length - MARGIN).max(MARGIN);
        let above = y - around - high - 6.0;
        let top = if above < MARGIN { y + around + 6.0 } else { above };
        let pixels = |place: f32| plain(place as u64) + "px";
        let left = pixels(keep(x - wide / 2.0, wide, width));
        let top = pixels(keep(top, high, height));
        let transform = ["translate(", &left, ",", &top, ")"].concat();
        _ = text.style().set_property("transform", &transform);
    }

    /// Converts radii of the globe to pixels of the stage. Points on the far side are moved to the
    /// nearest edge.
    pub(super) fn seen_at(&self, x: f32, y: f32, z: f32) -> (f32, f32) {
        let ((width, height), radius) = (self.size(), self.radius());
        let away = if z < 0.0 { (x * x + y * y).sqrt().max(0.01) } else { 1.0 };
        (width / 2.0 + x / away * radius, height / 2.0 - y / away * radius)
    }

    pub(super) fn size(&self) -> (f32, f32) {
        let stage = &self.elements.stage;
        (stage.client_width() as f32, stage.client_height() as f32)
    }

    /// Radius of the globe in pixels.
    pub(super) fn radius(&self) -> f32 {
        let (width, height) = self.size();
        width.min(height) / 2.0 / REACH * self.camera.borrow().zoom
    }

    pub(super) fn sphere(&self) -> Sphere {
        let camera = self.camera.borrow();
        Sphere::facing(camera.lat, camera.lng)
    }
}
