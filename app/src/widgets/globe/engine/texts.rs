//! Texts beside their places on the stage: the card of the selected place, and the name of a new
//! report.

use super::{
    super::sphere::{Sphere, point},
    Engine,
};
use kit::number::plain;
use std::rc::Rc;
use web_sys::HtmlElement;

/// Minimum distance of a text from the edge of the stage, in pixels.
const MARGIN: f32 = 8.0;
/// Distance of the card from its place, and of a name from its place, in pixels.
const CARD: f32 = 16.0;
const NAME: f32 = 14.0;

impl Engine {
    /// Moves the texts to the positions of their places.
    pub(super) fn place_texts(self: &Rc<Self>, sphere: &Sphere) {
        let (width, height) = self.size();
        if let Some(position) = self.chosen_position() {
            let [x, y, z] = sphere.project(point(position.lat, position.lng));
            if z < 0.0 && !self.camera.borrow().is_moving() {
                self.close();
            } else {
                let (x, y) = self.seen_at(x, y, z);
                let (wide, high) = size(&self.elements.card);
                // Above, or below if there is no room.
                let above = y - CARD - high;
                let top = if above < MARGIN { y + CARD } else { above };
                let left = kept(x - wide / 2.0, wide, width);
                move_to(&self.elements.card, left, kept(top, high, height));
            }
        }
        if let Some(arrival) = &*self.arrival.borrow() {
            let [x, y, z] = sphere.project(point(arrival.position.lat, arrival.position.lng));
            let (x, y) = self.seen_at(x, y, z);
            let (wide, high) = size(&self.elements.arrival);
            // On the right, or on the left if there is no room.
            let right = x + NAME;
            let left = if right + wide + MARGIN > width { x - NAME - wide } else { right };
            let top = kept(y - high / 2.0, high, height);
            move_to(&self.elements.arrival, kept(left, wide, width), top);
        }
    }
}

fn size(text: &HtmlElement) -> (f32, f32) {
    (text.offset_width() as f32, text.offset_height() as f32)
}

/// Keeps a text of this length within the room.
fn kept(start: f32, length: f32, room: f32) -> f32 {
    start.min(room - length - MARGIN).max(MARGIN)
}

fn move_to(text: &HtmlElement, left: f32, top: f32) {
    let pixels = |place: f32| plain(place as u64) + "px";
    let transform = ["translate(", &pixels(left), ",", &pixels(top), ")"].concat();
    _ = text.style().set_property("transform", &transform);
}
