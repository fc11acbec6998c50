//! The other half of `unsplit.js`.

use std::{ffi::c_void, mem, ptr};
use wasm_bindgen::prelude::wasm_bindgen;

/// Tells wasm-split that the module it has asked for is there: `callback` and `data` are what it gave
/// to the script that would have loaded it.
#[wasm_bindgen]
#[allow(unsafe_code)]
pub fn loaded(callback: usize, data: usize) {
    type Callback = unsafe extern "C" fn(*const c_void, bool);
    let callback: *const () = ptr::with_exposed_provenance(callback);
    // SAFETY: wasm-split passes a function of this type, and expects to get `data` back once.
    unsafe {
        mem::transmute::<*const (), Callback>(callback)(ptr::with_exposed_provenance(data), true)
    };
}
