mod random;

use super::{Effect, Event, reduce};
use crate::{
    model::{Decision, Item, Outcome, PossibleDuplicate, Queue, Refused, Start, Verdict},
    queue_list::state::{RowStatus, State},
};
use Verdict::{Approve, Reject};

/// A page of the queue, and the effects of its last event.
struct Desk {
    state: State,
    effects: Vec<Effect>,
}

impl Desk {
    fn with(ids: &[&str]) -> Self {
        let queue = list(ids);
        let start = Start { queue, may_decide: true, ..Start::default() };
        Self { state: State::new(&start), effects: Vec::new() }
    }

    fn on(&mut self, event: Event) -> &mut Self {
        let (state, effects) = reduce(self.state.clone(), event);
        (self.state, self.effects) = (state, effects);
        self
    }

    fn ids(&self) -> Vec<&str> {
        self.state.rows.iter().map(|row| &*row.item.id).collect()
    }

    fn status(&self, id: &str) -> &RowStatus {
        &self.state.row(id).unwrap().status
    }

    fn selected(&self) -> Vec<&str> {
        let selected = self.state.rows.iter().filter(|row| row.is_selected);
        selected.map(|row| &*row.item.id).collect()
    }

    fn undoable(&self) -> Vec<i64> {
        self.state.decisions.iter().map(|decision| decision.entry).collect()
    }
}

fn item(id: &str) -> Item {
    Item { id: id.to_owned(), city: "Campinas".to_owned(), ..Item::default() }
}

fn list(ids: &[&str]) -> Queue {
    let waiting = ids.len() as u64;
    Queue { items: ids.iter().map(|id| item(id)).collect(), waiting, ..Queue::default() }
}

