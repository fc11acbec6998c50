//! Navigation: turning, zooming and selecting places.

use super::{
    super::{
        clusters::Cluster,
        places::{Name, Rows},
        sphere::Position,
        state::Chosen,
    },
    Engine,
};
use crate::contract::messages::tell_place;
use kit::{dom::prefers_less_motion, json::text};
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// Minimum click radius of a light, in pixels. Every target is then at least 24 pixels wide.
const REACH: f32 = 12.0;

impl Engine {
    pub(super) fn has_focus(&self) -> bool {
        self.elements.canvas.matches(":focus").unwrap_or_default()
    }

    pub(super) fn hold(&self, is_held: bool) {
        if is_held {
            self.camera.borrow_mut().stop();
            self.signals.is_used.set(true);
        }
        self.signals.is_held.set(is_held);
    }

    /// Stops all movement.
    pub(super) fn halt(self: &Rc<Self>) {
        self.camera.borrow_mut().stop();
        if let Some(arrival) = &mut *self.arrival.borrow_mut() {
            arrival.is_still = true;
        }
        self.request_frame();
    }

    /// Turns the globe by a distance in pixels. Returns the angles in degrees.
    pub(super) fn turn(self: &Rc<Self>, dx: f32, dy: f32) -> (f32, f32) {
        let degrees = 1.0_f32.to_degrees() / self.radius().max(1.0);
        let (lat, lng) = (dy * degrees, -dx * degrees);
        self.camera.borrow_mut().turn(lat, lng);
        self.request_frame();
        (lat, lng)
    }

    pub(super) fn throw(self: &Rc<Self>, lat: f32, lng: f32) {
        if !prefers_less_motion() {
            self.camera.borrow_mut().throw(lat, lng);
            self.request_frame();
        }
    }

    pub(super) fn zoom(self: &Rc<Self>, factor: f32) {
        self.camera.borrow_mut().zoom_by(factor);
        self.request_frame();
    }

    /// Turns by these angles in degrees.
    pub(super) fn go(self: &Rc<Self>, lat: f32, lng: f32) {
        let from = self.camera.borrow().clone();
        self.face(Position { lat: from.lat + lat, lng: from.lng + lng });
    }

    /// Moves to a point. Returns the duration in seconds.
    pub(super) fn face(self: &Rc<Self>, Position { lat, lng }: Position) -> f32 {
        let length = if prefers_less_motion() {
            self.camera.borrow_mut().jump(lat, lng);
            0.0
        } else {
            self.camera.borrow_mut().fly(lat, lng)
        };
        self.request_frame();
        length
    }

    /// Moves to a point and zooms in to at least `zoom`.
    fn come_near(self: &Rc<Self>, Position { lat, lng }: Position, zoom: f32) {
        let mut camera = self.camera.borrow_mut();
        camera.fly_near(lat, lng, zoom);
        if prefers_less_motion() {
            camera.step(f32::INFINITY);
        }
        drop(camera);
        self.request_frame();
    }

    fn pick(&self, x: f32, y: f32) -> Option<Cluster> {
        let ((width, height), radius) = (self.size(), self.radius());
        let at = ((x - width / 2.0) / radius, (height / 2.0 - y) / radius);
        let zoom = self.camera.borrow().zoom;
        self.places.borrow().pick(&self.sphere(), zoom, at, REACH / radius).cloned()
    }

    /// Marks the place under the pointer.
    pub(super) fn hover(self: &Rc<Self>, x: f32, y: f32) {
        self.point_at(self.pick(x, y).map(|cluster| cluster.site));
    }

    /// Marks a place, or none.
    pub(super) fn point_at(self: &Rc<Self>, site: Option<usize>) {
        self.signals.is_over.set(site.is_some());
        if self.hovered.replace(site) != site {
            self.request_frame();
        }
    }

    pub(super) fn click(self: &Rc<Self>, x: f32, y: f32) {
        match self.pick(x, y) {
            Some(Cluster { position, splits_at: Some(zoom), .. }) => {
                self.close();
                self.come_near(position, zoom);
            }
            Some(cluster) => {
                self.open(cluster.site);
                if let Some(Chosen { city, country, counts, .. }) =
                    self.signals.chosen.get_untracked()
                {
                    tell_place(&city, &country, counts.0);
                }
            }
            None => self.close(),
        }
    }

    /// Turns to a report selected by the embedding page: by its id among the newest, or else by the
    /// names of its place.
    pub(in super::super) fn show(self: &Rc<Self>, report: &JsValue, newest: &Rows) {
        let (position, name) = match newest.newest(&text(report, "id")) {
            Some((position, name)) => (Some(position), name),
            None => (None, Name::of(report)),
        };
        let index = self.with_places(|places| places.find(&name));
        let site = index.and_then(|index| self.with_places(|places| places.site(index)));
        let Some(position) = position.or(site.map(|site| site.position)) else { return };
        self.close();
        self.face(position);
        if let Some(index) = index {
            self.open(index);
        }
    }

    pub(super) fn open(self: &Rc<Self>, index: usize) {
        let places = self.places.borrow();
        let Some(site) = places.site(index) else { return };
        let (city, country) = places.texts(index).unwrap_or_default();
        self.chosen.set(Some(index));
        let chosen = Chosen { city, country, counts: site.counts, is_rough: site.rough };
        self.signals.chosen.set(Some(chosen));
        self.request_frame();
    }

    pub(super) fn close(self: &Rc<Self>) {
        self.chosen.set(None);
        self.tour.take();
        self.signals.chosen.set(None);
        self.request_frame();
    }

    /// Moves to the next place, in order of distance from the centre at the start.
    pub(super) fn next_place(self: &Rc<Self>, step: isize) {
        let mut tour = self.tour.borrow_mut();
        if tour.0.is_empty() {
            let (lat, lng) = self.camera.borrow().destination();
            let order = self.places.borrow().around(lat, lng);
            *tour = (order, 0);
        } else {
            tour.1 = tour.1.saturating_add_signed(step).min(tour.0.len() - 1);
        }
        let next = tour.0.get(tour.1).copied();
        drop(tour);
        let site = next.and_then(|index| Some((index, self.places.borrow().site(index)?)));
        if let Some((index, site)) = site {
            self.open(index);
            // Zooms in until the place is separate, but never zooms out.
            let alone = self.places.borrow().clusters().alone_from(index);
            let zoom = self.camera.borrow().zoom.max(alone);
            self.come_near(site.position, zoom);
        }
    }
}
