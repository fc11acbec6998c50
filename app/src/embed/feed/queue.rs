//! What of the newest reports is shown, and when: the list must not move under the eyes of whoever
//! reads it.

use super::{ROWS, names};
use crate::{
    dom::{media, use_listener},
    embed::{InitialState, announcer::Announcer, news::new_reports},
    live::{Live, on_news, read_reports},
    model::{Report, Types},
    reactive::{Var, effect},
    refresh::{fetch, use_refresh},
    words::{Word, Wording},
};
use leptos::{html::Ol, prelude::*};
use std::rc::Rc;

/// The least time between two reads of a list of some types, in milliseconds.
const REST: i32 = 4_000;

/// A report in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Stands for the report's id for as long as it is in the list: a number, because a list by text
    /// is a kilobyte more of wasm.
    pub(super) key: usize,
    pub(super) report: Report,
    /// Whether it came in at the top while the list was shown.
    pub(super) is_new: bool,
}

/// The newest reports of the widget's types. The stream has those of all types; where some are left
/// out, the list is read anew whenever the stream tells of something that may concern it.
fn use_latest(live: Live, initial: &InitialState) -> Var<Vec<Report>> {
    if initial.reports_url.is_empty() {
        return live.reports;
    }
    let latest = Var::new(initial.reports.clone());
    let url = initial.reports_url.clone();
    let known: String = initial.reports.iter().map(|report| &*report.id).collect();
    effect(move |_| {
        let url = url.clone();
        let refresh = use_refresh(REST, None, move || {
            let list = fetch(url.clone(), "json");
            Box::pin(async move {
                if let Some(list) = list.await {
                    latest.set(read_reports(&list));
                }
            })
        });
        // Of any type: if none of the newest 20 is known, some of these types may have gone by.
        on_news(live, Types::default(), known.clone(), move || refresh.request());
    });
    latest
}

/// Lets the latest reports into the list unless it is being read or was paused.
pub(super) struct Queue {
    latest: Var<Vec<Report>>,
    /// The rows, in the server's order.
    pub(super) entries: Var<Vec<Entry>>,
    /// How many reports wait to be shown, in words; empty where none do.
    pub(super) waiting: Var<String>,
    /// Whether the visitor stopped the list.
    pub(super) is_paused: Var<bool>,
    is_being_read: Var<bool>,
    /// What a country is called on this page.
    country: fn(&str) -> String,
    list: NodeRef<Ol>,
    announcer: Announcer,
    wording: Wording,
}

impl Queue {
    pub(super) fn new(
        live: Live,
        initial: &InitialState,
        list: NodeRef<Ol>,
        announcer: Announcer,
        wording: Wording,
    ) -> Rc<Self> {
        let latest = use_latest(live, initial);
        let is_streamed = initial.reports_url.is_empty();
        let queue = Rc::new(Self {
            country: if is_streamed { names::country } else { str::to_owned },
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
            // A scroll is told of a frame later than it happens.
            shown.check_reader();
            let waits = shown.is_paused.get() || shown.is_being_read.get();
            if waits {
                shown.count_waiting();
            } else if !is_first {
                // The first time, the list is as the server rendered it.
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
        arrange(&shown, &latest, self.country)
    }

    fn count_waiting(&self) {
        let (_, new) = self.arrange();
        let waiting = match new {
            0 => String::new(),
            _ => untrack(|| self.wording.counted(Word::NewReport, new)),
        };
        self.waiting.set(waiting);
    }

    /// Shows what waits.
    pub(super) fn release(&self) {
        if let Some(list) = self.list.get_untracked() {
            list.set_scroll_top(0);
        }
        self.show();
    }

    /// Finds out whether the visitor has begun or ended to read. Whoever points at the list, is
    /// in it by keyboard or has scrolled down in it reads it.
    fn check_reader(&self) {
        let reads = self.list.get_untracked().is_some_and(|list| {
            let matches = |selector: &str| list.matches(selector).unwrap_or_default();
            list.scroll_top() > 0
                || matches(":focus-within")
                // A finger leaves a hover behind that does not end.
                || media("(hover: hover)") && matches(":hover")
        });
        self.is_being_read.set(reads);
    }
}

/// The rows for the newest reports, after those that are shown; and how many of them are new.
/// `country` is what a country is called on this page.
fn arrange(
    shown: &[Entry],
    latest: &[Report],
    country: impl Fn(&str) -> String,
) -> (Vec<Entry>, u64) {
    let old = |report: &Report| shown.iter().find(|entry| entry.report.id == report.id);
    let above = new_reports(latest, |report| old(report).is_some()).len();
    let first_key = shown.iter().map(|entry| entry.key + 1).max().unwrap_or_default();
    let entry = |(index, report): (usize, &Report)| match old(report) {
        Some(entry) => entry.clone(),
        None => Entry {
            key: first_key + index,
            report: Report { country: country(&report.country), ..report.clone() },
            is_new: index < above,
        },
    };
    let entries = latest.iter().take(ROWS).enumerate().map(entry).collect();
    (entries, above.min(ROWS) as u64)
}

/// The rows that the server renders.
fn start(reports: &[Report]) -> Vec<Entry> {
    let entry =
        |(key, report): (usize, &Report)| Entry { key, report: report.clone(), is_new: false };
    reports.iter().take(ROWS).enumerate().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ReportType;

    fn reports(ids: &[&str]) -> Vec<Report> {
        let report = |id: &&str| Report {
            id: (*id).to_owned(),
            city: "Lyon".to_owned(),
            country: "France".to_owned(),
            people_count: 1,
            kind: ReportType::Water,
            created_at: "2026-01-05T13:02:00.000Z".to_owned(),
        };
        ids.iter().map(report).collect()
    }

    /// The ids after `shown` and then `latest`, a new one in capitals, and how many are new.
    fn ids(shown: &[&str], latest: &[&str]) -> (Vec<String>, u64) {
        let (entries, new) = arrange(&start(&reports(shown)), &reports(latest), str::to_owned);
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
        let (next, _) = arrange(&shown, &reports(&["a", "b", "d", "e"]), str::to_owned);
        assert_eq!(keys(&next), [3, 0, 2, 6]);
        let (last, _) = arrange(&next, &reports(&["f", "a", "e"]), str::to_owned);
        assert_eq!(keys(&last), [7, 3, 6]);
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
        // Even if the first one was withdrawn.
        assert_eq!(ids(&["a", "b"], &["b", "c"]), (vec!["b".into(), "c".into()], 0));
    }

    #[test]
    fn after_a_gap_all_are_new_and_on_an_empty_list_the_first_is() {
        assert_eq!(ids(&["x"], &["a", "b"]), (vec!["A".into(), "B".into()], 2));
        assert_eq!(ids(&[], &["a"]), (vec!["A".into()], 1));
    }

    #[test]
    fn a_list_has_twenty_rows_at_most() {
        let many: Vec<String> = (0..30).map(|id| id.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let (rows, new) = ids(&["x"], &many);
        assert_eq!((rows.len(), new), (ROWS, ROWS as u64));
    }
}
