//! Where the dots of the globe's land are.
//!
//! `app/data/land.bin` has a bit for every point of a grid that is spread evenly over the sphere: 5 kB
//! instead of the megabytes of a map, and positions are worked out where they are drawn. It is made
//! by `scripts/gazetteer` from Natural Earth. Nothing here panics, formats or allocates: it would
//! be in the wasm.

mod grid;

static MASK: &[u8] = include_bytes!("../data/land.bin");

/// Latitude and longitude, in degrees, of every point on land; from south to north, and on a ring of
/// latitude from west to east. Points are about a degree, 111 km, apart.
pub fn points() -> impl Iterator<Item = (f32, f32)> {
    let bits = MASK.iter().flat_map(|byte| (0..8).map(move |bit| (byte >> bit) & 1 == 1));
    grid::grid().zip(bits).filter_map(|(point, is_land)| is_land.then_some(point))
}

/// A quarter of the [`points`], about two degrees apart: for drawings that have to be short.
#[cfg(any(feature = "ssr", test))]
pub fn coarse_points() -> impl Iterator<Item = (f32, f32)> {
    points().filter(|point| grid::is_coarse(*point))
}

#[cfg(test)]
mod tests;
