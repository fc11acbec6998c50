use crate::{
    functions::{decide, look, undo},
    model::{Decision, Item, Outcome, Queue, Start, Verdict},
};
use leptos::{leptos_dom::helpers::set_interval_with_handle, prelude::*, task::spawn_local};
use std::{collections::HashSet, time::Duration};

/// A report of the list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QueueItem {
    pub(super) item: Item,
    /// State of the row.
    pub(super) mark: RowState,
}

/// State of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RowState {
    Waiting,
    /// This person's decision has been sent, without a response yet.
    Deciding(Verdict),
    /// The report can no longer be decided on, with the reason.
    Gone(String),
}

/// The list and its actions. All copies share the same state.
#[derive(Clone, Copy)]
pub(super) struct List {
    pub(super) shown: RwSignal<Vec<QueueItem>>,
    pub(super) selected: RwSignal<HashSet<String>>,
    /// Id of the report that keys act on; empty without a selection.
    pub(super) current: RwSignal<String>,
    pub(super) decisions: RwSignal<Vec<Decision>>,
    /// Number of waiting reports, regardless of the filter.
    pub(super) waiting: RwSignal<u64>,
    /// Message about the last action.
    pub(super) notice: RwSignal<String>,
    query: RwSignal<String>,
    may_decide: bool,
}

impl List {
    pub(super) fn new(start: &Start) -> Self {
        let Queue { items, waiting, decisions, .. } = start.queue.clone();
        let shown = items.into_iter().map(QueueItem::waiting).collect();
        Self {
            shown: RwSignal::new(shown),
            selected: RwSignal::new(HashSet::new()),
            current: RwSignal::new(String::new()),
            decisions: RwSignal::new(decisions),
            waiting: RwSignal::new(waiting),
            notice: RwSignal::new(String::new()),
            query: RwSignal::new(start.query.clone()),
            may_decide: start.may_decide,
        }
    }

    /// Refreshes the list at intervals while the page is visible.
    pub(super) fn keep_fresh(self, period: Duration) {
        Effect::new(move |_| {
            let renew = move || {
                if !document().hidden() {
                    self.renew();
                }
            };
            if let Ok(interval) = set_interval_with_handle(renew, period) {
                on_cleanup(move || interval.clear());
            }
        });
    }

    /// Fetches the current list.
    pub(super) fn renew(self) {
        spawn_local(async move {
            if let Ok(queue) = look(self.query.get_untracked()).await {
                self.take_over(queue);
            }
        });
    }

    /// Replaces the list, except for the rows whose decision is still being sent.
    fn take_over(self, queue: Queue) {
        self.waiting.set(queue.waiting);
        self.decisions.set(queue.decisions);
        let before = self.shown.get_untracked();
        let is_deciding = |id: &str| {
            let deciding = |shown: &QueueItem| matches!(shown.mark, RowState::Deciding(_));
            before.iter().any(|shown| shown.item.id == id && deciding(shown))
        };
        // The response was requested before these decisions, so it may still contain their reports.
        let fresh = queue.items.into_iter().filter(|item| !is_deciding(&item.id));
        let fresh: Vec<QueueItem> = fresh.map(QueueItem::waiting).collect();
        let deciding = before.iter().filter(|shown| matches!(shown.mark, RowState::Deciding(_)));
        let mut now: Vec<QueueItem> = deciding.cloned().collect();
        now.extend(fresh);
        let ids: HashSet<&str> = now.iter().map(|shown| shown.item.id.as_str()).collect();
        let mut selected = self.selected.get_untracked();
        selected.retain(|id| ids.contains(id.as_str()));
        self.selected.set(selected);
        self.shown.set(now);
        self.keep_current(&before);
    }

    /// If the report that keys act on is gone, moves on to the next one.
    fn keep_current(self, before: &[QueueItem]) {
        let current = self.current.get_untracked();
        let now = self.shown.get_untracked();
        let is_there = |id: &str| now.iter().any(|shown| shown.item.id == id && shown.is_waiting());
        if current.is_empty() || is_there(&current) {
            return;
        }
        let place = before.iter().position(|shown| shown.item.id == current).unwrap_or_default();
        let (earlier, later) = before.split_at(place);
        let next = later.iter().chain(earlier.iter().rev()).find(|shown| is_there(&shown.item.id));
        let next = next.or_else(|| now.iter().find(|shown| shown.is_waiting()));
        self.current.set(next.map(|shown| shown.item.id.clone()).unwrap_or_default());
    }

    pub(super) fn decide_on_selected(self, verdict: Verdict) {
        let selected = self.selected.get_untracked();
        let shown = self.shown.get_untracked();
        let ids = shown.iter().filter(|shown| selected.contains(&shown.item.id));
        self.decide(verdict, ids.map(|shown| shown.item.id.clone()).collect());
    }

    /// Decides on the selected reports, or else on the report that keys act on.
    pub(super) fn decide_here(self, verdict: Verdict) {
        match self.selected.get_untracked().is_empty() {
            true => self.decide(verdict, vec![self.current.get_untracked()]),
            false => self.decide_on_selected(verdict),
        }
    }

