//! Logic of the queue's list, without a browser: [`reduce`] turns a state and an event into the next
//! state, and into effects for [`List`](super::list::List) to perform.
//!
//! A decision shows at once. Its rows stay in place, marked as being decided, until the server
//! answers. The list is also read again and again; an answer requested before the last change is
//! ignored.
//!
//! Nothing but this person's own actions moves a row, the focus, or the report that keys act on.
//! What others do shows in place: rows that they decided on stay, with their decision, and new
//! reports wait behind a button. A row whose correction is being typed stays as it is.

#[cfg(test)]
mod tests;

use super::state::{Connection, Editing, Row, RowStatus, State};
use crate::model::{Correction, Item, Outcome, Queue, Refused, Verdict};
use crate::words::{
    list::{CORRECTED, ID_AND_REASON, NOTHING_TO_UNDO},
    sentence, t, with,
};
use std::mem;

/// Something that the person did, or an answer of the server.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    /// The person clicked on a row.
    PointAt(String),
    /// Moves the report that keys act on to the next or previous waiting row.
    Next,
    Previous,
    /// Selects a row, or removes it from the selection.
    Toggle(String),
    ToggleCurrent,
    /// Selects the rows from the one that was toggled last to this one.
    SelectTo(String),
    /// Selects the report that keys act on, moves on, and selects that one, too.
    Extend(bool),
    /// Selects all rows, or none if all are selected.
    ToggleEvery,
    /// Decides on a row.
    Decide(Verdict, String),
    DecideOnSelected(Verdict),
    /// Decides on the selected reports, or else on the report that keys act on.
    DecideHere(Verdict),
    /// Like the decision to reject, with a reason.
    RejectHere(String),
    /// Undoes the decision with this entry.
    Undo(i64),
    UndoLast,
    OpenCurrent,
    /// Opens the fields that correct a report.
    Edit(String),
    /// Opens those of the report that keys act on.
    EditCurrent,
    /// Sends what was typed there.
    Save(Correction),
    /// Closes the fields.
    StopEditing,
    /// Answer to a correction; an error is a sentence.
    Corrected(String, Correction, Result<(), String>),
    /// Answer to a decision; an error is a sentence.
    Decided(Verdict, Vec<String>, Result<Outcome, String>),
    /// Answer to the undoing of an entry; both are sentences.
    Undone(i64, Result<String, String>),
    /// The list, with [`State::changes`] at the time of the request.
    Listed(u64, Queue),
    /// The list has not changed since [`State::version`], or could not be read.
    Connected(Connection),
    /// Decisions on reports that the list no longer contains; `None` if the answer is lost.
    Told(Option<Vec<Refused>>),
    /// Shows the new reports.
    ShowArrived,
}

/// Something that a reducer cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Decide(Verdict, Vec<String>),
    /// Rejects with a reason.
    Reject(String, Vec<String>),
    Undo(i64),
    /// Reads the list again.
    Refresh,
    /// Requests the decisions on reports that the list no longer contains.
    AskOutcome(Vec<String>),
    /// Focuses a row and scrolls to it, so that screen readers announce it. Without an id, focuses
    /// the list.
    Focus(String),
    /// Opens the page of a report.
    Open(String),
    /// Focuses the first field of a row's correction.
    FocusField(String),
    /// Sends a correction.
    Correct(String, Correction),
    /// Focuses a row again if the focus is in it, because its focused field is removed.
    KeepFocus(String),
}

