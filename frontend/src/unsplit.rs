//! Rust counterpart of `unsplit.js`.

use std::{ffi::c_void, mem, ptr};
use wasm_bindgen::prelude::wasm_bindgen;

/// Notifies wasm-split that the requested module is loaded. `callback` and `data` are the values
/// that it passed to the script that would have loaded the module.
#[wasm_bindgen]
#[allow(unsafe_code)]
pub fn loaded(callback: usize, data: usize) {
    type Callback = unsafe extern "C" fn(*const c_void, bool);
    let callback: *const () = ptr::with_exposed_provenance(callback);
    // SAFETY: wasm-split passes a function of this type, and expects to receive `data` exactly
    // once.
    unsafe {
        mem::transmute::<*const (), Callback>(callback)(ptr::with_exposed_provenance(data), true)
    };
}
