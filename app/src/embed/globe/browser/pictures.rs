//! Pictures: when one is drawn, and what is in it.

use super::{
    super::{
        REACH,
        painter::{Colour, Palette, Ring, View},
        sphere::{Position, Sphere, point},
    },
    Globe,
};
use crate::number::plain;
use leptos::prelude::{document, window};

/// For how long the ring around a new report spreads, in seconds.
const RING: f32 = 1.6;

impl Globe {
    /// Asks for a picture, unless one is coming or nobody would see it.
    pub(super) fn want(&self) {
        let drawable = self.can_draw() && self.on_screen.get();
        if drawable
            && !document().hidden()
            && let Some(calls) = self.calls.get()
            && !self.asked.replace(true)
        {
            _ = window().request_animation_frame(&calls.frame);
        }
    }

    pub(super) fn frame(&self, now: f64) {
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
        let zoom = self.camera.borrow().zoom;
        if self.places.borrow().clusters().level(zoom) != self.level.get() {
            self.give_markers();
        }
        if zoom > 1.2 {
            self.look_for_lines();
        }
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
        painter.draw(&View {
            sphere,
            width: wide as f32,
            height: high as f32,
            radius: self.radius() * ratio,
            zoom,
            rings: self.rings(),
        });
        self.frames.set(self.frames.get() + 1);
        let frames = plain(self.frames.get());
        _ = self.canvas.set_attribute("data-frames", &frames);
        self.unveil(true);
        self.place_texts(&sphere);
        true
    }

    fn rings(&self) -> Vec<Ring> {
        let mut rings = Vec::new();
        if let Some((position, radius)) = self.chosen_disc() {
            let radius = radius + 0.015;
            rings.push(Ring { position, radius, kind: None, strength: 1.0 });
        }
        if let Some(arrival) = &*self.arrival.borrow() {
            let time = if arrival.still { 0.3 } else { arrival.age / RING };
            if (0.0..1.0).contains(&time) {
                let left = 1.0 - time;
                rings.push(Ring {
                    position: arrival.position,
                    radius: 0.02 + 0.2 * (1.0 - left * left * left),
                    kind: Some(arrival.kind),
                    strength: left,
                });
            }
        }
        rings
    }

    /// Where the place that is told about is, and the radius of the disc that it is part of.
    fn chosen_disc(&self) -> Option<(Position, f32)> {
        let places = self.places.borrow();
        let level = places.clusters().level(self.camera.borrow().zoom);
        let cluster = places.clusters().of_site(level, self.chosen.get()?)?;
        Some((cluster.position, cluster.radius))
    }

    /// Puts the texts where their places are seen.
    fn place_texts(&self, sphere: &Sphere) {
        let size = self.size();
        let near = self.radius() / self.camera.borrow().zoom;
        if let Some((position, radius)) = self.chosen_disc() {
            let [x, y, z] = sphere.project(point(position.lat, position.lng));
            if z < 0.0 && !self.camera.borrow().is_moving() {
                self.close();
            } else {
                let around = (radius + 0.02) * near;
                self.card.place_card(self.seen_at(x, y, z), around, size);
            }
        }
        if let Some(arrival) = &*self.arrival.borrow() {
            let [x, y, z] = sphere.project(point(arrival.position.lat, arrival.position.lng));
            self.card.place_arrival(self.seen_at(x, y, z), 0.05 * near, size);
        }
    }

    /// From radii of the globe to pixels of the stage. What is on the far side is put at the edge
    /// nearest to it.
    fn seen_at(&self, x: f32, y: f32, z: f32) -> (f32, f32) {
        let ((width, height), radius) = (self.size(), self.radius());
        let away = if z < 0.0 { (x * x + y * y).sqrt().max(0.01) } else { 1.0 };
        (width / 2.0 + x / away * radius, height / 2.0 - y / away * radius)
    }

    pub(super) fn size(&self) -> (f32, f32) {
        (self.stage.client_width() as f32, self.stage.client_height() as f32)
    }

    /// The globe's radius in pixels.
    pub(super) fn radius(&self) -> f32 {
        let (width, height) = self.size();
        width.min(height) / 2.0 / REACH * self.camera.borrow().zoom
    }

    pub(super) fn sphere(&self) -> Sphere {
        let camera = self.camera.borrow();
        Sphere::facing(camera.lat, camera.lng)
    }

    /// Takes the colours of the page.
    pub(super) fn paint_in(&self) {
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
                chosen: colour("--text"),
            });
        }
    }

    /// Shows the canvas instead of the server's drawing, or the other way round.
    pub(super) fn unveil(&self, canvas: bool) {
        if canvas == self.canvas.has_attribute("hidden") {
            self.canvas.set_hidden(!canvas);
        }
        if !canvas {
            self.close();
            self.card.name_arrival(None);
        }
    }
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
