//! The browser's locks (Web Locks), which all pages and frames of one origin share.

use js_sys::{Function, JSON, Promise};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

/// `web-sys` has them behind a flag for the whole build. Calling it throws in browsers without locks.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch, js_namespace = ["navigator", "locks"], js_name = request)]
    fn ask(name: &str, options: &JsValue, granted: &Function) -> Result<Request, JsValue>;

    /// A promise, which js-sys wants to be caught with a closure of its own kind.
    type Request;

    #[wasm_bindgen(method, js_name = catch)]
    fn or_else(this: &Request, refused: &Function) -> Request;
}

/// Requests the lock `name`, in turn or from its holder. `granted` returns a promise, and has the
/// lock until that is settled; `refused` is also called when the lock is taken away.
pub(super) fn request(
    name: &str,
    steal: bool,
    granted: &Function,
    refused: &Function,
) -> Result<(), JsValue> {
    let options = JSON::parse(if steal { r#"{"steal":true}"# } else { "{}" })?;
    _ = ask(name, &options, granted)?.or_else(refused);
    Ok(())
}

/// A promise for `granted` to return, and the function that settles it.
pub(super) fn guard() -> (JsValue, Option<Function>) {
    let mut settle = None;
    let held = Promise::new(&mut |resolve, _| settle = Some(resolve));
    (held.into(), settle)
}
