//! Frames: when one is drawn, and its contents.

use super::{
    super::{REACH, painter::Scene, sphere::Sphere, sun},
    Engine,
};
use js_sys::Date;
use kit::dom::prefers_less_motion;
use leptos::prelude::*;
use std::rc::Rc;

/// Steps of the sun, in milliseconds. Between them, the same view gives the same picture.
const SUN: f64 = 600_000.0;
/// Speed of the automatic rotation, in degrees per second.
const ROTATION: f32 = 4.0;
/// Zoom from which coasts and borders are drawn.
const LINES_FROM: f32 = 1.2;

impl Engine {
    /// Requests a frame, unless one is pending or the globe is not visible.
    pub(super) fn request_frame(self: &Rc<Self>) {
        if self.stopped.get() {
            return;
        }
        let is_seen = self.signals.is_on_screen.get_untracked() && !document().hidden();
        // Without places, the first frame would lack the lights of the server's drawing.
        let can_draw = self.painter.borrow().is_some() && self.has_places.get();
        if is_seen && can_draw && !self.requested.replace(true) {
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
        let is_arriving = self.step_arrival(seconds);
        if self.draw() && (is_turning || is_arriving || self.camera.borrow().is_moving()) {
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
            sun: sun::direction(&sphere, (Date::now() / SUN).floor() * SUN),
            width: wide as f32,
            height: high as f32,
            radius: self.radius() * ratio,
            zoom,
            ratio,
            marks: self.marks(&sphere),
        });
        self.signals.is_drawn.set(true);
        self.place_texts(&sphere);
        self.place_names(&sphere);
        true
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
