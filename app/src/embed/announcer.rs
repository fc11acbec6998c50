use crate::words::Wording;
use js_sys::Date;
use leptos::prelude::*;

/// The least time between two announcements, in milliseconds.
const QUIET: f64 = 30_000.0;

/// Tells those who hear the page how many reports are new, at a bearable pace.
#[derive(Clone, Copy)]
pub(super) struct Announcer {
    wording: Wording,
    /// The last announcement.
    pub(super) text: RwSignal<String>,
    pending: StoredValue<u64>,
    announced_at: StoredValue<f64>,
}

impl Announcer {
    pub(super) fn new(wording: Wording) -> Self {
        Self {
            wording,
            text: RwSignal::default(),
            pending: StoredValue::default(),
            announced_at: StoredValue::default(),
        }
    }

    /// So many more reports are new.
    pub(super) fn announce(&self, new: u64) {
        let count = self.pending.get_value() + new;
        let now = Date::now();
        if now - self.announced_at.get_value() < QUIET {
            return self.pending.set_value(count);
        }
        self.pending.set_value(0);
        self.announced_at.set_value(now);
        self.text.set(untrack(|| self.wording.counted(|words| &words.new_report, count)));
    }
}
