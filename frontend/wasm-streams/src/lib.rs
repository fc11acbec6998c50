//! Replaces the crate of the same name, by `[patch.crates-io]` in the workspace's manifest.
//!
//! Leptos's server functions use it to stream bodies. We have no such bodies, but the real crate
//! exports classes to JavaScript, which no linker may drop: 4 kB on the wire in each widget's first
//! load, for code that never runs. This is the part of its API that `server_fn` is compiled
//! against.

use futures_util::stream::{self, Stream};
use wasm_bindgen::JsValue;

#[derive(Debug)]
pub struct ReadableStream(web_sys::ReadableStream);

impl ReadableStream {
    pub fn from_raw(raw: web_sys::ReadableStream) -> Self {
        Self(raw)
    }

    pub fn into_raw(self) -> web_sys::ReadableStream {
        self.0
    }

    pub fn from_stream(_: impl Stream<Item = Result<JsValue, JsValue>> + 'static) -> Self {
        unreachable!("there are no server functions")
    }

    pub fn into_stream(self) -> impl Stream<Item = Result<JsValue, JsValue>> {
        stream::pending()
    }
}
