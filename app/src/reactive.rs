//! Leptos' signals, effects and clean-ups with one type underneath each: generic code is in the wasm
//! once for every type and every closure that it is used with, and a widget has dozens.

use leptos::prelude::*;
use send_wrapper::SendWrapper;
use std::{any::Any, marker::PhantomData, sync::Arc};

/// Runs at first, and whenever a signal changes that it read. `run` is told whether it is the first
/// time. Browser only, like every effect.
pub(crate) fn effect(run: impl FnMut(bool) + 'static) {
    let mut run: Box<dyn FnMut(bool)> = Box::new(run);
    Effect::new(move |begun: Option<()>| run(begun.is_none()));
}

/// What the server provided to the components of a page. Nothing in the browser.
pub(crate) fn provided<T: Clone + 'static>() -> Option<T> {
    if cfg!(feature = "ssr") { use_context() } else { None }
}

/// Runs when the owner of the calling component or effect is cleaned up. Browser only.
pub(crate) fn cleanup(run: impl FnOnce() + 'static) {
    let run: SendWrapper<Box<dyn FnOnce()>> = SendWrapper::new(Box::new(run));
    on_cleanup(move || (run.take())());
}

/// A signal. Each type of signal would be four kilobytes of wasm, so all of these are one type
/// underneath, and this only remembers what is in it.
pub(crate) struct Var<T> {
    signal: RwSignal<Arc<dyn Any + Send + Sync>>,
    holds: PhantomData<fn() -> T>,
}

impl<T> Clone for Var<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Var<T> {}

impl<T: Clone + PartialEq + Send + Sync + 'static> Var<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { signal: RwSignal::new(Arc::new(value)), holds: PhantomData }
    }

    /// The value. Reactive.
    pub(crate) fn get(self) -> T {
        held(&self.signal.get())
    }

    /// The value, without following its changes.
    pub(crate) fn get_untracked(self) -> T {
        held(&self.signal.get_untracked())
    }

    /// Sets the value, unless it is the same already.
    pub(crate) fn set(self, value: T) {
        if self.get_untracked() != value {
            self.signal.set(Arc::new(value));
        }
    }
}

fn held<T: Clone + 'static>(value: &Arc<dyn Any + Send + Sync>) -> T {
    match value.downcast_ref::<T>() {
        Some(value) => value.clone(),
        None => unreachable!("a Var is only ever given values of its type"),
    }
}

/// A text that changes.
pub(crate) type Text = Box<dyn FnMut() -> String + Send>;

pub(crate) fn text(text: impl FnMut() -> String + Send + 'static) -> Text {
    Box::new(text)
}

/// A condition that changes.
pub(crate) type Flag = Box<dyn FnMut() -> bool + Send>;

pub(crate) fn flag(flag: impl FnMut() -> bool + Send + 'static) -> Flag {
    Box::new(flag)
}
