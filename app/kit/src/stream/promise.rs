//! Promises with callbacks. The futures of js-sys and the closures of its `Promise` would be more
//! code.

use js_sys::{Function, Promise};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// A promise of the browser.
    pub(super) type Chain;

    /// Calls `fulfilled` or `rejected` later. Each may be undefined.
    #[wasm_bindgen(method)]
    pub(super) fn then(this: &Chain, fulfilled: &JsValue, rejected: &JsValue) -> Chain;
}

/// Returns a promise, and the function that settles it.
pub(super) fn unsettled() -> (JsValue, Option<Function>) {
    let mut settle = None;
    let promise = Promise::new(&mut |resolve, _| settle = Some(resolve));
    (promise.into(), settle)
}

impl From<Promise> for Chain {
    fn from(promise: Promise) -> Self {
        promise.unchecked_into()
    }
}
