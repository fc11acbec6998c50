//! Leptos' signals, effects and clean-ups, type-erased. Generic code would be in the wasm once per
//! type and closure, and a widget has dozens. Each generic function here only boxes its argument for
//! a function that is not generic: otherwise the wasm would have the code of Leptos once for this
//! crate and once for each crate that calls it.

use leptos::prelude::*;
use send_wrapper::SendWrapper;
use std::{any::Any, marker::PhantomData, sync::Arc, time::Duration};

/// Calls `run` at first, and whenever a signal changes that it has read. The argument is true for
/// the first call. Browser only, like every effect.
#[inline]
pub fn effect(run: impl FnMut(bool) + 'static) {
    boxed_effect(Box::new(run));
}

fn boxed_effect(mut run: Box<dyn FnMut(bool)>) {
    Effect::new(move |begun: Option<()>| run(begun.is_none()));
}

/// A value that the server provides to the components of a page. `None` in the browser.
#[inline]
pub fn provided<T: Clone + 'static>() -> Option<T> {
    if cfg!(feature = "ssr") { use_context() } else { None }
}

/// Calls `run` when the owner of the calling component or effect is cleaned up. Browser only.
#[inline]
pub fn cleanup(run: impl FnOnce() + 'static) {
    boxed_cleanup(Box::new(run));
}

fn boxed_cleanup(run: Box<dyn FnOnce()>) {
    let run = SendWrapper::new(run);
    on_cleanup(move || (run.take())());
}

/// Calls `run` in its own task, so that the browser can draw and handle input before; never if the
/// owner of the calling effect is cleaned up first. Browser only.
#[inline]
pub fn later(run: impl FnOnce() + 'static) {
    boxed_later(Box::new(run));
}

fn boxed_later(run: Box<dyn FnOnce()>) {
    if let Ok(timeout) = set_timeout_with_handle(run, Duration::ZERO) {
        cleanup(move || timeout.clear());
    }
}

type AnyValue = Arc<dyn Any + Send + Sync>;

#[derive(Clone, Copy)]
struct AnySignal(RwSignal<AnyValue>);

impl AnySignal {
    fn new(value: AnyValue) -> Self {
        Self(RwSignal::new(value))
    }

    fn get(self) -> AnyValue {
        self.0.get()
    }

    fn get_untracked(self) -> AnyValue {
        self.0.get_untracked()
    }

    fn set(self, value: AnyValue) {
        self.0.set(value);
    }
}

/// A signal. Each type of signal would add four kilobytes of wasm, so all share one underlying
/// type, and this wrapper restores the type of the value.
pub struct Var<T> {
    signal: AnySignal,
    holds: PhantomData<fn() -> T>,
}

impl<T> Clone for Var<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Var<T> {}

impl<T: PartialEq + Send + Sync + 'static> Var<T> {
    pub fn new(value: T) -> Self {
        Self { signal: AnySignal::new(Arc::new(value)), holds: PhantomData }
    }

    /// The value. Reactive.
    pub fn read(self) -> Arc<T> {
        held(self.signal.get())
    }

    /// The value, without tracking it.
    pub fn read_untracked(self) -> Arc<T> {
        held(self.signal.get_untracked())
    }

    /// A copy of the value. Reactive.
    pub fn get(self) -> T
    where
        T: Clone,
    {
        T::clone(&self.read())
    }

    /// A copy of the value, without tracking it.
    pub fn get_untracked(self) -> T
    where
        T: Clone,
    {
        T::clone(&self.read_untracked())
    }

    /// Sets the value, unless it is already the same.
    pub fn set(self, value: T) {
        if *self.read_untracked() != value {
            self.signal.set(Arc::new(value));
        }
    }
}

fn held<T: Send + Sync + 'static>(value: AnyValue) -> Arc<T> {
    match value.downcast::<T>() {
        Ok(value) => value,
        Err(_) => unreachable!("a Var is only ever given values of its type"),
    }
}

/// A reactive text.
pub type Text = Box<dyn FnMut() -> String + Send>;

#[inline]
pub fn text(text: impl FnMut() -> String + Send + 'static) -> Text {
    Box::new(text)
}

/// A reactive condition.
pub type Flag = Box<dyn FnMut() -> bool + Send>;

#[inline]
pub fn flag(flag: impl FnMut() -> bool + Send + 'static) -> Flag {
    Box::new(flag)
}
