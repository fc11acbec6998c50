//! The wasm entry: mounts the islands of [app], nothing else.

#[cfg(unsplit)]
mod unsplit;

use any_spawner::Executor;
use leptos::reactive::owner::Owner;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// What the islands of the page belong to.
    static PAGE: RefCell<Option<Owner>> = RefCell::default();
}

/// Called by `boot.js` before it hydrates the islands of the page, each time there are new ones.
///
/// This is `leptos::mount::hydrate_islands` without the context in which the server's resources and
/// errors arrive, which would be 2 kB of each first load: our islands have neither. An island with
/// children needs it.
#[wasm_bindgen]
pub fn hydrate() {
    // An error says that there is an executor already.
    _ = Executor::init_wasm_bindgen();
    let owner = Owner::new_root(None);
    owner.set();
    PAGE.replace(Some(owner));
}

/// Called before the islands are taken out of the page: they end what they do. Nothing of them may
/// be under way in the same task, because their signals are gone after it.
#[wasm_bindgen]
pub fn leave() {
    if let Some(owner) = PAGE.take() {
        owner.cleanup();
    }
}

#[cfg(unsplit)]
pub use unsplit::loaded;

// Without a mention of it, the linker would drop the crate and with it its islands.
pub use app as _app;
