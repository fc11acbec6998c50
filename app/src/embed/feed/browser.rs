use super::{ROWS, rows::Rows, times, word};
use crate::{
    embed::{
        announcer::Announcer,
        dom::{callback, find, on, renew, then},
        first::{First, field},
        pulse::Pulse,
    },
    live,
    words::Words,
};
use js_sys::Array;
use leptos::prelude::*;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};
use wasm_bindgen::{JsCast, JsValue};

/// How often the times are written anew, in milliseconds.
const MINUTE_HAND: i32 = 15_000;

/// Keeps the list of the page alive, once the first render stands.
pub(super) fn keep() {
    Effect::new(|| {
        if let Some(feed) = Feed::find() {
            Rc::new(feed).follow();
        }
    });
}

/// The widget in the page.
struct Feed {
    words: Words,
    stream: String,
    /// The names of the types that are shown.
    types: Vec<String>,
    rows: Rows,
    pulse: Pulse,
    announcer: Announcer,
    /// The newest reports while the reader does not want the list to move.
    held: RefCell<Option<Array>>,
    /// The reports that the stream told of last, by their ids.
    known: RefCell<Vec<String>>,
    /// Whether reports have gone by that the stream did not tell of.
    missed: Cell<bool>,
}

impl Feed {
    fn find() -> Option<Self> {
        let First { words, stream, types, .. } = First::read()?;
        Some(Self {
            words,
            stream,
            types,
            rows: Rows::new(find("ol")?),
            pulse: Pulse::find()?,
            announcer: Announcer::new(find("[role=status]")?),
            held: RefCell::default(),
            known: RefCell::default(),
            missed: Cell::default(),
        })
    }

    fn follow(self: Rc<Self>) {
        times::write(self.rows.list());
        let feed = self.clone();
        let write = callback(move |_| times::write(feed.rows.list()));
        _ = window().set_interval_with_callback_and_timeout_and_arguments_0(&write, MINUTE_HAND);
        // Whatever may have been the reason to wait, it may be over.
        for event in ["pointerleave", "focusout", "scroll"] {
            let feed = self.clone();
            on(self.rows.list(), event, move |_| feed.release());
        }
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
        let count = |name: &str| field(metrics, name).as_f64().unwrap_or_default() as u64;
        let total = self.types.iter().map(|kind| count(kind)).sum();
        self.pulse.write(".total", &self.words.counted(word::REPORT, total));
    }

    /// Takes the newest reports: shows them, or keeps them for when the reader is done.
    fn hear(&self, reports: &JsValue) {
        let Some(reports) = reports.dyn_ref::<Array>() else { return };
        self.compare(reports);
        let wanted = reports.filter(&mut |report, _, _| {
            let kind = field(&report, "type").as_string().unwrap_or_default();
            self.types.contains(&kind)
        });
        *self.held.borrow_mut() = Some(wanted);
        self.release();
    }

    /// The stream tells of the newest reports of every type. Where some types are left out, and none
    /// of these is known, the ones that went by in between are not known either.
    fn compare(&self, reports: &Array) {
        let ids: Vec<String> = reports
            .iter()
            .map(|report| field(&report, "id").as_string().unwrap_or_default())
            .collect();
        let known = self.known.replace(ids);
        let no_gap = known.is_empty() || self.known.borrow().iter().any(|id| known.contains(id));
        if !no_gap && !self.has_all_types() {
            self.missed.set(true);
        }
    }

    fn has_all_types(&self) -> bool {
        self.types.len() == 3
    }

    fn release(&self) {
        if self.rows.are_being_read() {
            return;
        }
        let Some(reports) = self.held.take() else { return };
        if self.missed.take() {
            let list = self.rows.list().clone();
            then(&renew(&[".feed > ol"]), &callback(move |_| times::write(&list)));
            return;
        }
        let new = self.rows.show(&reports, ROWS, self.has_all_types(), &self.words);
        if new > 0 {
            times::write(self.rows.list());
            self.announcer.announce(u64::from(new), &self.words, word::NEW_REPORT);
        }
    }
}
