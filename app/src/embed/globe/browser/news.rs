//! What the stream tells: counts, and new reports, which the globe turns to.

use super::{super::sphere::Position, Globe};
use crate::{
    embed::{dom::less_motion, first::field, globe::word},
    live,
    number::localised,
};
use js_sys::Array;
use leptos::prelude::window;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};

/// For how long the name of a new report's place stays, in milliseconds.
const NAME_STAYS: i32 = 4_000;

/// A new report whose position is not known yet.
pub(super) struct Expected {
    pub(super) id: String,
    pub(super) kind: usize,
    place: String,
    /// How often markers have come without it.
    pub(super) missed: u32,
}

/// A new report that is being shown.
pub(super) struct Arrival {
    pub(super) position: Position,
    pub(super) kind: usize,
    /// In seconds; below nought while the globe is still turning there.
    pub(super) age: f32,
    /// Whether its ring stands still.
    pub(super) still: bool,
}

impl Globe {
    /// Hears the stream for as long as the page lives.
    pub(super) fn listen(self: &Rc<Self>) {
        let (events, states) = (self.clone(), self.clone());
        live::follow(
            &self.stream,
            &["metrics", "reports"],
            move |name, data| match name {
                "metrics" => events.count(data),
                _ => events.hear(&field(data, "reports")),
            },
            move |state| states.pulse.tell(state, &states.words),
        );
    }

    fn count(&self, metrics: &JsValue) {
        let lang = self.words.lang;
        let mut total = 0;
        let mut moved = false;
        for kind in &self.types {
            let count = field(metrics, kind).as_f64().unwrap_or_default() as u64;
            total += count;
            let selector = ".legend .".to_owned() + kind + " b";
            moved |= self.pulse.write(&selector, &localised(count, lang));
        }
        self.pulse.write(".total b", &localised(total, lang));
        self.pulse.write(".total span", self.words.noun(word::REPORT, total));
        if moved {
            self.look_for_markers();
        }
    }

    fn hear(&self, reports: &JsValue) {
        let Some(reports) = reports.dyn_ref::<Array>() else { return };
        let text =
            |report: &JsValue, name: &str| field(report, name).as_string().unwrap_or_default();
        let mut ids = Vec::new();
        let mut news = 0;
        let mut newest = None;
        for report in reports.iter() {
            let kind = text(&report, "type");
            let id = text(&report, "id");
            let kind = match kind.as_str() {
                _ if !self.types.contains(&kind) => continue,
                "spirit" => 0,
                "water" => 1,
                _ => 2,
            };
            if self.known.borrow().as_ref().is_some_and(|known| !known.contains(&id)) {
                news += 1;
                if newest.is_none() {
                    let place = text(&report, "city") + ", " + &text(&report, "country");
                    newest = Some(Expected { id: id.clone(), kind, place, missed: 0 });
                }
            }
            ids.push(id);
        }
        *self.known.borrow_mut() = Some(ids);
        if newest.is_some() {
            self.announcer.announce(news, &self.words, word::NEW_REPORT);
            *self.expected.borrow_mut() = newest;
            self.look_for_markers();
        }
    }

    /// Shows where a new report is. Who is looking at a place, or holds the globe, is not torn away.
    pub(super) fn arrive(&self, Expected { kind, place, .. }: Expected, position: Position) {
        let busy = self.chosen.get().is_some() || self.canvas.class_list().contains("held");
        let still = less_motion();
        let flight = if busy || still { 0.0 } else { self.face(position.lat, position.lng) };
        let age = -0.7 * flight;
        *self.arrival.borrow_mut() = Some(Arrival { position, kind, age, still });
        self.card.name_arrival(Some(&place));
        window().clear_timeout_with_handle(self.leaving.get());
        let stay = NAME_STAYS + (flight * 1_000.0) as i32;
        let timer = self.calls.get().and_then(|calls| {
            let window = window();
            window.set_timeout_with_callback_and_timeout_and_arguments_0(&calls.leave, stay).ok()
        });
        self.leaving.set(timer.unwrap_or_default());
        self.want();
    }

    pub(super) fn let_go(&self) {
        *self.arrival.borrow_mut() = None;
        self.card.name_arrival(None);
        self.want();
    }
}
