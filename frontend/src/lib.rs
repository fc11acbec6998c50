//! Wasm entry point, which only mounts the islands of [app].

#[cfg(unsplit)]
mod unsplit;

use wasm_bindgen::prelude::wasm_bindgen;

/// See [`kit::page::start`].
#[wasm_bindgen]
pub fn start() {
    kit::page::start();
}

/// See [`kit::page::leave`].
#[wasm_bindgen]
pub fn leave() {
    kit::page::leave();
}

#[cfg(unsplit)]
pub use unsplit::loaded;

// Without this reference, the linker would drop the crate and its islands.
pub use app as _app;
