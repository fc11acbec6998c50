//! Names of the busiest visible places, if the page requests them.

use super::{
    super::{clusters::Cluster, sphere::Sphere},
    Engine,
};
use kit::number::plain;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Boxes for the names, and their number.
pub(in super::super) const BOXES: &str = "<b></b><b></b><b></b><b></b><b></b><b></b><b></b><b></b>";
const MAX_NAMES: u32 = 8;
/// Minimum depth of a labelled place: 0 is the edge of the globe's face, 1 its centre.
const FACING: f32 = 0.25;
/// Room for a name around its centre, in pixels.
const ROOM: (f32, f32) = (90.0, 20.0);

impl Engine {
    /// Chooses the visible names and moves them to their places.
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
        // Busiest first; ties in the order of their indices.
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
                // Shifted by half of its size, so that its centre is at the place.
                let to = ["translate(", &plain(x as u64), "px,", &plain(y as u64), "px)"].concat();
                let style = name.unchecked_ref::<HtmlElement>().style();
                _ = style.set_property("transform", &(to + " translate(-50%,-50%)"));
                name.set_text_content(Some(&places.texts(cluster.site).unwrap_or_default().0));
            }
        }
        for index in shown.len() as u32..MAX_NAMES {
            if let Some(name) = boxes.item(index) {
                name.set_text_content(None);
            }
        }
    }
}
