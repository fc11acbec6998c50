//! Keeps something that is fetched up to date: one request at a time, with a rest after each, and
//! none while nobody would see what comes of it. So responses cannot overtake each other, and a
//! stream that changes every second does not make a page fetch every second.

use crate::live::field;
use js_sys::{Function, Promise, Uint8Array};
use leptos::{prelude::*, task::spawn_local};
use std::{cell::Cell, future::Future, rc::Rc};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::RequestInit;

/// See [`use_refresh`]. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Refresh(Rc<State>);

struct State {
    fetch: Box<dyn Fn() -> std::pin::Pin<Box<dyn Future<Output = ()>>>>,
    /// In milliseconds.
    rest: i32,
    is_active: Cell<bool>,
    busy: Cell<bool>,
    wanted: Cell<bool>,
    over: Cell<bool>,
}

/// Returns a handle whose [`request`](Refresh::request) runs `fetch`: at once, or after the last
/// run and `rest` milliseconds, or when `active` becomes true. However often it was requested in
/// the meantime, it runs once. Browser only: to be called in an effect.
pub(crate) fn use_refresh<F: Future<Output = ()> + 'static>(
    rest: i32,
    active: Signal<bool>,
    fetch: impl Fn() -> F + 'static,
) -> Refresh {
    let refresh = Refresh(Rc::new(State {
        fetch: Box::new(move || Box::pin(fetch())),
        rest,
        is_active: Cell::new(true),
        busy: Cell::default(),
        wanted: Cell::default(),
        over: Cell::default(),
    }));
    let activated = refresh.clone();
    Effect::new(move || {
        activated.0.is_active.set(active.get());
        activated.run();
    });
    let state = send_wrapper::SendWrapper::new(refresh.0.clone());
    on_cleanup(move || state.over.set(true));
    refresh
}

impl Refresh {
    /// What was fetched is out of date.
    pub(crate) fn request(&self) {
        self.0.wanted.set(true);
        self.run();
    }

    fn run(&self) {
        let State { is_active, busy, wanted, over, .. } = &*self.0;
        if !wanted.get() || !is_active.get() || busy.get() || over.get() {
            return;
        }
        wanted.set(false);
        busy.set(true);
        let refresh = self.clone();
        spawn_local(async move {
            (refresh.0.fetch)().await;
            sleep(refresh.0.rest).await;
            refresh.0.busy.set(false);
            refresh.run();
        });
    }
}

async fn sleep(milliseconds: i32) {
    let promise = Promise::new(&mut |resolve, _| {
        _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds);
    });
    _ = JsFuture::from(promise).await;
}

/// The JSON at an address as it is now, not as the browser may still have it: that would know
/// nothing of what the stream has just told. `None` where there is no such response.
pub(crate) async fn fetch_json(address: &str) -> Option<JsValue> {
    fetch(address, "json").await
}

/// The same, as text.
pub(crate) async fn fetch_text(address: &str) -> Option<String> {
    fetch(address, "text").await?.as_string()
}

/// The same, as bytes.
pub(crate) async fn fetch_bytes(address: &str) -> Option<Vec<u8>> {
    let buffer = fetch(address, "arrayBuffer").await?;
    Some(Uint8Array::new(&buffer).to_vec())
}

/// Reads a response by the method of this name.
async fn fetch(address: &str, method: &str) -> Option<JsValue> {
    let init = RequestInit::new();
    init.set_cache(web_sys::RequestCache::NoCache);
    let response = JsFuture::from(window().fetch_with_str_and_init(address, &init)).await.ok()?;
    if !field(&response, "ok").is_truthy() {
        return None;
    }
    let body = field(&response, method).dyn_into::<Function>().ok()?.call0(&response).ok()?;
    JsFuture::from(body.unchecked_into::<Promise>()).await.ok()
}
