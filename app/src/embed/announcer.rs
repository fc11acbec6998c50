use crate::{
    reactive::Var,
    words::{Word, Wording},
};
use js_sys::Date;
use leptos::prelude::*;
use std::cell::Cell;

/// The least time between two announcements, in milliseconds.
const QUIET: f64 = 30_000.0;

/// Announces to screen readers how many reports are new, at a bearable pace.
pub(super) struct Announcer {
    wording: Wording,
    /// The last announcement.
    text: Var<String>,
    pending: Cell<u64>,
    announced_at: Cell<f64>,
}

impl Announcer {
    /// `text` is what a live region shows.
    pub(super) fn new(wording: Wording, text: Var<String>) -> Self {
        Self { wording, text, pending: Cell::default(), announced_at: Cell::default() }
    }

    /// So many more reports are new.
    pub(super) fn announce(&self, new: u64) {
        let count = self.pending.get() + new;
        let now = Date::now();
        if now - self.announced_at.get() < QUIET {
            return self.pending.set(count);
        }
        self.pending.set(0);
        self.announced_at.set(now);
        self.text.set(untrack(|| self.wording.counted(Word::NewReport, count)));
    }
}
