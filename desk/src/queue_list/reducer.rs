//! Logic of the queue's list, without a browser: [`reduce`] turns a state and an event into the next
//! state, and into effects for [`List`](super::list::List) to perform.
//!
//! A decision shows at once. Its rows stay in place, marked as being decided, until the server
//! answers. The list is also read again and again; an answer requested before the last change is
//! ignored, and leaves rows alone that are being decided.

#[cfg(test)]
mod tests;

use super::state::{Row, RowStatus, State};
use crate::model::{Outcome, Queue, Verdict};
use kit::number::plain;
use std::mem;

/// Something that the person did, or an answer of the server.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    /// The person clicked on a row.
    PointAt(String),
    /// Moves the report that keys act on by this number of rows.
    Step(isize),
    /// Selects a row, or removes it from the selection.
    Toggle(String),
    ToggleCurrent,
    /// Selects all rows, or none if all are selected.
    ToggleEvery,
    /// Decides on a row.
    Decide(Verdict, String),
    DecideOnSelected(Verdict),
    /// Decides on the selected reports, or else on the report that keys act on.
    DecideHere(Verdict),
    /// Undoes the decision with this entry.
    Undo(i64),
    UndoLast,
    OpenCurrent,
    /// Answer to a decision; an error is a sentence.
    Decided(Verdict, Vec<String>, Result<Outcome, String>),
    /// Answer to the undoing of an entry; both are sentences.
    Undone(i64, Result<String, String>),
    /// The list, with [`State::changes`] at the time of the request.
    Listed(u64, Queue),
}

/// Something that a reducer cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Decide(Verdict, Vec<String>),
    Undo(i64),
    /// Reads the list again.
    Refresh,
    /// Focuses a row and scrolls to it, so that screen readers announce it.
    Focus(String),
    /// Like `Focus`, unless the person has moved the focus away from the rows.
    KeepFocus(String),
    /// Opens the page of a report.
    Open(String),
}

/// The next state, and its effects.
pub(crate) fn reduce(mut state: State, event: Event) -> (State, Vec<Effect>) {
    let effects = match event {
        Event::PointAt(id) => state.point_at(&id),
        Event::Step(by) => state.step(by),
        Event::Toggle(id) => state.toggle(&id),
        Event::ToggleCurrent => state.toggle(&state.current.clone()),
        Event::ToggleEvery => state.toggle_every(),
        Event::Decide(verdict, id) => {
            // As after a click elsewhere on the row.
            state.point_at(&id);
            state.decide(verdict, |row| row.item.id == id)
        }
        Event::DecideOnSelected(verdict) => state.decide(verdict, |row| row.is_selected),
        Event::DecideHere(verdict) => {
            let current = state.current.clone();
            let is_any_selected = state.rows.iter().any(|row| row.is_selected);
            state.decide(verdict, |row| match is_any_selected {
                true => row.is_selected,
                false => row.item.id == current,
            })
        }
        Event::Undo(entry) => state.undo(entry),
        Event::UndoLast => {
            state.undos_wanted += 1;
            state.undo_wanted()
        }
        Event::OpenCurrent => match &*state.current {
            "" => Vec::new(),
            current => vec![Effect::Open(current.to_owned())],
        },
        Event::Decided(verdict, ids, answer) => state.decided(verdict, &ids, answer),
        Event::Undone(entry, answer) => state.undone(entry, answer),
        Event::Listed(changes, queue) => state.listed(changes, queue),
    };
    (state, effects)
}

impl State {
    fn point_at(&mut self, id: &str) -> Vec<Effect> {
        if !self.row(id).is_some_and(Row::is_waiting) {
            return Vec::new();
        }
        self.current = id.to_owned();
        vec![Effect::Focus(id.to_owned())]
    }

    /// Rows that cannot be decided on are skipped.
    fn step(&mut self, by: isize) -> Vec<Effect> {
        let waiting: Vec<&str> =
            self.rows.iter().filter(|row| row.is_waiting()).map(|row| &*row.item.id).collect();
        let place = waiting.iter().position(|id| *id == self.current);
        let last = waiting.len().saturating_sub(1);
        let next = place.map_or(0, |place| place.saturating_add_signed(by).min(last));
        match waiting.get(next).map(|id| (*id).to_owned()) {
            Some(id) => self.point_at(&id),
            None => Vec::new(),
        }
    }

    fn toggle(&mut self, id: &str) -> Vec<Effect> {
        for row in self.rows.iter_mut().filter(|row| row.is_waiting() && row.item.id == id) {
            row.is_selected = !row.is_selected;
        }
        Vec::new()
    }

    fn toggle_every(&mut self) -> Vec<Effect> {
        let is_selected = !self.is_every_selected();
        for row in self.rows.iter_mut().filter(|row| row.is_waiting()) {
            row.is_selected = is_selected;
        }
        Vec::new()
    }

    fn decide(&mut self, verdict: Verdict, is_meant: impl Fn(&Row) -> bool) -> Vec<Effect> {
        if !self.may_decide {
            return Vec::new();
        }
        let mut ids = Vec::new();
        for row in self.rows.iter_mut().filter(|row| row.is_waiting() && is_meant(row)) {
            row.status = RowStatus::Deciding(verdict);
            row.is_selected = false;
            ids.push(row.item.id.clone());
        }
        if ids.is_empty() {
            return Vec::new();
        }
        self.unanswered += 1;
        let before = self.rows.clone();
        let moved = self.keep_current(&before).map(Effect::Focus);
        [Effect::Decide(verdict, ids)].into_iter().chain(moved).collect()
    }

