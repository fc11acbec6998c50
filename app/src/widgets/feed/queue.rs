//! Decides which of the newest reports are shown, and when. The list must not move while a visitor
//! reads it.

use crate::{
    widgets::{announcer::Announcer, live::Live, new_reports::Known},
    words::{Wording, common::NEW_REPORT},
};
use kit::{
    dom::{media, use_listener},
    signals::{Var, effect},
};
use leptos::{html::Ol, prelude::*};
use model::Report;
use std::rc::Rc;

/// The rows of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// The reports, in the server's order.
    pub(super) reports: Vec<Report>,
    /// Number of rows at the top that have just arrived.
    pub(super) new: usize,
    /// Changes with each arrival, so that the stylesheet starts its animation again.
    pub(super) is_odd: bool,
}

/// Adds the latest reports to the list unless a visitor is reading it or has paused it.
pub(super) struct Queue {
    latest: Var<Vec<Report>>,
    pub(super) shown: Var<Shown>,
    /// Number of reports waiting to be shown, in words; empty if there are none.
    pub(super) waiting: Var<String>,
    /// Whether the visitor has paused the list.
    pub(super) is_paused: Var<bool>,
    is_being_read: Var<bool>,
    list: NodeRef<Ol>,
    announcer: Announcer,
    wording: Wording,
}

impl Queue {
    pub(super) fn new(
        live: Live,
        list: NodeRef<Ol>,
        announcer: Announcer,
        wording: Wording,
    ) -> Rc<Self> {
        let latest = live.reports;
        let queue = Rc::new(Self {
            shown: Var::new(Shown { reports: latest.get_untracked(), new: 0, is_odd: false }),
            latest,
            waiting: Var::new(String::new()),
            is_paused: Var::new(false),
            is_being_read: Var::new(false),
            list,
            announcer,
            wording,
        });
        let read = queue.clone();
        effect(move |_| {
            let Some(list) = read.list.get_untracked() else { return };
            for name in ["pointerenter", "pointerleave", "focusin", "focusout", "scroll"] {
                let queue = read.clone();
                use_listener(&list, name, move |_| queue.check_reader());
            }
        });
        let shown = queue.clone();
        effect(move |is_first| {
            shown.latest.read();
            // The scroll event comes one frame after the scroll.
            shown.check_reader();
            let waits = shown.is_paused.get() || shown.is_being_read.get();
            if waits {
                shown.correct();
                shown.count_waiting();
            } else if !is_first {
                // At first, the list is as the server rendered it.
                shown.show();
            }
        });
        queue
    }

    fn show(&self) {
        let (shown, latest) = (self.shown.read_untracked(), self.latest.get_untracked());
        let new = Known::of(&shown.reports).new_among(&latest).len();
        let is_odd = shown.is_odd ^ (new > 0);
        self.shown.set(Shown { reports: latest, new, is_odd });
        self.waiting.set(String::new());
        if new > 0 {
            self.announcer.announce(new as u64);
        }
    }

    /// Applies corrections to the reports in the list, without moving rows.
    fn correct(&self) {
        let mut shown = self.shown.get_untracked();
        correct(&mut shown.reports, &self.latest.read_untracked());
        self.shown.set(shown);
    }

    fn count_waiting(&self) {
        let (shown, latest) = (self.shown.read_untracked(), self.latest.read_untracked());
        let waiting = match Known::of(&shown.reports).new_among(&latest).len() {
            0 => String::new(),
            new => untrack(|| self.wording.counted(NEW_REPORT, new as u64)),
        };
        self.waiting.set(waiting);
    }

    /// Shows the waiting reports.
    pub(super) fn release(&self) {
        if let Some(list) = self.list.get_untracked() {
            list.set_scroll_top(0);
        }
        self.show();
    }

    /// Updates whether the visitor is reading: the pointer is over the list, the keyboard focus is
    /// in it, or it is scrolled down.
    fn check_reader(&self) {
        let reads = self.list.get_untracked().is_some_and(|list| {
            let matches = |selector: &str| list.matches(selector).unwrap_or_default();
            list.scroll_top() > 0
                || matches(":focus-within")
                // After a touch, the hover state stays on.
                || media("(hover: hover)") && matches(":hover")
        });
        self.is_being_read.set(reads);
    }
}

/// Replaces the shown reports that were corrected.
fn correct(shown: &mut [Report], latest: &[Report]) {
    for report in shown {
        if let Some(latest) = latest.iter().find(|latest| latest.id == report.id) {
            report.clone_from(latest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ReportType;

    #[test]
    fn a_report_that_was_corrected_changes_in_its_place_while_others_wait() {
        let report = |id: &str, city: &str| Report {
            id: id.to_owned(),
            city: city.to_owned(),
            country: "France".to_owned(),
            people_count: 1,
            kind: ReportType::Water,
            created_at: "2026-01-05T13:02:00.000Z".to_owned(),
            event_date: None,
            included: None,
        };
        let mut shown = [report("b", "Lyon"), report("c", "Lyon"), report("d", "Lyon")];
        let latest = [report("a", "Lyon"), report("b", "Lyon"), report("c", "Trondheim")];
        correct(&mut shown, &latest);
        assert_eq!(shown, [report("b", "Lyon"), report("c", "Trondheim"), report("d", "Lyon")]);
    }
}