/// The next state, and its effects.
pub(crate) fn reduce(mut state: State, event: Event) -> (State, Vec<Effect>) {
    let effects = match event {
        Event::PointAt(id) => state.point_at(&id),
        Event::Next => state.step(true),
        Event::Previous => state.step(false),
        Event::Toggle(id) => state.toggle(&id),
        Event::ToggleCurrent => state.toggle(&state.current.clone()),
        Event::SelectTo(id) => state.select_to(&id),
        Event::Extend(is_forward) => {
            let from = state.current.clone();
            let effects = state.step(is_forward);
            state.select(&from);
            state.select(&state.current.clone());
            effects
        }
        Event::ToggleEvery => state.toggle_every(),
        Event::Decide(verdict, id) => {
            // As after a click elsewhere on the row.
            state.point_at(&id);
            state.decide(verdict, |row| row.item.id == id)
        }
        Event::DecideOnSelected(verdict) => {
            let mut effects = state.decide(verdict, |row| row.is_selected);
            // Keys act in the list only.
            effects.push(Effect::Focus(state.current.clone()));
            effects
        }
        Event::DecideHere(verdict) => state.decide_here(verdict),
        Event::RejectHere(reason) => {
            let mut effects = state.decide_here(Verdict::Reject);
            for effect in &mut effects {
                if let Effect::Decide(_, ids) = effect {
                    *effect = Effect::Reject(reason.clone(), mem::take(ids));
                }
            }
            effects
        }
        Event::Undo(entry) => {
            let mut effects = state.undo(entry);
            // The button is gone.
            effects.push(Effect::Focus(state.current.clone()));
            effects
        }
        Event::UndoLast => {
            state.undos_wanted += 1;
            state.undo_wanted()
        }
        Event::OpenCurrent => match &*state.current {
            "" => Vec::new(),
            current => vec![Effect::Open(current.to_owned())],
        },
        Event::Edit(id) => {
            state.point_at(&id);
            state.edit_current()
        }
        Event::EditCurrent => state.edit_current(),
        Event::Save(correction) => state.save(correction),
        Event::StopEditing => state.stop_editing(),
        Event::Corrected(id, correction, answer) => state.corrected(id, correction, answer),
        Event::Decided(verdict, ids, answer) => state.decided(verdict, &ids, answer),
        Event::Undone(entry, answer) => state.undone(entry, answer),
        Event::Listed(changes, queue) => state.listed(changes, queue),
        Event::Connected(connection) => {
            state.connection = connection;
            Vec::new()
        }
        Event::Told(Some(decided)) => state.told(decided),
        Event::Told(None) => {
            state.version.clear();
            Vec::new()
        }
        Event::ShowArrived => state.show_arrived(),
    };
    (state, effects)
}

impl State {
    fn point_at(&mut self, id: &str) -> Vec<Effect> {
        if self.row(id).is_none_or(Row::is_deciding) {
            return Vec::new();
        }
        self.current = id.to_owned();
        vec![Effect::Focus(id.to_owned())]
    }

    /// Rows that cannot be decided on are skipped.
    fn step(&mut self, is_forward: bool) -> Vec<Effect> {
        let place = self.rows.iter().position(|row| row.item.id == self.current);
        let next = match (place, is_forward) {
            (None, _) => self.beginning(),
            (Some(place), true) => self.rows[place + 1..].iter().find(|row| row.is_waiting()),
            (Some(place), false) => self.rows[..place].iter().rfind(|row| row.is_waiting()),
        };
        match next.map(|row| row.item.id.clone()) {
            Some(id) => self.point_at(&id),
            None => Vec::new(),
        }
    }

    fn toggle(&mut self, id: &str) -> Vec<Effect> {
        self.toggled = id.to_owned();
        for row in self.rows.iter_mut().filter(|row| row.is_waiting() && row.item.id == id) {
            row.is_selected = !row.is_selected;
        }
        Vec::new()
    }

    fn select(&mut self, id: &str) {
        for row in self.rows.iter_mut().filter(|row| row.is_waiting() && row.item.id == id) {
            row.is_selected = true;
        }
    }

    fn select_to(&mut self, id: &str) -> Vec<Effect> {
        let place = |id: &str| self.rows.iter().position(|row| row.item.id == id);
        let Some((from, to)) = place(&self.toggled).zip(place(id)) else { return self.toggle(id) };
        for row in self.rows[from.min(to)..=from.max(to)].iter_mut().filter(|row| row.is_waiting())
        {
            row.is_selected = true;
        }
        self.toggled = id.to_owned();
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
        if !self.may_decide || !Verdict::possible(&self.list_status).contains(&verdict) {
            return Vec::new();
        }
        let mut ids = Vec::new();
        let edited = self.editing.clone().unwrap_or_default().id;
        let is_free = |row: &&mut Row| row.is_waiting() && row.item.id != edited;
        for row in self.rows.iter_mut().filter(is_free).filter(|row| is_meant(row)) {
            row.status = RowStatus::Deciding(verdict);
            row.is_selected = false;
            ids.push(row.item.id.clone());
        }
        if ids.is_empty() {
            return Vec::new();
        }
        self.unanswered += 1;
        let mut effects = vec![Effect::Decide(verdict, ids)];
        effects.extend(self.move_on());
        effects
    }

