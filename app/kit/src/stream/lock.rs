//! The browser's locks (Web Locks API), shared by all pages and frames of one origin. The browser
//! releases a page's lock at once when the page is gone, even after a crash. Not available without
//! TLS.

use super::promise::Chain;
use js_sys::Function;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

/// `web-sys` hides the API behind a flag for the whole build. Throws in browsers without locks.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = ["navigator", "locks"], js_name = request)]
    fn ask(name: &str, options: &AbortController, granted: &Function) -> Result<Chain, JsValue>;

    /// Withdraws a request for a lock that has not been granted.
    pub(super) type AbortController;

    #[wasm_bindgen(constructor)]
    fn new() -> AbortController;

    #[wasm_bindgen(method)]
    pub(super) fn abort(this: &AbortController);
}

/// Requests the lock `name`. `granted` returns a promise and holds the lock until the promise is
/// settled. `lost` is called if the request is withdrawn, if a script takes the lock away, and for
/// an opaque origin, which has no locks.
pub(super) fn request(name: &str, granted: &Function, lost: &Function) -> Option<AbortController> {
    let controller = AbortController::new();
    // The options have one member, `signal`, and so has the controller.
    _ = ask(name, &controller, granted).ok()?.then(&JsValue::UNDEFINED, lost);
    Some(controller)
}
