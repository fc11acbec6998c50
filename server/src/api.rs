//! The JSON API. A file's path below here is its URL.

mod parameters;
pub mod v1;

pub use parameters::Parameters;
