//! Wasm entry point, which only mounts the islands of [app].

#[cfg(unsplit)]
mod unsplit;

#[cfg(unsplit)]
pub use unsplit::loaded;

// Without this reference, the linker would drop the crate and its islands.
pub use app as _app;
