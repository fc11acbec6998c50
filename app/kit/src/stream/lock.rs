//! The browser's locks (Web Locks API), shared by all pages and frames of one origin. The browser
//! releases a page's lock at once when the page is gone, even after a crash. Not available without
//! TLS.

use js_sys::{Function, Promise};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

/// `web-sys` hides the API behind a flag for the whole build. Throws in browsers without locks.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = ["navigator", "locks"], js_name = request)]
    fn ask(name: &str, granted: &Function) -> Result<Request, JsValue>;

    /// A promise. The `Promise` of js-sys requires closures of its own kind.
    type Request;

    #[wasm_bindgen(method, js_name = catch)]
    fn or_else(this: &Request, refused: &Function) -> Request;
}

/// Requests the lock `name`. `granted` returns a promise and holds the lock until the promise is
/// settled. `refused` is called for an opaque origin, which has no locks.
pub(super) fn request(name: &str, granted: &Function, refused: &Function) {
    if let Ok(request) = ask(name, granted) {
        _ = request.or_else(refused);
    }
}

/// Returns a promise for `granted` to return, and the function that settles it.
pub(super) fn guard() -> (JsValue, Option<Function>) {
    let mut settle = None;
    let held = Promise::new(&mut |resolve, _| settle = Some(resolve));
    (held.into(), settle)
}
