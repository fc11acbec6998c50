use crate::words::Words;
use js_sys::Date;
use std::cell::Cell;
use web_sys::Element;

/// The least time between two announcements, in milliseconds.
const QUIET: f64 = 30_000.0;

/// Tells those who hear the page how many reports are new, at a pace that can be borne.
pub(super) struct Announcer {
    said: Element,
    unsaid: Cell<u64>,
    said_at: Cell<f64>,
}

impl Announcer {
    /// Speaks through an element with `role="status"`.
    pub(super) fn new(said: Element) -> Self {
        Self { said, unsaid: Cell::new(0), said_at: Cell::new(0.0) }
    }

    /// So many more are new. `noun` is where the widget's list of words has it.
    pub(super) fn announce(&self, new: u64, words: &Words, noun: usize) {
        let count = self.unsaid.get() + new;
        let now = Date::now();
        if now - self.said_at.get() < QUIET {
            return self.unsaid.set(count);
        }
        self.unsaid.set(0);
        self.said_at.set(now);
        self.said.set_text_content(Some(&words.counted(noun, count)));
    }
}
