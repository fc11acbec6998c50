//! Positions of the dots for the globe's land.
//!
//! `app/data/land.bin` has one bit for each point of a grid that is spread evenly over the sphere.
//! It takes 5 kB instead of the megabytes of a map, and the client computes the positions.
//! `scripts/gazetteer` generates the file from Natural Earth. Nothing here panics or formats,
//! because that code would be in the wasm.

#[cfg(feature = "ssr")]
mod coasts;
mod grid;

#[cfg(feature = "ssr")]
pub use coasts::{Coasts, coasts};

static MASK: &[u8] = include_bytes!("../data/land.bin");

/// Latitude and longitude, in degrees, of each point on land, from south to north and from west to
/// east. Points are about one degree (111 km) apart.
pub fn points() -> Vec<(f32, f32)> {
    let mut points = grid::grid();
    let mut index = 0;
    points.retain(|_| {
        let byte = MASK.get(index / 8).copied().unwrap_or_default();
        index += 1;
        byte >> ((index - 1) % 8) & 1 == 1
    });
    points
}

/// A quarter of the [`points`], about two degrees apart, for drawings that have to be short.
#[cfg(any(feature = "ssr", test))]
pub fn coarse_points() -> impl Iterator<Item = (f32, f32)> {
    points().into_iter().filter(|point| grid::is_coarse(*point))
}

#[cfg(test)]
mod tests;
