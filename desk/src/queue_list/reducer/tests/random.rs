//! Random work at the queue, while others decide, too, and answers are late or lost.

use super::*;
use crate::queue_list::state::Row;
use proptest::prelude::*;

#[derive(Clone, Copy, Debug)]
enum Step {
    PointAt(usize),
    Move(bool),
    Toggle(usize),
    SelectTo(usize),
    Extend(bool),
    ToggleEvery,
    Decide(usize),
    DecideHere,
    RejectHere,
    UndoLast,
    ShowArrived,
    Edit,
    Save,
    StopEditing,
    /// Another person decides on a report.
    Other(usize),
    /// A report arrives.
    Arrive,
    /// The page requests the list.
    Poll,
    /// The server acts on a request of the page.
    Act(usize),
    /// The page receives an answer, or notices that it is lost.
    Receive(usize, bool),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        1 => (0..9_usize).prop_map(Step::PointAt),
        3 => any::<bool>().prop_map(Step::Move),
        2 => (0..9_usize).prop_map(Step::Toggle),
        1 => (0..9_usize).prop_map(Step::SelectTo),
        1 => any::<bool>().prop_map(Step::Extend),
        1 => Just(Step::ToggleEvery),
        2 => (0..9_usize).prop_map(Step::Decide),
        2 => Just(Step::DecideHere),
        1 => Just(Step::RejectHere),
        2 => Just(Step::UndoLast),
        1 => Just(Step::ShowArrived),
        1 => Just(Step::Edit),
        1 => Just(Step::Save),
        1 => Just(Step::StopEditing),
        2 => (0..9_usize).prop_map(Step::Other),
        2 => Just(Step::Arrive),
        2 => Just(Step::Poll),
        6 => (0..9_usize).prop_map(Step::Act),
        6 => (0..9_usize, any::<bool>()).prop_map(|(index, is_lost)| Step::Receive(index, is_lost)),
    ]
}

/// A page, the server, and everything on the way between them.
struct World {
    desk: Desk,
    /// Reports that wait.
    waiting: Vec<String>,
    /// This person's decisions with their reports, the oldest first.
    decisions: Vec<(i64, Vec<String>)>,
    /// Number of decisions and of arrived reports.
    count: i64,
    requests: Vec<Request>,
    answers: Vec<Event>,
}

enum Request {
    Decide(Verdict, Vec<String>),
    Undo(i64),
    Correct(String, Correction),
    List(u64),
    Outcome(Vec<String>),
}

impl World {
    fn new() -> Self {
        let ids = ["a", "b", "c", "d"];
        Self {
            desk: Desk::with(&ids),
            waiting: owned(&ids),
            decisions: Vec::new(),
            count: 0,
            requests: Vec::new(),
            answers: Vec::new(),
        }
    }

    fn on(&mut self, event: Event) {
        let is_own = !matches!(event, Event::Listed(..) | Event::Told(_));
        let (ids, current) = (owned(&self.desk.ids()), self.desk.state.current.clone());
        let may_move = is_own || self.desk.state.may_move;
        self.desk.on(event);
        if !may_move {
            assert!(self.desk.ids().starts_with(&ids.iter().map(|id| &**id).collect::<Vec<_>>()));
            assert_eq!(self.desk.state.current, current);
            assert!(!self.desk.effects.iter().any(|effect| matches!(effect, Effect::Focus(_))));
        }
        for effect in self.desk.effects.clone() {
            match effect {
                Effect::Reject(_, ids) => self.requests.push(Request::Decide(Reject, ids)),
                Effect::Decide(verdict, ids) => self.requests.push(Request::Decide(verdict, ids)),
                Effect::Undo(entry) => self.requests.push(Request::Undo(entry)),
                Effect::Refresh => self.request_list(),
                Effect::AskOutcome(ids) => self.requests.push(Request::Outcome(ids)),
                Effect::Correct(id, values) => self.requests.push(Request::Correct(id, values)),
                Effect::Focus(_)
                | Effect::Open(_)
                | Effect::FocusField(_)
                | Effect::KeepFocus(_) => {}
            }
        }
        self.check();
    }

    fn request_list(&mut self) {
        self.requests.push(Request::List(self.desk.state.changes));
    }

    /// Checks what holds after each event.
    fn check(&self) {
        let State { rows, current, .. } = &self.desk.state;
        assert!(current.is_empty() || self.desk.state.row(current).is_some());
        assert!(rows.iter().all(|row| row.is_waiting() || !row.is_selected));
        let editing = self.desk.state.editing.as_ref();
        assert!(editing.is_none_or(|editing| self.desk.state.row(&editing.id).is_some()));
        let ids = self.desk.ids();
        assert!(ids.iter().enumerate().all(|(place, id)| !ids[..place].contains(id)), "{ids:?}");
    }

    fn undoable(&self) -> Vec<Decision> {
        self.decisions.iter().rev().map(|(entry, _)| decision(*entry)).collect()
    }