    fn decided(
        &mut self,
        verdict: Verdict,
        ids: &[String],
        answer: Result<Outcome, String>,
    ) -> Vec<Effect> {
        self.unanswered = self.unanswered.saturating_sub(1);
        self.changes += 1;
        let before = self.rows.clone();
        let Outcome { changed, refused, decisions } = match answer {
            Ok(outcome) => {
                self.notice = in_words(verdict, &outcome);
                outcome
            }
            Err(reason) => {
                self.notice = reason;
                Outcome::default()
            }
        };
        self.rows.retain(|row| !changed.contains(&row.item.id));
        let deciding = self.rows.iter_mut().filter(|row| row.is_deciding());
        for row in deciding.filter(|row| ids.contains(&row.item.id)) {
            let refused = refused.iter().find(|refused| refused.id == row.item.id);
            row.status = match refused {
                Some(refused) => RowStatus::Gone(refused.reason.clone()),
                None => RowStatus::Waiting,
            };
        }
        // Answers may arrive in another order than the decisions were made in.
        for decision in decisions {
            let is_new = self.decisions.iter().all(|known| known.entry != decision.entry);
            if is_new && !self.undoing.contains(&decision.entry) {
                let mut known = self.decisions.iter();
                let place = known.position(|known| known.entry < decision.entry);
                self.decisions.insert(place.unwrap_or(self.decisions.len()), decision);
            }
        }
        let moved = self.keep_current(&before).map(Effect::KeepFocus);
        let mut effects: Vec<Effect> = moved.into_iter().chain([Effect::Refresh]).collect();
        effects.extend(self.undo_wanted());
        effects
    }

    /// Undoes the last decisions, unless one is unanswered and may become the last.
    fn undo_wanted(&mut self) -> Vec<Effect> {
        if self.unanswered > 0 {
            return Vec::new();
        }
        let mut effects = Vec::new();
        for _ in 0..mem::take(&mut self.undos_wanted) {
            match self.decisions.first().map(|last| last.entry) {
                Some(last) => effects.extend(self.undo(last)),
                None => self.notice = "There is nothing to undo.".to_owned(),
            }
        }
        effects
    }

    fn undo(&mut self, entry: i64) -> Vec<Effect> {
        if self.undoing.contains(&entry) {
            return Vec::new();
        }
        self.decisions.retain(|decision| decision.entry != entry);
        self.undoing.push(entry);
        vec![Effect::Undo(entry)]
    }

    fn undone(&mut self, entry: i64, answer: Result<String, String>) -> Vec<Effect> {
        self.undoing.retain(|undoing| *undoing != entry);
        self.changes += 1;
        self.notice = answer.unwrap_or_else(|reason| reason);
        vec![Effect::Refresh]
    }

    fn listed(&mut self, changes: u64, queue: Queue) -> Vec<Effect> {
        // Each change requests the list again.
        if changes != self.changes {
            return Vec::new();
        }
        let Queue { items, waiting, next, decisions } = queue;
        let before = mem::take(&mut self.rows);
        let find = |id: &str| before.iter().find(|row| row.item.id == id);
        self.rows = items
            .into_iter()
            .map(|item| {
                let before = find(&item.id);
                Row::renewed(item, before)
            })
            .collect();
        // The server has decided on these already, and its answer is on the way.
        for (place, row) in before.iter().enumerate().filter(|(_, row)| row.is_deciding()) {
            if self.row(&row.item.id).is_none() {
                self.rows.insert(place.min(self.rows.len()), row.clone());
            }
        }
        self.waiting = waiting;
        self.next = next;
        self.decisions = decisions;
        self.decisions.retain(|decision| !self.undoing.contains(&decision.entry));
        self.keep_current(&before).map(Effect::KeepFocus).into_iter().collect()
    }

    /// If the report that keys act on is no longer waiting, moves on to the next one. Returns its
    /// id.
    fn keep_current(&mut self, before: &[Row]) -> Option<String> {
        let is_waiting = |id: &str| self.row(id).is_some_and(Row::is_waiting);
        if self.current.is_empty() || is_waiting(&self.current) {
            return None;
        }
        let place = before.iter().position(|row| row.item.id == self.current).unwrap_or_default();
        let (earlier, later) = before.split_at(place);
        let mut near = later.iter().chain(earlier.iter().rev());
        let next = near.find(|row| is_waiting(&row.item.id));
        let next = next.or_else(|| self.rows.iter().find(|row| row.is_waiting()));
        let next = next.map(|row| row.item.id.clone());
        self.current = next.clone().unwrap_or_default();
        next
    }
}

/// Result of a decision, in words.
fn in_words(verdict: Verdict, outcome: &Outcome) -> String {
    let mut words = match outcome.changed.as_slice() {
        [] => String::new(),
        [only] => [verdict.done(), " ", only, ". "].concat(),
        several => [verdict.done(), " ", &plain(several.len() as u64), " reports. "].concat(),
    };
    for refused in &outcome.refused {
        words += &[&refused.id, ": ", &*refused.reason, ". "].concat();
    }
    words.trim_end().to_owned()
}
