use crate::words::{Wording, common::NEW_REPORT};
use js_sys::Date;
use kit::signals::Var;
use leptos::prelude::*;
use std::cell::Cell;

/// Minimum time between two announcements, in milliseconds.
const QUIET: f64 = 30_000.0;

/// Announces the number of new reports to screen readers, at most once per [`QUIET`].
pub(super) struct Announcer {
    wording: Wording,
    /// The last announcement.
    text: Var<String>,
    pending: Cell<u64>,
    announced_at: Cell<f64>,
}

impl Announcer {
    /// `text` is the content of a live region.
    pub(super) fn new(wording: Wording, text: Var<String>) -> Self {
        Self { wording, text, pending: Cell::default(), announced_at: Cell::default() }
    }

    /// Adds `new` reports to the next announcement.
    pub(super) fn announce(&self, new: u64) {
        let count = self.pending.get() + new;
        let now = Date::now();
        if now - self.announced_at.get() < QUIET {
            return self.pending.set(count);
        }
        self.pending.set(0);
        self.announced_at.set(now);
        self.text.set(untrack(|| self.wording.counted(NEW_REPORT, count)));
    }
}
