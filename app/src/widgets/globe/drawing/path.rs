use std::fmt::Write;

/// Radius of the globe in units of the drawing. Integers are precise enough, and short.
pub(super) const RADIUS: f32 = 500.0;

/// Path of dots: zero-length strokes with round ends, each relative to the one before.
pub(super) fn dots(points: impl Iterator<Item = (f32, f32)>) -> String {
    let mut path = String::from("M0 0");
    let mut last = (0, 0);
    for (x, y) in points {
        let (x, y) = drawn(x, y);
        let (dx, dy) = (x - last.0, y - last.1);
        let gap = if dy < 0 { "" } else { " " };
        _ = write!(path, "m{dx}{gap}{dy}h0");
        last = (x, y);
    }
    path
}

/// Coordinates in the drawing, of a point in radii of the globe.
pub(super) fn drawn(x: f32, y: f32) -> (i32, i32) {
    ((x * RADIUS).round() as i32, (-y * RADIUS).round() as i32)
}