    /// Decides on reports. The decision shows at once, and is reverted if the server refuses it.
    pub(super) fn decide(self, verdict: Verdict, ids: Vec<String>) {
        let waiting = self.shown.get_untracked();
        let waiting = waiting.iter().filter(|shown| shown.is_waiting());
        let waiting: HashSet<&str> = waiting.map(|shown| shown.item.id.as_str()).collect();
        let ids: Vec<String> = ids.into_iter().filter(|id| waiting.contains(id.as_str())).collect();
        if ids.is_empty() || !self.may_decide {
            return;
        }
        let before = self.shown.get_untracked();
        self.mark(&ids, &RowState::Deciding(verdict));
        self.selected.set(HashSet::new());
        self.keep_current(&before);
        spawn_local(async move {
            let step = verdict.as_str().to_owned();
            match decide(step, String::new(), ids.clone(), String::new()).await {
                Ok(outcome) => self.decided(verdict, outcome),
                Err(error) => {
                    self.mark(&ids, &RowState::Waiting);
                    self.notice.set(reason(&error));
                }
            }
        });
    }

    fn decided(self, verdict: Verdict, outcome: Outcome) {
        let Outcome { changed, refused } = outcome;
        let mut shown = self.shown.get_untracked();
        shown.retain(|shown| !changed.contains(&shown.item.id));
        for refused in &refused {
            for row in shown.iter_mut().filter(|row| row.item.id == refused.id) {
                row.mark = RowState::Gone(refused.reason.clone());
            }
        }
        self.shown.set(shown);
        let done = match (verdict, changed.as_slice()) {
            (_, []) => String::new(),
            (verdict, [only]) => format!("{} {only}.", verdict.done()),
            (verdict, several) => format!("{} {} reports.", verdict.done(), several.len()),
        };
        let refused = refused.iter().map(|one| format!(" {}: {}.", one.id, one.reason));
        self.notice.set([done, refused.collect()].concat().trim().to_owned());
        self.renew();
    }

    /// Undoes a decision; the last one if `entry` is `None`.
    pub(super) fn undo(self, entry: Option<i64>) {
        spawn_local(async move {
            let entry = match entry {
                Some(entry) => Ok(Some(entry)),
                // The last decision may be newer than the list.
                None => look(self.query.get_untracked())
                    .await
                    .map(|queue| queue.decisions.first().map(|last| last.entry)),
            };
            let notice = match entry {
                Ok(Some(entry)) => undo(entry, String::new()).await,
                Ok(None) => Ok("There is nothing to undo.".to_owned()),
                Err(error) => Err(error),
            };
            self.notice.set(notice.unwrap_or_else(|error| reason(&error)));
            self.renew();
        });
    }

    fn mark(self, ids: &[String], mark: &RowState) {
        let mut shown = self.shown.get_untracked();
        for row in shown.iter_mut().filter(|row| ids.contains(&row.item.id)) {
            row.mark = mark.clone();
        }
        self.shown.set(shown);
    }

    pub(super) fn toggle(self, id: &str) {
        let mut selected = self.selected.get_untracked();
        if !selected.remove(id) {
            selected.insert(id.to_owned());
        }
        self.selected.set(selected);
    }

    /// Selects all shown reports, or none if all are selected.
    pub(super) fn select_every(self) {
        let shown = self.shown.get_untracked();
        let every = shown.iter().filter(|shown| shown.is_waiting());
        let every: HashSet<String> = every.map(|shown| shown.item.id.clone()).collect();
        let is_every = self.selected.get_untracked() == every;
        self.selected.set(if is_every { HashSet::new() } else { every });
    }

    pub(super) fn is_every_selected(self) -> bool {
        let (selected, shown) = (self.selected.get(), self.shown.get());
        !selected.is_empty() && shown.iter().all(|shown| selected.contains(&shown.item.id))
    }

    /// Number of waiting reports, in words.
    pub(super) fn waiting_in_words(self) -> String {
        match self.waiting.get() {
            0 => "Nothing waits for a decision.".to_owned(),
            1 => "1 report waits for a decision.".to_owned(),
            100_001.. => "More than 100,000 reports wait for a decision.".to_owned(),
            count => format!("{} reports wait for a decision.", grouped(count)),
        }
    }

    pub(super) fn selected_in_words(self) -> String {
        match self.selected.get().len() {
            0 => "Select all on this page".to_owned(),
            count => format!("{count} selected"),
        }
    }

    /// Moves the report that keys act on by this number of rows.
    pub(super) fn step(self, by: isize) {
        let shown = self.shown.get_untracked();
        let current = self.current.get_untracked();
        let place = shown.iter().position(|shown| shown.item.id == current);
        let last = shown.len().saturating_sub(1);
        let next = place.map_or(0, |place| place.saturating_add_signed(by).min(last));
        if let Some(next) = shown.get(next) {
            self.current.set(next.item.id.clone());
        }
    }
}

impl QueueItem {
    fn waiting(item: Item) -> Self {
        Self { item, mark: RowState::Waiting }
    }

    /// Key of the row. It contains the report, so a corrected report gets a new row.
    pub(super) fn key(&self) -> String {
        let item = Item { duplicates: Vec::new(), ..self.item.clone() };
        serde_json::to_string(&item).unwrap_or_default()
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.mark == RowState::Waiting
    }
}

/// Formats a number with commas between thousands.
fn grouped(count: u64) -> String {
    match count / 1_000 {
        0 => count.to_string(),
        thousands => format!("{thousands},{:03}", count % 1_000),
    }
}

fn reason(error: &ServerFnError) -> String {
    match error {
        ServerFnError::ServerError(reason) => reason.clone(),
        _ => "The service did not respond. If anything was changed, it will appear in a moment."
            .to_owned(),
    }
}
