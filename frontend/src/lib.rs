//! The wasm entry: mounts the islands of [app], nothing else.

#[cfg(unsplit)]
mod unsplit;

use any_spawner::Executor;
use leptos::reactive::owner::Owner;
use wasm_bindgen::prelude::wasm_bindgen;

/// Called by `boot.js` once the module is there, before it hydrates the page's islands.
///
/// This is `leptos::mount::hydrate_islands` without the context in which the server's resources and
/// errors arrive, which would be 2 kB of each first load: our islands have neither. An island with
/// children needs it.
#[wasm_bindgen]
pub fn hydrate() {
    // An error would say that there is an executor already.
    _ = Executor::init_wasm_bindgen();
    let owner = Owner::new_root(None);
    owner.set();
    std::mem::forget(owner);
}

#[cfg(unsplit)]
pub use unsplit::loaded;

// Without a mention of it, the linker would drop the crate and with it its islands.
pub use app as _app;
