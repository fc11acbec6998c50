//! The markers: fetched anew whenever the stream tells of something new, but not at every tick.

use super::{super::places::Places, Globe};
use crate::embed::first::field;
use js_sys::{Function, JSON};
use leptos::prelude::window;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::RequestInit;

/// The least time between two looks for new markers, in milliseconds.
const MARKERS_REST: i32 = 4_000;

impl Globe {
    /// Fetches the markers now, or as soon as the last fetch is some seconds ago.
    pub(super) fn look_for_markers(&self) {
        let (true, Some(calls)) = (self.painter.borrow().is_some(), self.calls.get()) else {
            return;
        };
        if self.resting.replace(true) {
            // One tick of the stream tells of counts and of reports: one fetch is for both.
            return self.stale.set(!self.fetching.get() || self.stale.get());
        }
        self.fetching.set(true);
        // Not what the browser may still have: it would know nothing of what the stream just told.
        let init: RequestInit =
            JSON::parse(r#"{"cache":"no-cache"}"#).unwrap_or_default().unchecked_into();
        let answer = window().fetch_with_str_and_init(&self.markers, &init);
        then(&answer, &calls.answer);
        _ = window()
            .set_timeout_with_callback_and_timeout_and_arguments_0(&calls.rest, MARKERS_REST);
    }

    pub(super) fn end_rest(&self) {
        self.fetching.set(false);
        self.resting.set(false);
        if self.stale.replace(false) {
            self.look_for_markers();
        }
    }

    pub(super) fn read_answer(self: &Rc<Self>, answer: JsValue) {
        if !field(&answer, "ok").is_truthy() {
            return;
        }
        if let Ok(json) = field(&answer, "json").dyn_into::<Function>()
            && let Ok(body) = json.call0(&answer)
            && let Some(calls) = self.calls.get()
        {
            then(&body, &calls.markers);
        }
    }

    pub(super) fn take_markers(self: &Rc<Self>, markers: JsValue) {
        self.fetching.set(false);
        let Some(places) = Places::read(&markers) else { return };
        let chosen = self.chosen.get().map(|index| self.places.borrow().names(index));
        *self.places.borrow_mut() = places;
        self.walk.take();
        // Another place may be where the one that is told about was.
        if let Some(names) = chosen {
            match self.places.borrow().find(&names) {
                Some(index) => self.open(index),
                None => self.close(),
            }
        }
        self.give_markers();
        self.want();
        let Some(mut expected) = self.expected.take() else { return };
        let at = self.places.borrow().newest(&expected.id);
        if let Some((lat, lng)) = at {
            self.arrive(expected, lat, lng);
        } else if expected.missed == 0 {
            // These markers may have been asked for before the report was there. What is missing
            // again is nowhere on the map.
            expected.missed += 1;
            *self.expected.borrow_mut() = Some(expected);
            self.look_for_markers();
        }
    }

    pub(super) fn give_markers(&self) {
        if let Some(painter) = &mut *self.painter.borrow_mut() {
            painter.set_markers(&self.places.borrow().marks());
        }
    }
}

/// Calls a function with what a promise comes to, also if that is an error: then what is asked for
/// is not in it.
fn then(promise: &JsValue, call: &Function) {
    if let Ok(then) = field(promise, "then").dyn_into::<Function>() {
        _ = then.call2(promise, call, call);
    }
}
