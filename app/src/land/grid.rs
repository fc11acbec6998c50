//! The points of the dotted globe, both land and water.

/// Number of rings of latitude: one per degree, at half degrees.
const RINGS: u32 = 180;

/// Latitude and longitude, in degrees, of points about one degree apart on rings one degree apart.
/// Every other ring is shifted by half a point, so that no meridians show.
///
/// The points are ordered from south to north and from west to east, like the bits in
/// `app/data/land.bin`.
pub(super) fn grid() -> Vec<(f32, f32)> {
    let mut points = Vec::new();
    for ring in 0..RINGS {
        let count = points_of(ring);
        let shift = if ring % 2 == 0 { 0.5 } else { 0.0 };
        let step = 360.0 / count as f32;
        for point in 0..count {
            points.push((ring as f32 - 89.5, (point as f32 + shift) * step - 180.0));
        }
    }
    points
}

/// Number of points on a ring: 360 × the cosine of its latitude.
///
/// The cosine is Bhāskara's approximation in integers. Its error is at most 0.002, the result is
/// the same on every machine, and it needs no trigonometry in the wasm.
fn points_of(ring: u32) -> u32 {
    // Twice the absolute latitude.
    let double = (2 * ring + 1).abs_diff(RINGS);
    let square = double * double;
    let (above, below) = (4 * 360 * (RINGS * RINGS - square), 4 * RINGS * RINGS + square);
    (above + below / 2) / below
}

/// Whether a point belongs to the coarse quarter: every other point on every other ring.
#[cfg(any(feature = "ssr", test))]
pub(super) fn is_coarse((lat, lng): (f32, f32)) -> bool {
    let ring = (lat + 89.5) as u32;
    // Moved by a quarter of a point, so that rounding never leads to the previous point,
    // for any shift of the ring.
    let point = ((lng + 180.0) * points_of(ring) as f32 / 360.0 + 0.25) as u32;
    ring.is_multiple_of(2) && (point + ring / 2).is_multiple_of(2)
}