    /// Decides on the selected reports, or else on the report that keys act on.
    fn decide_here(&mut self, verdict: Verdict) -> Vec<Effect> {
        let current = self.current.clone();
        let is_any_selected = self.rows.iter().any(|row| row.is_selected);
        if !is_any_selected
            && let Some(RowStatus::Gone(reason)) = self.row(&current).map(|row| &row.status)
        {
            self.notice = with(ID_AND_REASON, &[("id", &current), ("reason", reason)]);
        }
        self.decide(verdict, |row| match is_any_selected {
            true => row.is_selected,
            false => row.item.id == current,
        })
    }

    fn decided(
        &mut self,
        verdict: Verdict,
        ids: &[String],
        answer: Result<Outcome, String>,
    ) -> Vec<Effect> {
        self.unanswered = self.unanswered.saturating_sub(1);
        self.changes += 1;
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
        self.latest.retain(|item| !changed.contains(&item.id));
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
        let mut effects = vec![Effect::Refresh];
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
                None => self.notice = t(NOTHING_TO_UNDO),
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
        self.may_move = answer.is_ok();
        self.notice = answer.unwrap_or_else(|reason| reason);
        vec![Effect::Refresh]
    }

    /// Takes over the latest list. Only an action of this person may move what is being read, so
    /// reports that were decided on stay in place, and new ones are only counted, unless they can
    /// be appended.
    fn listed(&mut self, changes: u64, queue: Queue) -> Vec<Effect> {
        self.connection = Connection::Live;
        // Each change requests the list again.
        if changes != self.changes {
            return Vec::new();
        }
        let Queue { items, waiting, total, next, decisions, others, version } = queue;
        (self.total, self.others) = (total, others);
        (self.waiting, self.next, self.version, self.latest) = (waiting, next, version, items);
        self.decisions = decisions;
        self.decisions.retain(|decision| !self.undoing.contains(&decision.entry));
        if mem::take(&mut self.may_move) {
            self.show_latest();
            return Vec::new();
        }
        let edited = self.editing.clone().unwrap_or_default().id;
        for row in self.rows.iter_mut().filter(|row| row.item.id != edited) {
            if let Some(item) = self.latest.iter().find(|item| item.id == row.item.id) {
                row.renew(item);
            }
        }
        let is_shown = |item: &Item| self.rows.iter().any(|row| row.item.id == item.id);
        let is_any_waiting = self.rows.iter().any(Row::is_waiting);
        // Place in the latest list after the last report that is shown.
        let end = match self.latest.iter().rposition(is_shown) {
            Some(last) => last + 1,
            None if is_any_waiting => self.latest.len(),
            None => 0,
        };
        self.rows.extend(self.latest[end..].iter().cloned().map(Row::waiting));
        let is_listed = |row: &Row| self.latest.iter().any(|item| item.id == row.item.id);
        let missing = self.rows.iter().filter(|row| row.is_waiting() && !is_listed(row));
        let missing: Vec<String> = missing.map(|row| row.item.id.clone()).collect();
        match missing.is_empty() {
            true => Vec::new(),
            false => vec![Effect::AskOutcome(missing)],
        }
    }

    /// Shows exactly the latest list, except that rows stay while they are decided on or corrected.
    fn show_latest(&mut self) {
        let mut before = mem::take(&mut self.rows);
        for item in &self.latest {
            let known = before.iter().position(|row| row.item.id == item.id);
            let mut row = match known {
                Some(place) => before[place].clone(),
                None => Row::waiting(item.clone()),
            };
            if !self.is_edited(&item.id) {
                row.renew(item);
            }
            self.rows.push(row);
        }
        let edited = self.editing.clone().unwrap_or_default().id;
        let places = before.iter_mut().enumerate();
        let places = places.filter(|(_, row)| row.is_deciding() || row.item.id == edited);
        for (place, row) in places {
            if self.rows.iter().all(|one| one.item.id != row.item.id) {
                self.rows.insert(place.min(self.rows.len()), row.clone());
            }
        }
        if self.row(&self.current).is_none() {
            self.current.clear();
        }
    }

