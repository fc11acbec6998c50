//! The points of the dotted globe, land and water.

/// A ring of latitude for every degree, on the half degrees.
const RINGS: u32 = 180;

/// Latitude and longitude, in degrees, of points about a degree apart on rings about a degree apart;
/// every other ring is shifted by half a point, so that no meridians show.
///
/// From south to north, on a ring from west to east. The order is that of the bits in
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

/// How many points a ring has: 360 × the cosine of its latitude.
///
/// The cosine is Bhāskara's, in whole numbers: right to 0.002, the same on every machine, and no
/// trigonometry in the wasm.
fn points_of(ring: u32) -> u32 {
    // Twice the latitude, without its sign.
    let double = (2 * ring + 1).abs_diff(RINGS);
    let square = double * double;
    let (above, below) = (4 * 360 * (RINGS * RINGS - square), 4 * RINGS * RINGS + square);
    (above + below / 2) / below
}

/// Whether a point is one of the quarter of them that is about two degrees apart: every other one of
/// every other ring.
#[cfg(any(feature = "ssr", test))]
pub(super) fn is_coarse((lat, lng): (f32, f32)) -> bool {
    let ring = (lat + 89.5) as u32;
    // A quarter of a point on, whatever the ring's shift: no rounding can lead to the one before.
    let point = ((lng + 180.0) * points_of(ring) as f32 / 360.0 + 0.25) as u32;
    ring.is_multiple_of(2) && (point + ring / 2).is_multiple_of(2)
}
