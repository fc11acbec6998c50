//! Decides which of the newest reports are shown, and when. The list must not move while a visitor
//! reads it.

use crate::{
    widgets::{announcer::Announcer, live::Live, new_reports::new_reports},
    words::{Wording, common::NEW_REPORT},
};
use kit::{
    dom::{media, use_listener},
    signals::{Var, effect},
};
use leptos::{html::Ol, prelude::*};
use model::Report;
use std::rc::Rc;

/// A report in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Key of the report with this content, while it is in the list. A number, because a list keyed
    /// by text costs one more kilobyte of wasm.
    pub(super) key: usize,
    pub(super) report: Report,
    /// Whether the report arrived at the top while the list was shown.
    pub(super) is_new: bool,
}

/// Adds the latest reports to the list unless a visitor is reading it or has paused it.
pub(super) struct Queue {
    latest: Var<Vec<Report>>,
    /// The rows, in the server's order.
    pub(super) entries: Var<Vec<Entry>>,
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
            entries: Var::new(start(&latest.get_untracked())),
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
            shown.latest.get();
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
        let (entries, new) = self.arrange();
        self.entries.set(entries);
        self.waiting.set(String::new());
        if new > 0 {
            self.announcer.announce(new);
        }
    }

    fn arrange(&self) -> (Vec<Entry>, u64) {
        let (shown, latest) = (self.entries.get_untracked(), self.latest.get_untracked());
        arrange(&shown, &latest)
    }

    /// Applies corrections to the reports in the list, without moving rows.
    fn correct(&self) {
        let (shown, latest) = (self.entries.get_untracked(), self.latest.get_untracked());
        let corrected = corrected(&shown, &latest);
        if corrected != shown {
            self.entries.set(corrected);
        }
    }

    fn count_waiting(&self) {
        let (_, new) = self.arrange();
        let waiting = match new {
            0 => String::new(),
            _ => untrack(|| self.wording.counted(NEW_REPORT, new)),
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

/// Returns the rows for the newest reports, following the shown ones, and the number of new
/// reports.
fn arrange(shown: &[Entry], latest: &[Report]) -> (Vec<Entry>, u64) {
    let old = |report: &Report| shown.iter().find(|entry| entry.report.id == report.id);
    let above = new_reports(latest, |report| old(report).is_some()).len();
    let first_key = free_key(shown);
    let entry = |(index, report): (usize, &Report)| match old(report) {
        Some(entry) if entry.report == *report => entry.clone(),
        old => Entry {
            key: first_key + index,
            report: report.clone(),
            is_new: old.is_none() && index < above,
        },
    };
    (latest.iter().enumerate().map(entry).collect(), above as u64)
}

/// Returns the shown rows, with corrections applied.
fn corrected(shown: &[Entry], latest: &[Report]) -> Vec<Entry> {
    let first_key = free_key(shown);
    let entry = |(index, entry): (usize, &Entry)| match latest
        .iter()
        .find(|report| report.id == entry.report.id)
    {
        Some(report) if *report != entry.report => {
            Entry { key: first_key + index, report: report.clone(), is_new: false }
        }
        _ => entry.clone(),
    };
    shown.iter().enumerate().map(entry).collect()
}

/// The first unused key.
fn free_key(shown: &[Entry]) -> usize {
    shown.iter().map(|entry| entry.key + 1).max().unwrap_or_default()
}

/// The rows that the server renders.
fn start(reports: &[Report]) -> Vec<Entry> {
    let entry =
        |(key, report): (usize, &Report)| Entry { key, report: report.clone(), is_new: false };
    reports.iter().enumerate().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ReportType;

    fn reports(ids: &[&str]) -> Vec<Report> {
        let report = |id: &&str| Report {
            id: (*id).to_owned(),
            city: "Lyon".to_owned(),
            country: "France".to_owned(),
            people_count: 1,
            kind: ReportType::Water,
            created_at: "2026-01-05T13:02:00.000Z".to_owned(),
            event_date: None,
        };
        ids.iter().map(report).collect()
    }

    /// Returns the ids after `shown` and then `latest`, with new ones in capitals, and the number
    /// of new reports.
    fn ids(shown: &[&str], latest: &[&str]) -> (Vec<String>, u64) {
        let (entries, new) = arrange(&start(&reports(shown)), &reports(latest));
        let id = |Entry { report, is_new, .. }: &Entry| match is_new {
            true => report.id.to_uppercase(),
            false => report.id.clone(),
        };
        (entries.iter().map(id).collect(), new)
    }

    #[test]
    fn a_report_keeps_its_key_and_no_other_has_it() {
        let keys =
            |entries: &[Entry]| -> Vec<usize> { entries.iter().map(|entry| entry.key).collect() };
        let shown = start(&reports(&["b", "c", "d"]));
        let (next, _) = arrange(&shown, &reports(&["a", "b", "d", "e"]));
        assert_eq!(keys(&next), [3, 0, 2, 6]);
        let (last, _) = arrange(&next, &reports(&["f", "a", "e"]));
        assert_eq!(keys(&last), [7, 3, 6]);
    }

    #[test]
    fn a_report_that_was_corrected_is_shown_anew_in_its_place_and_is_not_new() {
        let shown = start(&reports(&["b", "c"]));
        let mut latest = reports(&["a", "b", "c"]);
        latest[2].city = "Trondheim".to_owned();
        let rows = |entries: Vec<Entry>| -> Vec<(usize, String, bool)> {
            let row = |Entry { key, report, is_new }: Entry| (key, report.city, is_new);
            entries.into_iter().map(row).collect()
        };
        let row = |key, city: &str, is_new| (key, city.to_owned(), is_new);
        let (all, new) = arrange(&shown, &latest);
        assert_eq!(new, 1);
        assert_eq!(
            rows(all),
            [row(2, "Lyon", true), row(0, "Lyon", false), row(4, "Trondheim", false)]
        );
        // Corrections also appear while new reports wait because the list is being read.
        let list = corrected(&shown, &latest);
        assert_eq!(rows(list.clone()), [row(0, "Lyon", false), row(3, "Trondheim", false)]);
        assert_eq!(corrected(&list, &latest), list);
    }

    #[test]
    fn what_comes_in_at_the_top_is_new() {
        assert_eq!(
            ids(&["b", "c"], &["a", "b", "c"]),
            (vec!["A".into(), "b".into(), "c".into()], 1)
        );
    }

    #[test]
    fn what_moves_up_from_below_is_not_new() {
        assert_eq!(
            ids(&["a", "b", "c"], &["a", "c", "d"]),
            (vec!["a".into(), "c".into(), "d".into()], 0)
        );
        // Also if the first report was withdrawn.
        assert_eq!(ids(&["a", "b"], &["b", "c"]), (vec!["b".into(), "c".into()], 0));
    }

    #[test]
    fn after_a_gap_all_are_new_and_on_an_empty_list_the_first_is() {
        assert_eq!(ids(&["x"], &["a", "b"]), (vec!["A".into(), "B".into()], 2));
        assert_eq!(ids(&[], &["a"]), (vec!["A".into()], 1));
    }
}
