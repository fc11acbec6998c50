//! Wasm entry point, which only mounts the islands of [app].

// Without this reference, the linker would drop the crate and its islands.
pub use app as _app;
