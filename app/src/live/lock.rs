//! The browser's locks (Web Locks), which all pages and frames of one origin share. They tell at once
//! when a page is gone, even if it crashed. Pages without TLS have none.

use js_sys::{Function, Promise};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

/// `web-sys` has them behind a flag for the whole build. Calling it throws in browsers without locks.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = ["navigator", "locks"], js_name = request)]
    fn ask(name: &str, granted: &Function) -> Result<Request, JsValue>;

    /// A promise, which js-sys wants to be caught with a closure of its own kind.
    type Request;

    #[wasm_bindgen(method, js_name = catch)]
    fn or_else(this: &Request, refused: &Function) -> Request;
}

/// Requests the lock `name`, in turn. `granted` returns a promise, and has the lock until that is
/// settled; `refused` is called for an opaque origin, which has no locks.
pub(super) fn request(name: &str, granted: &Function, refused: &Function) {
    if let Ok(request) = ask(name, granted) {
        _ = request.or_else(refused);
    }
}

/// A promise for `granted` to return, and the function that settles it.
pub(super) fn guard() -> (JsValue, Option<Function>) {
    let mut settle = None;
    let held = Promise::new(&mut |resolve, _| settle = Some(resolve));
    (held.into(), settle)
}