    /// Lets the server act on a request.
    fn act(&mut self, index: usize) {
        let answer = match self.requests.remove(index) {
            Request::List(changes) => {
                let ids: Vec<&str> = self.waiting.iter().map(String::as_str).collect();
                Event::Listed(changes, Queue { decisions: self.undoable(), ..list(&ids) })
            }
            Request::Correct(id, values) => Event::Corrected(id, values, Ok(())),
            Request::Outcome(ids) => {
                let decided = ids.into_iter().filter(|id| !self.waiting.contains(id));
                let decided = decided.map(|id| Refused { id, reason: String::new() });
                Event::Told(Some(decided.collect()))
            }
            Request::Decide(verdict, ids) => {
                let is_waiting = |id: &String| self.waiting.contains(id);
                let (changed, late): (Vec<_>, Vec<_>) = ids.iter().cloned().partition(is_waiting);
                self.waiting.retain(|id| !changed.contains(id));
                if !changed.is_empty() {
                    self.count += 1;
                    self.decisions.push((self.count, changed.clone()));
                }
                let refused = late.into_iter().map(|id| Refused { id, reason: String::new() });
                let refused = refused.collect();
                let outcome = Outcome { changed, refused, decisions: self.undoable() };
                Event::Decided(verdict, ids, Ok(outcome))
            }
            Request::Undo(entry) => {
                let place = self.decisions.iter().position(|(known, _)| *known == entry);
                if let Some(place) = place {
                    self.waiting.extend(self.decisions.remove(place).1);
                }
                Event::Undone(entry, Ok(String::new()))
            }
        };
        self.answers.push(answer);
    }

    fn receive(&mut self, index: usize, is_lost: bool) {
        let lost = || "No response.".to_owned();
        let answer = match self.answers.remove(index) {
            Event::Listed(..) if is_lost => return,
            Event::Told(_) if is_lost => Event::Told(None),
            Event::Decided(verdict, ids, _) if is_lost => Event::Decided(verdict, ids, Err(lost())),
            Event::Corrected(id, values, _) if is_lost => Event::Corrected(id, values, Err(lost())),
            Event::Undone(entry, _) if is_lost => Event::Undone(entry, Err(lost())),
            answer => answer,
        };
        self.on(answer);
    }

    fn play(&mut self, step: Step) {
        let ids = self.desk.ids();
        let id = |index: usize| ids.get(index).copied().unwrap_or_default().to_owned();
        match step {
            Step::PointAt(index) => self.on(Event::PointAt(id(index))),
            Step::Move(true) => self.on(Event::Next),
            Step::Move(false) => self.on(Event::Previous),
            Step::Toggle(index) => self.on(Event::Toggle(id(index))),
            Step::SelectTo(index) => self.on(Event::SelectTo(id(index))),
            Step::Extend(is_forward) => self.on(Event::Extend(is_forward)),
            Step::ToggleEvery => self.on(Event::ToggleEvery),
            Step::Decide(index) => self.on(Event::Decide(Reject, id(index))),
            Step::DecideHere => self.on(Event::DecideHere(Approve)),
            Step::RejectHere => self.on(Event::RejectHere("Test".to_owned())),
            Step::UndoLast => self.on(Event::UndoLast),
            Step::ShowArrived => self.on(Event::ShowArrived),
            Step::Edit => self.on(Event::EditCurrent),
            Step::Save => self.on(Event::Save(correction("Campinas"))),
            Step::StopEditing => self.on(Event::StopEditing),
            Step::Other(index) if index < self.waiting.len() => _ = self.waiting.remove(index),
            Step::Arrive => {
                self.count += 1;
                self.waiting.insert(0, format!("new-{}", self.count));
            }
            Step::Poll => self.request_list(),
            Step::Act(index) if index < self.requests.len() => self.act(index),
            Step::Receive(index, is_lost) if index < self.answers.len() => {
                self.receive(index, is_lost);
            }
            Step::Other(_) | Step::Act(_) | Step::Receive(..) => {}
        }
    }

    /// Delivers everything that is on the way.
    fn settle(&mut self) {
        while !self.requests.is_empty() || !self.answers.is_empty() {
            match self.answers.is_empty() {
                true => self.act(0),
                false => self.receive(0, false),
            }
        }
    }
}

proptest! {
    #[test]
    fn the_page_ends_with_the_list_of_the_server(
        steps in prop::collection::vec(step(), 0..80),
    ) {
        let mut world = World::new();
        for step in steps {
            world.play(step);
        }
        world.settle();
        world.play(Step::Poll);
        world.settle();
        world.play(Step::StopEditing);
        let undoable: Vec<i64> = world.undoable().iter().map(|one| one.entry).collect();
        // Each waiting report is shown or announced, and no row waits that the server has decided on.
        let waiting = world.desk.state.rows.iter().filter(|row| row.is_waiting());
        let waiting: Vec<String> = waiting.map(|row| row.item.id.clone()).collect();
        prop_assert!(waiting.iter().all(|id| world.waiting.contains(id)));
        prop_assert_eq!(waiting.len() + world.desk.state.arrived(), world.waiting.len());
        world.play(Step::ShowArrived);
        prop_assert_eq!(world.desk.ids(), world.waiting);
        prop_assert_eq!(world.desk.undoable(), undoable);
        prop_assert!(world.desk.state.rows.iter().all(Row::is_waiting));
        prop_assert_eq!(world.desk.state.unanswered, 0);
    }
}