fn owned(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

fn decision(entry: i64) -> Decision {
    Decision { entry, verdict: Approve, subject: "a".to_owned(), at: String::new() }
}

/// Answer to an approval of these reports, which succeeded.
fn approved(ids: &[&str], decisions: &[i64]) -> Event {
    let decisions = decisions.iter().map(|entry| decision(*entry)).collect();
    let outcome = Outcome { changed: owned(ids), decisions, ..Outcome::default() };
    Event::Decided(Approve, owned(ids), Ok(outcome))
}

fn decide_on(id: &str) -> Effect {
    Effect::Decide(Approve, owned(&[id]))
}

fn focus(id: &str) -> Effect {
    Effect::Focus(id.to_owned())
}

#[test]
fn keys_walk_through_the_list_and_stop_at_its_ends() {
    let mut desk = Desk::with(&["a", "b", "c"]);
    assert_eq!(desk.on(Event::Step(1)).effects, [focus("a")]);
    assert_eq!(desk.on(Event::Step(1)).effects, [focus("b")]);
    desk.on(Event::Step(1)).on(Event::Step(1));
    assert_eq!(desk.state.current, "c");
    desk.on(Event::Step(-1)).on(Event::Step(-1)).on(Event::Step(-1));
    assert_eq!(desk.state.current, "a");
    assert_eq!(desk.on(Event::OpenCurrent).effects, [Effect::Open("a".to_owned())]);
}

#[test]
fn keys_without_a_current_report_have_no_effect() {
    let mut desk = Desk::with(&["a"]);
    for event in [Event::ToggleCurrent, Event::DecideHere(Approve), Event::OpenCurrent] {
        assert_eq!(desk.on(event).effects, []);
    }
    assert_eq!(desk.state.selected_in_words(), "Select all on this page");
    assert_eq!(Desk::with(&[]).on(Event::Step(1)).state.current, "");
}

#[test]
fn a_decision_shows_at_once_and_keys_move_on_to_the_next_report() {
    let mut desk = Desk::with(&["a", "b", "c"]);
    desk.on(Event::PointAt("b".to_owned())).on(Event::DecideHere(Approve));
    assert_eq!(desk.effects, [decide_on("b"), focus("c")]);
    assert_eq!(desk.status("b"), &RowStatus::Deciding(Approve));
    // The report cannot be decided on twice, clicks have no effect, and keys skip it.
    assert_eq!(desk.on(Event::Decide(Reject, "b".to_owned())).effects, []);
    assert_eq!(desk.on(Event::PointAt("b".to_owned())).effects, []);
    assert_eq!(desk.on(Event::Step(-1)).effects, [focus("a")]);
    desk.on(approved(&["b"], &[7]));
    assert_eq!(desk.ids(), ["a", "c"]);
    assert_eq!(desk.state.notice, "Approved b.");
    assert_eq!(desk.effects, [Effect::Refresh]);
    assert_eq!(desk.state.current, "a");
}

#[test]
fn after_the_last_report_keys_return_to_the_one_before() {
    let mut desk = Desk::with(&["a", "b"]);
    desk.on(Event::PointAt("b".to_owned())).on(Event::DecideHere(Approve));
    assert_eq!(desk.state.current, "a");
    desk.on(Event::DecideHere(Approve));
    assert_eq!(desk.state.current, "");
}

#[test]
fn a_click_on_a_button_moves_on_to_the_report_below() {
    let mut desk = Desk::with(&["a", "b", "c"]);
    desk.on(Event::PointAt("a".to_owned())).on(Event::Decide(Approve, "b".to_owned()));
    assert_eq!(desk.effects, [decide_on("b"), focus("c")]);
    // The click then bubbles to the row.
    assert_eq!(desk.on(Event::PointAt("b".to_owned())).effects, []);
    assert_eq!(desk.on(approved(&["b"], &[])).state.current, "c");
}

#[test]
fn selected_reports_are_decided_on_together() {
    let mut desk = Desk::with(&["a", "b", "c"]);
    desk.on(Event::Toggle("a".to_owned())).on(Event::Toggle("c".to_owned()));
    assert_eq!(desk.state.selected_in_words(), "2 selected");
    desk.on(Event::DecideHere(Approve));
    assert_eq!(desk.effects, [Effect::Decide(Approve, owned(&["a", "c"]))]);
    assert_eq!(desk.selected(), [""; 0]);
    desk.on(approved(&["a", "c"], &[]));
    assert_eq!(desk.state.notice, "Approved 2 reports.");
}

#[test]
fn a_decision_on_another_report_keeps_the_selection() {
    let mut desk = Desk::with(&["a", "b", "c"]);
    desk.on(Event::Toggle("a".to_owned())).on(Event::Decide(Approve, "b".to_owned()));
    assert_eq!(desk.selected(), ["a"]);
}

#[test]
fn every_report_means_those_that_can_be_decided_on() {
    let mut desk = Desk::with(&["a", "b", "c"]);
    desk.on(Event::Decide(Approve, "b".to_owned())).on(Event::ToggleEvery);
    assert_eq!(desk.selected(), ["a", "c"]);
    assert!(desk.state.is_every_selected());
    desk.on(Event::ToggleEvery);
    assert_eq!(desk.selected(), [""; 0]);
    assert!(!Desk::with(&[]).state.is_every_selected());
}

#[test]
fn a_refused_report_shows_the_reason_until_the_list_is_read_again() {
    let mut desk = Desk::with(&["a", "b"]);
    desk.on(Event::Toggle("a".to_owned())).on(Event::Toggle("b".to_owned()));
    desk.on(Event::DecideOnSelected(Approve));
    let refused = vec![Refused { id: "b".to_owned(), reason: "Jo rejected it".to_owned() }];
    let outcome = Outcome { changed: owned(&["a"]), refused, decisions: Vec::new() };
    desk.on(Event::Decided(Approve, owned(&["a", "b"]), Ok(outcome)));
    assert_eq!(desk.state.notice, "Approved a. b: Jo rejected it.");
    assert_eq!(desk.status("b"), &RowStatus::Gone("Jo rejected it".to_owned()));
    desk.on(Event::ToggleEvery).on(Event::Step(1));
    assert_eq!((desk.selected().len(), &*desk.state.current), (0, ""));
    desk.on(Event::Listed(desk.state.changes, list(&["b"])));
    assert_eq!(desk.status("b"), &RowStatus::Waiting, "somebody has reopened it");
}

#[test]
fn without_an_answer_reports_wait_again() {
    let mut desk = Desk::with(&["a", "b"]);
    desk.on(Event::Decide(Approve, "a".to_owned()));
    desk.on(Event::Decided(Approve, owned(&["a"]), Err("The service did not respond.".to_owned())));
    assert_eq!(desk.status("a"), &RowStatus::Waiting);
    assert_eq!(desk.state.notice, "The service did not respond.");
    assert_eq!(desk.effects, [Effect::Refresh], "it may have been decided");
    // A report that the answer leaves out does not stay in between.
    desk.on(Event::Decide(Approve, "b".to_owned()));
    desk.on(Event::Decided(Approve, owned(&["b"]), Ok(Outcome::default())));
    assert_eq!(desk.status("b"), &RowStatus::Waiting);
}

#[test]
fn an_answer_older_than_a_decision_is_ignored() {
    let mut desk = Desk::with(&["a", "b"]);
    let requested = desk.state.changes;
    desk.on(Event::Decide(Approve, "a".to_owned())).on(approved(&["a"], &[]));
    desk.on(Event::Listed(requested, list(&["a", "b"])));
    assert_eq!(desk.ids(), ["b"]);
    desk.on(Event::Listed(desk.state.changes, list(&["b", "c"])));
    assert_eq!(desk.ids(), ["b", "c"]);
}

#[test]
fn rows_stay_in_place_while_they_are_decided_on() {
    let mut desk = Desk::with(&["a", "b", "c"]);
    desk.on(Event::Decide(Approve, "b".to_owned()));
    let requested = desk.state.changes;
    desk.on(Event::Listed(requested, list(&["a", "b", "c"])));
    assert_eq!(desk.ids(), ["a", "b", "c"]);
    assert_eq!(desk.status("b"), &RowStatus::Deciding(Approve));
    // The server has decided, and its answer is on the way.
    desk.on(Event::Listed(requested, list(&["a", "c", "d"])));
    assert_eq!(desk.ids(), ["a", "b", "c", "d"]);
    desk.on(Event::Listed(requested, list(&[])));
    assert_eq!(desk.ids(), ["b"]);
}

#[test]
fn reports_that_others_decide_on_vanish_with_their_selection() {
    let mut desk = Desk::with(&["a", "b", "c"]);
    desk.on(Event::PointAt("b".to_owned()));
    desk.on(Event::Toggle("b".to_owned())).on(Event::Toggle("c".to_owned()));
    desk.on(Event::Listed(0, list(&["new", "a", "c"])));
    assert_eq!(desk.selected(), ["c"]);
    assert_eq!(desk.state.current, "c");
    assert_eq!(desk.effects, [Effect::KeepFocus("c".to_owned())]);
    assert_eq!(desk.on(Event::Listed(0, list(&["a", "c"]))).effects, []);
}

#[test]
fn a_corrected_report_gets_a_new_row_and_a_new_duplicate_does_not() {
    let mut desk = Desk::with(&["a"]);
    let key = desk.state.row("a").unwrap().key();
    let mut queue = list(&["a"]);
    let one = PossibleDuplicate { id: "b".to_owned(), status: "PENDING".to_owned() };
    queue.items[0].duplicates = vec![one];
    desk.on(Event::Listed(0, queue.clone()));
    assert_eq!(desk.state.row("a").unwrap().key(), key);
    assert_eq!(desk.state.row("a").unwrap().item.duplicates.len(), 1);
    queue.items[0].city = "Recife".to_owned();
    desk.on(Event::Listed(0, queue));
    assert_ne!(desk.state.row("a").unwrap().key(), key);
}

#[test]
fn undoing_means_the_last_decision_even_before_its_answer() {
    let mut desk = Desk::with(&["a", "b"]);
    desk.state.decisions = vec![decision(3)];
    desk.on(Event::Decide(Approve, "a".to_owned()));
    assert_eq!(desk.on(Event::UndoLast).effects, []);
    desk.on(approved(&["a"], &[4, 3]));
    assert_eq!(desk.effects, [Effect::Refresh, Effect::Undo(4)]);
    assert_eq!(desk.on(Event::UndoLast).effects, [Effect::Undo(3)]);
    desk.on(Event::UndoLast);
    assert_eq!(desk.state.notice, "There is nothing to undo.");
}

#[test]
fn answers_in_another_order_leave_the_decisions_in_order() {
    let mut desk = Desk::with(&["a", "b"]);
    desk.on(Event::Decide(Approve, "a".to_owned())).on(Event::Decide(Approve, "b".to_owned()));
    desk.on(approved(&["b"], &[8, 7])).on(approved(&["a"], &[7]));
    assert_eq!(desk.undoable(), [8, 7]);
}

#[test]
fn an_undone_decision_is_not_undone_twice() {
    let mut desk = Desk::with(&[]);
    desk.state.decisions = vec![decision(4), decision(3)];
    assert_eq!(desk.on(Event::Undo(4)).effects, [Effect::Undo(4)]);
    assert_eq!(desk.on(Event::Undo(4)).effects, []);
    let queue = Queue { decisions: vec![decision(4), decision(3)], ..Queue::default() };
    desk.on(Event::Listed(0, queue.clone()));
    assert_eq!(desk.undoable(), [3]);
    desk.on(Event::Undone(4, Err("Too late.".to_owned())));
    assert_eq!((&*desk.state.notice, &*desk.effects), ("Too late.", &[Effect::Refresh][..]));
    assert_eq!(desk.on(Event::Listed(1, queue)).undoable(), [4, 3]);
}

#[test]
fn nobody_decides_without_the_right_to() {
    let mut desk = Desk::with(&["a"]);
    desk.state.may_decide = false;
    assert_eq!(desk.on(Event::Decide(Approve, "a".to_owned())).effects, [], "nothing is sent");
    assert_eq!(desk.status("a"), &RowStatus::Waiting);
}

#[test]
fn the_next_page_is_that_of_the_latest_list() {
    let mut desk = Desk::with(&["a"]);
    let queue = Queue { next: Some("c_2".to_owned()), waiting: 1_234, ..list(&["b"]) };
    desk.on(Event::Listed(0, queue));
    assert_eq!(desk.state.next.as_deref(), Some("c_2"));
    assert_eq!(desk.state.waiting_in_words(), "1,234 reports wait for a decision.");
}