    /// Answer to [`Effect::AskOutcome`].
    fn told(&mut self, decided: Vec<Refused>) -> Vec<Effect> {
        for Refused { id, reason } in decided {
            for row in self.rows.iter_mut().filter(|row| row.is_waiting() && row.item.id == id) {
                row.status = RowStatus::Gone(reason.clone());
                row.is_selected = false;
            }
        }
        Vec::new()
    }

    fn edit_current(&mut self) -> Vec<Effect> {
        // One correction at a time, so that none is forgotten.
        if let Some(open) = &self.editing {
            return vec![Effect::FocusField(open.id.clone())];
        }
        if !self.may_decide || !self.row(&self.current).is_some_and(Row::is_waiting) {
            return Vec::new();
        }
        self.editing = Some(Editing { id: self.current.clone(), ..Editing::default() });
        vec![Effect::FocusField(self.current.clone())]
    }

    fn save(&mut self, correction: Correction) -> Vec<Effect> {
        let Some(editing) = self.editing.as_mut().filter(|editing| !editing.is_saving) else {
            return Vec::new();
        };
        editing.is_saving = true;
        editing.error.clear();
        vec![Effect::Correct(editing.id.clone(), correction)]
    }

    fn stop_editing(&mut self) -> Vec<Effect> {
        let Some(Editing { id, .. }) = self.editing.take() else { return Vec::new() };
        // Shows corrections by others.
        let latest = self.latest.iter().find(|item| item.id == id);
        let row = self.rows.iter_mut().find(|row| row.item.id == id);
        if let Some((row, latest)) = row.zip(latest) {
            row.renew(latest);
        }
        vec![Effect::KeepFocus(id)]
    }

    fn corrected(
        &mut self,
        id: String,
        correction: Correction,
        answer: Result<(), String>,
    ) -> Vec<Effect> {
        self.changes += 1;
        let editing = self.editing.take_if(|editing| editing.id == id);
        if let Err(error) = answer {
            match editing {
                Some(_) => self.editing = Some(Editing { id, is_saving: false, error }),
                None => self.notice = error,
            }
            return vec![Effect::Refresh];
        }
        self.notice = with(CORRECTED, &[("id", &id)]);
        if let Some(row) = self.rows.iter_mut().find(|row| row.item.id == id) {
            row.correct(correction);
        }
        vec![Effect::KeepFocus(id), Effect::Refresh]
    }

    fn show_arrived(&mut self) -> Vec<Effect> {
        let is_new = |item: &&Item| self.row(&item.id).is_none();
        let first = self.latest.iter().find(is_new).map(|item| item.id.clone());
        self.show_latest();
        match first {
            Some(first) => self.point_at(&first),
            None => Vec::new(),
        }
    }

    /// After this person's decision on the report that keys act on, moves on to the next waiting
    /// one.
    fn move_on(&mut self) -> Vec<Effect> {
        let place = self.rows.iter().position(|row| row.item.id == self.current);
        let Some(place) = place.filter(|place| self.rows[*place].is_deciding()) else {
            return Vec::new();
        };
        let (earlier, later) = self.rows.split_at(place);
        let next = later.iter().chain(earlier.iter().rev()).find(|row| row.is_waiting());
        self.current = next.map(|row| row.item.id.clone()).unwrap_or_default();
        vec![Effect::Focus(self.current.clone())]
    }
}

/// Result of a decision, in words.
pub(crate) fn in_words(verdict: Verdict, outcome: &Outcome) -> String {
    let mut words = match outcome.changed.as_slice() {
        [] => String::new(),
        [only] => with(verdict.result_on_one(), &[("id", only)]),
        several => sentence(verdict.result(), several.len() as u64),
    };
    for refused in &outcome.refused {
        words += " ";
        words += &with(ID_AND_REASON, &[("id", &refused.id), ("reason", &refused.reason)]);
    }
    words.trim_start().to_owned()
}
