//! The wasm entry: mounts the islands of [app], nothing else.

use wasm_bindgen::prelude::wasm_bindgen;

/// Called by `boot.js` once the module is there, before it hydrates the page's islands.
#[wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}

// Without a mention of it, the linker would drop the crate and with it its islands.
pub use app as _app;
