//! The metrics widget: four counters, alive.

pub mod board;
mod counts;
#[cfg(feature = "ssr")]
mod document;
mod shown;

#[cfg(feature = "ssr")]
pub use document::page;

/// The id of the element that carries the first values as the API's JSON.
#[cfg(any(feature = "hydrate", feature = "ssr"))]
const FIRST: &str = "first";
