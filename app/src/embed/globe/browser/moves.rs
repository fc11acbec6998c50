//! What the visitor does with the globe: turns it, comes nearer, and asks about places. The events
//! themselves are heard by [`hands`](super::super::hands).

use super::{
    super::{clusters::Cluster, sphere::Position},
    Globe,
};
use crate::embed::dom::{find, less_motion};
use web_sys::HtmlCanvasElement;

/// How far from the middle of a disc a click still counts, in pixels, however small the disc is:
/// what can be hit is at least 24 pixels wide.
const REACH: f32 = 12.0;

impl Globe {
    pub(in super::super) fn canvas(&self) -> &HtmlCanvasElement {
        &self.canvas
    }

    pub(in super::super) fn has_focus(&self) -> bool {
        self.canvas.matches(":focus").unwrap_or_default()
    }

    pub(in super::super) fn hold(&self, held: bool) {
        if held {
            self.camera.borrow_mut().stop();
            self.forget_hint();
        }
        _ = self.canvas.class_list().toggle_with_force("held", held);
    }

    /// Who has found out how to turn it needs no hint.
    pub(in super::super) fn forget_hint(&self) {
        if let Some(hint) = find(".hint") {
            _ = hint.class_list().add_1("done");
        }
    }

    /// Turns by so many pixels; returns by how many degrees.
    pub(in super::super) fn turn(&self, dx: f32, dy: f32) -> (f32, f32) {
        let degrees = 1.0_f32.to_degrees() / self.radius().max(1.0);
        let (lat, lng) = (dy * degrees, -dx * degrees);
        self.camera.borrow_mut().turn(lat, lng);
        self.want();
        (lat, lng)
    }

    pub(in super::super) fn throw(&self, lat: f32, lng: f32) {
        if !less_motion() {
            self.camera.borrow_mut().throw(lat, lng);
            self.want();
        }
    }

    pub(in super::super) fn zoom(&self, factor: f32) {
        self.camera.borrow_mut().zoom_by(factor);
        let zoomed = self.camera.borrow().zoom > 1.05;
        _ = self.canvas.class_list().toggle_with_force("zoomed", zoomed);
        self.want();
    }

    /// Goes so many degrees on.
    pub(in super::super) fn go(&self, lat: f32, lng: f32) {
        let (from_lat, from_lng) = (self.camera.borrow().lat, self.camera.borrow().lng);
        self.face(from_lat + lat, from_lng + lng);
    }

    /// Goes to a point; returns for how long, in seconds.
    pub(super) fn face(&self, lat: f32, lng: f32) -> f32 {
        let length = if less_motion() {
            self.camera.borrow_mut().jump(lat, lng);
            0.0
        } else {
            self.camera.borrow_mut().fly(lat, lng)
        };
        self.want();
        length
    }

    fn pick(&self, x: f32, y: f32) -> Option<Cluster> {
        let ((width, height), radius) = (self.size(), self.radius());
        let at = ((x - width / 2.0) / radius, (height / 2.0 - y) / radius);
        let zoom = self.camera.borrow().zoom;
        self.places.borrow().pick(&self.sphere(), zoom, at, REACH / radius).cloned()
    }

    pub(in super::super) fn hover(&self, x: f32, y: f32) {
        let over = self.pick(x, y).is_some();
        _ = self.canvas.class_list().toggle_with_force("over", over);
    }

    pub(in super::super) fn click(&self, x: f32, y: f32) {
        match self.pick(x, y) {
            Some(Cluster { position, splits_at: Some(zoom), .. }) => {
                self.close();
                self.come_near(position, zoom);
            }
            Some(cluster) => self.open(cluster.site),
            None => self.close(),
        }
    }

    /// Goes to a point, and as near to it as this zoom.
    fn come_near(&self, Position { lat, lng }: Position, zoom: f32) {
        let mut camera = self.camera.borrow_mut();
        camera.fly_near(lat, lng, zoom);
        if less_motion() {
            camera.step(f32::INFINITY);
        }
        drop(camera);
        _ = self.canvas.class_list().toggle_with_force("zoomed", zoom > 1.05);
        self.want();
    }

    pub(super) fn open(&self, index: usize) {
        let Some(site) = self.places.borrow().site(index) else { return };
        let names = self.places.borrow().texts(index).unwrap_or_default();
        self.chosen.set(Some(index));
        self.card.tell(&names, site, &self.words);
        self.want();
    }

    pub(in super::super) fn close(&self) {
        self.chosen.set(None);
        self.walk.take();
        self.card.hide();
        self.want();
    }

    /// On to the next place, from the one nearest to the middle outwards.
    pub(in super::super) fn walk(&self, step: isize) {
        let mut walk = self.walk.borrow_mut();
        if walk.0.is_empty() {
            let (lat, lng) = (self.camera.borrow().lat, self.camera.borrow().lng);
            *walk = (self.places.borrow().around(lat, lng), 0);
        } else {
            walk.1 = walk.1.saturating_add_signed(step).min(walk.0.len() - 1);
        }
        let next = walk.0.get(walk.1).copied();
        drop(walk);
        let place = next.and_then(|index| Some((index, self.places.borrow().site(index)?)));
        if let Some((index, site)) = place {
            self.open(index);
            // As near as it takes to see it on its own, and no farther than one is.
            let alone = self.places.borrow().clusters().alone_from(index);
            let zoom = self.camera.borrow().zoom.max(alone);
            self.come_near(site.position, zoom);
        }
    }
}
