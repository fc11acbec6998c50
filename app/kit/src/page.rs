//! The life of a page's islands. `frontend/boot.js` starts them, hydrates each, and ends them. It
//! calls these functions, which the wasm of widgets and of the desk both export.

use any_spawner::Executor;
use leptos::reactive::owner::Owner;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// Owner of the page's islands.
    static PAGE: RefCell<Option<Owner>> = RefCell::default();
}

/// Prepares the hydration of a page's islands. Call it each time there are new ones.
///
/// Same as `leptos::mount::hydrate_islands`, but without the context for the server's resources and
/// errors. Our islands have neither, and the context would add 2 kB to each first load. An island
/// with children would need it.
#[wasm_bindgen]
pub fn start() {
    // Fails only if an executor has already been set.
    _ = Executor::init_wasm_bindgen();
    let owner = Owner::new_root(None);
    owner.set();
    PAGE.replace(Some(owner));
}

/// Stops everything that the islands do; call it before they are removed from the page. No island
/// may still be running in the same task, because its signals are gone afterwards.
#[wasm_bindgen]
pub fn leave() {
    if let Some(owner) = PAGE.take() {
        owner.cleanup();
    }
}
