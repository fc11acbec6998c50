//! Wasm entry point, which only mounts the islands of [app].

#[cfg(unsplit)]
mod unsplit;

use any_spawner::Executor;
use leptos::reactive::owner::Owner;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// Owner of the page's islands.
    static PAGE: RefCell<Option<Owner>> = RefCell::default();
}

/// Called by `boot.js` before it hydrates the islands of the page, each time there are new ones.
///
/// Same as `leptos::mount::hydrate_islands`, but without the context for the server's resources and
/// errors. Our islands have neither, and the context would add 2 kB to each first load. An island
/// with children would need it.
#[wasm_bindgen]
pub fn hydrate() {
    // Fails only if an executor has already been set.
    _ = Executor::init_wasm_bindgen();
    let owner = Owner::new_root(None);
    owner.set();
    PAGE.replace(Some(owner));
}

/// Called before the islands are removed from the page; stops everything they do. No island may
/// still be running in the same task, because its signals are gone afterwards.
#[wasm_bindgen]
pub fn leave() {
    if let Some(owner) = PAGE.take() {
        owner.cleanup();
    }
}

#[cfg(unsplit)]
pub use unsplit::loaded;

// Without this reference, the linker would drop the crate and its islands.
pub use app as _app;
