//! Leptos' signals, effects and clean-ups, type-erased. Generic code would be in the wasm once per
//! type and closure, and a widget has dozens.

use leptos::prelude::*;
use send_wrapper::SendWrapper;
use std::{any::Any, marker::PhantomData, sync::Arc};

/// Calls `run` at first, and whenever a signal changes that it has read. The argument is true for
/// the first call. Browser only, like every effect.
pub fn effect(run: impl FnMut(bool) + 'static) {
    let mut run: Box<dyn FnMut(bool)> = Box::new(run);
    Effect::new(move |begun: Option<()>| run(begun.is_none()));
}

/// A value that the server provides to the components of a page. `None` in the browser.
pub fn provided<T: Clone + 'static>() -> Option<T> {
    if cfg!(feature = "ssr") { use_context() } else { None }
}

/// Calls `run` when the owner of the calling component or effect is cleaned up. Browser only.
pub fn cleanup(run: impl FnOnce() + 'static) {
    let run: SendWrapper<Box<dyn FnOnce()>> = SendWrapper::new(Box::new(run));
    on_cleanup(move || (run.take())());
}

/// A signal. Each type of signal would add four kilobytes of wasm, so all share one underlying
/// type, and this wrapper restores the type of the value.
pub struct Var<T> {
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
    pub fn new(value: T) -> Self {
        Self { signal: RwSignal::new(Arc::new(value)), holds: PhantomData }
    }

    /// The value. Reactive.
    pub fn get(self) -> T {
        held(&self.signal.get())
    }

    /// The value, without tracking it.
    pub fn get_untracked(self) -> T {
        held(&self.signal.get_untracked())
    }

    /// Sets the value, unless it is already the same.
    pub fn set(self, value: T) {
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

/// A reactive text.
pub type Text = Box<dyn FnMut() -> String + Send>;

pub fn text(text: impl FnMut() -> String + Send + 'static) -> Text {
    Box::new(text)
}

/// A reactive condition.
pub type Flag = Box<dyn FnMut() -> bool + Send>;

pub fn flag(flag: impl FnMut() -> bool + Send + 'static) -> Flag {
    Box::new(flag)
}
