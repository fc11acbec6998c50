//! The names of the busiest places that are seen, where the page asked for them.

use super::{
    super::{clusters::Cluster, sphere::Sphere},
    Engine,
};
use crate::number::plain;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The boxes that names are put into, and how many there are.
pub(in super::super) const BOXES: &str = "<b></b><b></b><b></b><b></b><b></b><b></b><b></b><b></b>";
const MOST: u32 = 8;
/// How near to the middle of the globe's face a place must be: 0 is its edge.
const FACING: f32 = 0.25;
/// The room that a name needs around its middle, in pixels.
const ROOM: (f32, f32) = (90.0, 20.0);

impl Engine {
    /// Says which names are seen, and puts them where their places are.
    pub(super) fn place_names(&self, sphere: &Sphere) {
        if !self.is_labelled {
            return;
        }
        let zoom = self.camera.borrow().zoom;
        let near = self.radius() / zoom;
        let places = self.places.borrow();
        let clusters = places.clusters();
        let level = clusters.on(clusters.level(zoom));
        let seen_at = |cluster: &Cluster| {
            let [x, y, z] = sphere.project(cluster.point);
            let (x, y) = self.seen_at(x, y, z);
            (z > FACING).then_some((x, y + cluster.radius * near + ROOM.1 / 2.0))
        };
        // The busiest first, by index where they are as busy.
        let rank = |cluster: &Cluster| u64::MAX - cluster.counts.total();
        let mut order: Vec<(u64, u32)> = level.iter().map(rank).zip(0..).collect();
        order.sort_unstable();
        let boxes = self.elements.names.children();
        let mut shown: Vec<(f32, f32)> = Vec::new();
        for (_, index) in order {
            let Some(cluster) = level.get(index as usize) else { continue };
            let Some((x, y)) = seen_at(cluster) else { continue };
            let is_free = shown
                .iter()
                .all(|other| (other.0 - x).abs() > ROOM.0 || (other.1 - y).abs() > ROOM.1);
            let free = boxes.item(shown.len() as u32).filter(|_| is_free);
            if let Some(name) = free {
                shown.push((x, y));
                // Half of itself to the left, so that its middle is there, however long it is.
                let to = ["translate(", &plain(x as u64), "px,", &plain(y as u64), "px)"].concat();
                let style = name.unchecked_ref::<HtmlElement>().style();
                _ = style.set_property("transform", &(to + " translate(-50%,-50%)"));
                name.set_text_content(Some(&places.texts(cluster.site).unwrap_or_default().0));
            }
        }
        for index in shown.len() as u32..MOST {
            if let Some(name) = boxes.item(index) {
                name.set_text_content(None);
            }
        }
    }
}
