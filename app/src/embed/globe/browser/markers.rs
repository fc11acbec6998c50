//! The markers: fetched anew whenever the stream tells of something new, but not at every tick. Where
//! nothing can draw them, the server is asked for its drawing instead.

use super::{
    super::{
        lines::Lines,
        places::{Places, Rows},
    },
    Globe,
};
use crate::embed::dom;
use js_sys::Uint8Array;
use leptos::prelude::window;
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// Where the coasts and borders are.
const LINES: &str = "/globe-lines.bin";
/// The least time between two looks for new markers, in milliseconds.
const MARKERS_REST: i32 = 4_000;
/// The same where it is for a drawing, which is more to fetch.
const DRAWING_REST: i32 = 15_000;

impl Globe {
    /// Fetches the markers now, or as soon as the last fetch is some seconds ago.
    pub(super) fn look_for_markers(&self) {
        let Some(calls) = self.calls.get() else { return };
        if self.resting.replace(true) {
            // One tick of the stream tells of counts and of reports: one fetch is for both.
            return self.stale.set(!self.fetching.get() || self.stale.get());
        }
        self.fetching.set(true);
        let rest = if self.can_draw() {
            dom::then(&dom::fetch(&self.markers), &calls.answer);
            MARKERS_REST
        } else {
            dom::then(&dom::renew(&[".stage > svg", ".places"]), &calls.markers);
            DRAWING_REST
        };
        _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&calls.rest, rest);
    }

    pub(super) fn end_rest(&self) {
        self.fetching.set(false);
        self.resting.set(false);
        if self.stale.replace(false) {
            self.look_for_markers();
        }
    }

    pub(super) fn read_answer(self: &Rc<Self>, answer: JsValue) {
        if let Some(calls) = self.calls.get() {
            dom::then(&dom::read(&answer, "json"), &calls.markers);
        }
    }

    pub(super) fn take_markers(self: &Rc<Self>, markers: JsValue) {
        self.fetching.set(false);
        let Some(rows) = Rows::read(&markers) else { return };
        let chosen = self.chosen.get().and_then(|index| self.places.borrow().name(index).cloned());
        *self.places.borrow_mut() = Places::new(rows.places());
        *self.rows.borrow_mut() = rows;
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
        let at = self.rows.borrow().newest(&expected.id);
        if let Some(at) = at {
            self.arrive(expected, at);
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
            let places = self.places.borrow();
            let level = places.clusters().level(self.camera.borrow().zoom);
            painter.set_clusters(places.clusters().on(level));
            self.level.set(level);
        }
    }

    /// Fetches coasts and borders when the globe is seen from near by for the first time.
    pub(super) fn look_for_lines(&self) {
        if let Some(calls) = self.calls.get()
            && !self.lines.replace(true)
        {
            dom::then(&dom::fetch(LINES), &calls.lines);
        }
    }

    pub(super) fn read_lines(self: &Rc<Self>, answer: JsValue) {
        if let Some(calls) = self.calls.get() {
            dom::then(&dom::read(&answer, "arrayBuffer"), &calls.lines_body);
        }
    }

    pub(super) fn take_lines(&self, body: &JsValue) {
        let lines = Lines::decode(&Uint8Array::new(body).to_vec());
        if let (Some(lines), Some(painter)) = (lines, &mut *self.painter.borrow_mut()) {
            painter.set_lines(&lines);
        }
        self.want();
    }
}
