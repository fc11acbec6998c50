//! Keeps fetched data up to date: one request at a time, with a pause after each, and none while
//! the result would not be visible. Responses therefore cannot overtake each other, and a stream
//! that changes every second does not cause a request every second.

use crate::{
    json::field,
    signals::{Var, cleanup, effect},
};
use js_sys::{Function, Promise};
use leptos::{prelude::*, task::spawn_local};
use std::{cell::Cell, future::poll_fn, pin::Pin, rc::Rc, task::Poll};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::RequestInit;

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// Future of a response's body.
pub type Fetch = Pin<Box<dyn Future<Output = Option<JsValue>>>>;

/// See [`use_refresh`]. Cheap to clone.
#[derive(Clone)]
pub struct Refresh(Rc<State>);

struct State {
    fetch: Box<dyn Fn() -> Task>,
    /// Pause after each run, in milliseconds.
    rest: i32,
    active: Option<Var<bool>>,
    busy: Cell<bool>,
    wanted: Cell<bool>,
    over: Cell<bool>,
}

/// Returns a handle whose [`request`](Refresh::request) runs `fetch`: at once, or `rest`
/// milliseconds after the last run, or when `active` becomes true. Several requests in the meantime
/// cause a single run. Browser only: call it in an effect.
pub fn use_refresh(
    rest: i32,
    active: Option<Var<bool>>,
    fetch: impl Fn() -> Task + 'static,
) -> Refresh {
    let refresh = Refresh(Rc::new(State {
        fetch: Box::new(fetch),
        rest,
        active,
        busy: Cell::default(),
        wanted: Cell::default(),
        over: Cell::default(),
    }));
    if let Some(active) = active {
        let refresh = refresh.clone();
        effect(move |_| {
            active.get();
            refresh.run();
        });
    }
    let state = refresh.0.clone();
    cleanup(move || state.over.set(true));
    refresh
}

impl Refresh {
    /// Requests a run, because the fetched data are out of date.
    pub fn request(&self) {
        self.0.wanted.set(true);
        self.run();
    }

    fn run(&self) {
        let State { active, busy, wanted, over, .. } = &*self.0;
        let is_active = || active.is_none_or(|active| active.get_untracked());
        if over.get() || !wanted.get() || busy.get() || !is_active() {
            return;
        }
        wanted.set(false);
        busy.set(true);
        let refresh = self.clone();
        spawn_local(async move {
            let mut fetch = (refresh.0.fetch)();
            // The run ends early if the component is cleaned up.
            poll_fn(|context| match refresh.0.over.get() {
                true => Poll::Ready(()),
                false => fetch.as_mut().poll(context),
            })
            .await;
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

/// Fetches an address past the browser's cache, which may be older than the stream's latest event.
/// `read_as` is the method that reads the body: `json`, `text` or `arrayBuffer`. `None` if the
/// request fails or its status is not a success.
///
/// Boxed, because each caller would contain the states of the future.
pub fn fetch(address: &str, read_as: &'static str) -> Fetch {
    let init = RequestInit::new();
    init.set_cache(web_sys::RequestCache::NoCache);
    let response = window().fetch_with_str_and_init(address, &init);
    Box::pin(async move {
        let response = JsFuture::from(response).await.ok()?;
        if !field(&response, "ok").is_truthy() {
            return None;
        }
        let body = field(&response, read_as).dyn_into::<Function>().ok()?.call0(&response).ok()?;
        JsFuture::from(body.unchecked_into::<Promise>()).await.ok()
    })
}
