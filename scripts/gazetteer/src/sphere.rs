//! Polygons on a sphere.
//!
//! Rings cross the antimeridian, and Antarctica's ring goes around the pole. A longitude therefore
//! has no meaning on its own; only differences of two longitudes are used, taken the short way
//! round. The test of whether a place is inside counts the edges along its meridian up to the North
//! Pole, which is water. No ring has to be unwrapped, cut or closed. (With the usual test along the
//! parallel, all of Eurasia from 65° to 69° N would be water.)

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place {
    pub(crate) lat: f64,
    pub(crate) lng: f64,
}

/// A closed ring; its last place is connected to its first.
pub(crate) type Ring = Vec<Place>;
/// The outline, then the holes.
pub(crate) type Polygon = Vec<Ring>;

/// Normalises a difference of longitudes to the short way round.
pub(crate) fn turn(degrees: f64) -> f64 {
    degrees - 360.0 * (degrees / 360.0).round()
}

fn edges(ring: &Ring) -> impl Iterator<Item = (Place, Place)> {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

/// Polygons, indexed for testing many places.
pub(crate) struct Shape {
    /// Edges that touch each degree of longitude.
    columns: Vec<Vec<(Place, Place)>>,
}

impl Shape {
    pub(crate) fn new(polygons: &[Polygon]) -> Self {
        let mut columns = vec![Vec::new(); 360];
        for (from, to) in polygons.iter().flatten().flat_map(edges) {
            let width = turn(to.lng - from.lng);
            let west = from.lng + width.min(0.0);
            let first = west.floor() as i64;
            let last = (west + width.abs()).floor() as i64;
            for column in first..=last {
                columns[column.rem_euclid(360) as usize].push((from, to));
            }
        }
        Self { columns }
    }

    pub(crate) fn contains(&self, place: Place) -> bool {
        let column = (place.lng.floor() as i64).rem_euclid(360) as usize;
        let crossed = self.columns[column].iter().filter(|(from, to)| {
            let (width, x) = (turn(to.lng - from.lng), turn(place.lng - from.lng));
            let crosses =
                if width > 0.0 { (0.0..width).contains(&x) } else { width <= x && x < 0.0 };
            crosses && from.lat + (to.lat - from.lat) * x / width > place.lat
        });
        crossed.count() % 2 == 1
    }
}

/// Area of a ring, for comparison only.
fn area(ring: &Ring) -> f64 {
    let strip = |(from, to): (Place, Place)| {
        turn(to.lng - from.lng) * (from.lat.to_radians().sin() + to.lat.to_radians().sin() + 2.0)
    };
    edges(ring).map(strip).sum::<f64>().abs()
}

/// The place in the largest polygon that is farthest from its border, to within a few kilometres.
pub(crate) fn heart(polygons: &[Polygon]) -> Option<Place> {
    let size = |polygon: &&Polygon| polygon.first().map_or(0.0, area);
    let largest = polygons.iter().max_by(|one, other| size(one).total_cmp(&size(other)))?;
    let outline = largest.first()?;
    let shape = Shape::new(std::slice::from_ref(largest));
    let border: Vec<_> =
        largest.iter().flat_map(edges).map(|(from, to)| (vector(from), vector(to))).collect();

    let lats = outline.iter().map(|place| place.lat);
    let (south, north) = (lats.clone().fold(90.0, f64::min), lats.fold(-90.0, f64::max));
    let start = outline.first()?.lng;
    let (mut lng, mut west, mut east) = (start, start, start);
    for (from, to) in edges(outline) {
        lng += turn(to.lng - from.lng);
        (west, east) = (lng.min(west), lng.max(east));
    }
    // A coast around the pole. Only Antarctica has one.
    let south = if (east - west) > 359.0 { -90.0 } else { south };

    let middle = Place { lat: (south + north) / 2.0, lng: (west + east) / 2.0 };
    let mut best = (0.0, middle);
    let mut half = ((north - south) / 2.0, (east - west) / 2.0);
    for round in 0..8 {
        // Starts with a coarse grid, then refines it around the best place.
        let steps = if round == 0 { 40 } else { 6 };
        let around = best.1;
        for (row, column) in (-steps..=steps).flat_map(|r| (-steps..=steps).map(move |c| (r, c))) {
            let part = |step: i32, half: f64| f64::from(step) / f64::from(steps) * half;
            let lat = (around.lat + part(row, half.0)).clamp(-90.0, 90.0);
            let place = Place { lat, lng: around.lng + part(column, half.1) };
            if shape.contains(place) {
                let far = border.iter().map(|edge| distance(vector(place), *edge));
                let far = far.fold(f64::INFINITY, f64::min);
                if far > best.0 {
                    best = (far, place);
                }
            }
        }
        let shrink = if round == 0 { 20.0 } else { 3.0 };
        half = (half.0 / shrink, half.1 / shrink);
    }
    let (far, Place { lat, lng }) = best;
    (far > 0.0).then_some(Place { lat, lng: turn(lng) })
}

pub(crate) type Vector = [f64; 3];

pub(crate) fn vector(Place { lat, lng }: Place) -> Vector {
    let (lat, lng) = (lat.to_radians(), lng.to_radians());
    [lat.cos() * lng.cos(), lat.cos() * lng.sin(), lat.sin()]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Squared distance of a place from an edge, straight through the Earth. It grows with the distance
/// on the surface.
pub(crate) fn distance(place: Vector, (from, to): (Vector, Vector)) -> f64 {
    let (edge, way) = (minus(to, from), minus(place, from));
    let length = dot(edge, edge);
    let along = if length > 0.0 { (dot(edge, way) / length).clamp(0.0, 1.0) } else { 0.0 };
    let off = [way[0] - along * edge[0], way[1] - along * edge[1], way[2] - along * edge[2]];
    dot(off, off)
}
