//! Marks of single places: a ring around the place that a visitor points at or has selected, and
//! the pillar and the ripple of a new report.

use super::{
    super::{
        clusters::Cluster,
        painter::{Mark, Shape},
        sphere::{Position, Sphere, point},
    },
    Arrival, Engine,
};

/// Duration of the pillar of a new report, in seconds, and its height in pixels.
pub(super) const PILLAR: f32 = 0.6;
const HEIGHT: f32 = 40.0;
/// Start and duration of the ripple, in seconds, and its largest radius in pixels.
const RIPPLE_FROM: f32 = 0.3;
const RIPPLE: f32 = 0.9;
const RIPPLE_RADIUS: f32 = 32.0;
/// Distance of a ring from its light, and minimum radius, in pixels.
const GAP: f32 = 5.0;
const SMALLEST: f32 = 8.0;

impl Arrival {
    /// Whether the marks are moving or will move.
    pub(super) fn is_moving(&self) -> bool {
        !self.is_still && self.age < RIPPLE_FROM + RIPPLE
    }
}

impl Engine {
    /// Position of the light that contains the selected place.
    pub(super) fn chosen_position(&self) -> Option<Position> {
        let places = self.places.borrow();
        let level = places.clusters().level(self.camera.borrow().zoom);
        Some(places.clusters().of_site(level, self.chosen.get()?)?.position)
    }

    pub(super) fn marks(&self, sphere: &Sphere) -> Vec<Mark> {
        let mut marks = Vec::new();
        let places = self.places.borrow();
        let level = places.clusters().level(self.camera.borrow().zoom);
        let near = self.radius() / self.camera.borrow().zoom;
        let (chosen, hovered) = (self.chosen.get(), self.hovered.get());
        for site in [chosen, hovered.filter(|_| hovered != chosen)].into_iter().flatten() {
            let Some(Cluster { position, radius, counts, .. }) =
                places.clusters().of_site(level, site)
            else {
                continue;
            };
            let radius = (radius * near + GAP).max(SMALLEST);
            let shape = Shape::Ring { radius, thick: 2.0 };
            marks.extend(mark(sphere, *position, shape, counts.shares(), 1.0));
        }
        if let Some(arrival) = self.arrival.borrow().as_ref().filter(|one| one.is_moving()) {
            let mut shares = [0.0; 3];
            if let Some(share) = shares.get_mut(arrival.kind as usize) {
                *share = 1.0;
            }
            let part = |from: f32, length: f32| (arrival.age - from) / length;
            let rise = part(0.0, PILLAR);
            if (0.0..1.0).contains(&rise) {
                // Rises fast, and fades at the end.
                let shape = Shape::Pillar { height: HEIGHT * slowing(rise) };
                let strength = (3.0 - 3.0 * rise).min(1.0);
                marks.extend(mark(sphere, arrival.position, shape, shares, strength));
            }
            let spread = part(RIPPLE_FROM, RIPPLE);
            if (0.0..1.0).contains(&spread) {
                let shape = Shape::Ring { radius: RIPPLE_RADIUS * slowing(spread), thick: 2.0 };
                marks.extend(mark(sphere, arrival.position, shape, shares, 1.0 - spread));
            }
        }
        marks
    }
}

/// A mark at a position; `None` on the far side.
fn mark(
    sphere: &Sphere,
    position: Position,
    shape: Shape,
    shares: [f32; 3],
    strength: f32,
) -> Option<Mark> {
    let [x, y, z] = sphere.project(point(position.lat, position.lng));
    (z > 0.0).then_some(Mark { spot: [x, y], shape, shares, strength })
}

/// Movement that slows down: the covered part of the way, from 0 to 1, at a part of the time.
fn slowing(time: f32) -> f32 {
    let left = 1.0 - time;
    1.0 - left * left * left
}
