mod random;

use super::{Effect, Event, reduce};
use crate::{
    model::{
        Correction, Decision, Item, Other, Outcome, Position, PossibleDuplicate, Queue, Refused,
        Start, Verdict,
    },
    queue_list::state::{Connection, RowStatus, State},
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
        let status = "PENDING".to_owned();
        let start = Start { queue, may_decide: true, status, ..Start::default() };
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
    Decision {
        entry,
        text: "Approved a.".to_owned(),
        only: Some("a".to_owned()),
        at: String::new(),
    }
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
    assert_eq!(desk.on(Event::Next).effects, [focus("a")]);
    assert_eq!(desk.on(Event::Next).effects, [focus("b")]);
    desk.on(Event::Next).on(Event::Next);
    assert_eq!(desk.state.current, "c");
    desk.on(Event::Previous).on(Event::Previous).on(Event::Previous);
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
    assert_eq!(Desk::with(&[]).on(Event::Next).state.current, "");
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
    assert_eq!(desk.on(Event::Previous).effects, [focus("a")]);
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
    assert_eq!(desk.effects, [decide_on("a"), focus("")], "keys go on acting, such as undo");
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
fn shift_selects_a_range_of_reports_that_can_be_decided_on() {
    let mut desk = Desk::with(&["a", "b", "c", "d", "e"]);
    desk.on(Event::Decide(Approve, "c".to_owned()));
    desk.on(Event::Toggle("d".to_owned())).on(Event::SelectTo("b".to_owned()));
    assert_eq!(desk.selected(), ["b", "d"]);
    desk.on(Event::SelectTo("a".to_owned()));
    assert_eq!(desk.selected(), ["a", "b", "d"]);
    // Without a beginning, only the report itself.
    let mut desk = Desk::with(&["a", "b", "c"]);
    desk.on(Event::SelectTo("b".to_owned()));
    assert_eq!(desk.selected(), ["b"]);
    let mut desk = Desk::with(&["a", "b", "c"]);
    desk.on(Event::PointAt("a".to_owned())).on(Event::Extend(true));
    assert_eq!((desk.selected(), &*desk.state.current), (vec!["a", "b"], "b"));
    desk.on(Event::Extend(true)).on(Event::Extend(true));
    assert_eq!((desk.selected(), &*desk.state.current), (vec!["a", "b", "c"], "c"));
}

#[test]
fn two_people_who_begin_at_the_top_get_different_halves() {
    let others = |ids: &[&str]| {
        let other = |id: &&str| Other { who: "Jo".to_owned(), id: (*id).to_owned() };
        ids.iter().map(other).collect::<Vec<_>>()
    };
    let rows = ["a", "b", "c", "d", "e", "f", "g", "h"];
    for (taken, first) in [
        (&[][..], "a"),
        (&["a"], "e"),
        (&["d"], "a"),
        (&["b"], "f"),
        (&["a", "e"], "c"),
        (&["not in this list"], "a"),
    ] {
        let mut desk = Desk::with(&rows);
        desk.on(Event::Listed(0, Queue { others: others(taken), ..list(&rows) }));
        assert_eq!(desk.on(Event::Next).state.current, first, "{taken:?}");
    }
    let mut desk = Desk::with(&rows);
    desk.on(Event::Listed(0, Queue { others: others(&["b"]), ..list(&rows) }));
    assert_eq!(desk.state.others_in_words("b"), "Jo is looking at this.");
    assert_eq!(desk.state.others_in_words("a"), "");
}

#[test]
fn a_report_is_rejected_with_a_reason() {
    let mut desk = Desk::with(&["a", "b", "c"]);
    desk.on(Event::PointAt("b".to_owned())).on(Event::RejectHere("Test".to_owned()));
    let rejected = Effect::Reject("Test".to_owned(), owned(&["b"]));
    assert_eq!(desk.effects, [rejected, Effect::Focus("c".to_owned())]);
    desk.on(Event::Toggle("a".to_owned())).on(Event::RejectHere("Test".to_owned()));
    assert_eq!(desk.effects, [Effect::Reject("Test".to_owned(), owned(&["a"]))]);
}

#[test]
fn a_list_offers_only_the_decisions_of_its_status() {
    let mut desk = Desk::with(&["a", "b"]);
    desk.state.list_status = "APPROVED".to_owned();
    desk.on(Event::PointAt("a".to_owned()));
    assert_eq!(desk.on(Event::DecideHere(Approve)).effects, []);
    assert_eq!(desk.on(Event::RejectHere("Test".to_owned())).effects, []);
    let withdrawn = Effect::Decide(Verdict::Withdraw, owned(&["a"]));
    assert_eq!(desk.on(Event::DecideHere(Verdict::Withdraw)).effects[0], withdrawn);
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
fn a_refused_report_shows_the_reason_until_it_waits_again() {
    let mut desk = Desk::with(&["a", "b"]);
    desk.on(Event::Toggle("a".to_owned())).on(Event::Toggle("b".to_owned()));
    desk.on(Event::DecideOnSelected(Approve));
    let refused = vec![Refused { id: "b".to_owned(), reason: "Jo rejected it".to_owned() }];
    let outcome = Outcome { changed: owned(&["a"]), refused, decisions: Vec::new() };
    desk.on(Event::Decided(Approve, owned(&["a", "b"]), Ok(outcome)));
    assert_eq!(desk.state.notice, "Approved a. b: Jo rejected it.");
    assert_eq!(desk.status("b"), &RowStatus::Gone("Jo rejected it".to_owned()));
    desk.on(Event::ToggleEvery).on(Event::Next);
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
    assert_eq!(desk.effects, [], "nobody else has decided on it");
}

#[test]
fn a_report_that_somebody_else_decides_on_stays_and_names_them() {
    let mut desk = Desk::with(&["a", "b", "c"]);
    desk.on(Event::PointAt("b".to_owned()));
    desk.on(Event::Toggle("b".to_owned())).on(Event::Toggle("c".to_owned()));
    desk.on(Event::Listed(0, list(&["a", "c"])));
    assert_eq!(desk.effects, [Effect::AskOutcome(owned(&["b"]))]);
    let reason = "Jo approved it".to_owned();
    desk.on(Event::Told(Some(vec![Refused { id: "b".to_owned(), reason: reason.clone() }])));
    assert_eq!((desk.ids(), &*desk.state.current), (vec!["a", "b", "c"], "b"));
    assert_eq!((desk.status("b"), &*desk.effects), (&RowStatus::Gone(reason), &[][..]));
    assert_eq!(desk.selected(), ["c"]);
    // The next key does not hit another report.
    desk.on(Event::Toggle("c".to_owned())).on(Event::DecideHere(Approve));
    assert_eq!((&*desk.effects, &*desk.state.notice), (&[][..], "b: Jo approved it."));
    assert_eq!(desk.on(Event::ToggleCurrent).selected(), [""; 0]);
    // Keys skip it, from it and to it.
    assert_eq!(desk.on(Event::Next).effects, [focus("c")]);
    assert_eq!(desk.on(Event::Previous).effects, [focus("a")]);
    assert_eq!(desk.on(Event::Listed(0, list(&["a", "c"]))).effects, [], "it is known");
}

#[test]
fn a_report_that_is_only_on_another_page_now_still_waits() {
    let mut desk = Desk::with(&["a", "b"]);
    desk.on(Event::Listed(0, list(&["x", "y"])));
    assert_eq!(desk.effects, [Effect::AskOutcome(owned(&["a", "b"]))]);
    desk.on(Event::Told(Some(Vec::new())));
    assert_eq!((desk.ids(), desk.state.arrived()), (vec!["a", "b"], 2));
    assert_eq!(desk.status("a"), &RowStatus::Waiting);
    // Without an answer, the whole list is requested next.
    desk.state.version = "7".to_owned();
    assert_eq!(desk.on(Event::Told(None)).state.version, "");
}

#[test]
fn new_reports_wait_until_they_are_asked_for() {
    let mut desk = Desk::with(&["b", "c"]);
    desk.on(Event::PointAt("c".to_owned()));
    desk.on(Event::Listed(0, list(&["new", "b", "between", "c", "below"])));
    assert_eq!(desk.ids(), ["b", "c", "below"], "what is read does not move");
    assert_eq!(desk.state.arrived_in_words(), "Show 2 new reports");
    assert_eq!((&*desk.state.current, &*desk.effects), ("c", &[][..]));
    desk.on(Event::ShowArrived);
    assert_eq!(desk.ids(), ["new", "b", "between", "c", "below"]);
    assert_eq!((desk.state.arrived(), &*desk.effects), (0, &[focus("new")][..]));
    assert_eq!(desk.on(Event::ShowArrived).effects, []);
}

#[test]
fn new_reports_show_at_once_if_nothing_is_being_read() {
    let mut desk = Desk::with(&[]);
    assert_eq!(desk.on(Event::Listed(0, list(&["a", "b"]))).ids(), ["a", "b"]);
    let mut desk = Desk::with(&["a"]);
    desk.on(Event::Decide(Approve, "a".to_owned())).on(Event::Listed(0, list(&["b"])));
    assert_eq!((desk.ids(), desk.state.arrived()), (vec!["a", "b"], 0));
}

#[test]
fn showing_new_reports_neither_empties_the_list_nor_returns_decided_ones() {
    let mut desk = Desk::with(&["a", "b"]);
    assert_eq!(desk.on(Event::ShowArrived).ids(), ["a", "b"]);
    desk.on(Event::Listed(0, list(&["new", "a", "b"])));
    desk.on(Event::Decide(Approve, "a".to_owned())).on(approved(&["a"], &[]));
    assert_eq!(desk.on(Event::ShowArrived).ids(), ["new", "b"]);
}

#[test]
fn undone_reports_return_to_their_places() {
    let mut desk = Desk::with(&["b", "c"]);
    desk.state.decisions = vec![decision(3)];
    assert_eq!(desk.on(Event::Undo(3)).effects, [Effect::Undo(3), focus("")]);
    desk.on(Event::Undone(3, Ok("Undone.".to_owned())));
    desk.on(Event::Listed(desk.state.changes, list(&["a", "b", "c"])));
    assert_eq!((desk.ids(), desk.state.arrived()), (vec!["a", "b", "c"], 0));
    desk.on(Event::Listed(desk.state.changes, list(&["new", "a", "b", "c"])));
    assert_eq!(desk.state.arrived(), 1, "only once");
}

#[test]
fn a_list_that_cannot_be_read_says_so_until_it_can() {
    let mut desk = Desk::with(&["a"]);
    desk.on(Event::Connected(Connection::Away));
    assert!(desk.state.connection_in_words().starts_with("The service does not respond."));
    assert_eq!(desk.on(Event::Connected(Connection::Live)).state.connection_in_words(), "");
    assert!(desk.on(Event::Connected(Connection::SignedOut)).state.is_signed_out());
    assert_eq!(desk.on(Event::Listed(9, list(&[]))).state.connection, Connection::Live);
}

#[test]
fn a_row_has_the_latest_values_and_duplicates() {
    let mut desk = Desk::with(&["a"]);
    let mut queue = list(&["a"]);
    let (id, status) = ("b".to_owned(), "PENDING".to_owned());
    let one = PossibleDuplicate { id, status, comparison: "the same day".to_owned() };
    queue.items[0].duplicates = vec![one];
    queue.items[0].more_duplicates = 2;
    queue.items[0].city = "Recife".to_owned();
    desk.on(Event::Listed(0, queue.clone()));
    assert_eq!(desk.state.row("a").unwrap().item, queue.items[0]);
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
    assert_eq!(desk.on(Event::Undo(4)).effects, [Effect::Undo(4), focus("")]);
    assert_eq!(desk.on(Event::Undo(4)).effects, [focus("")]);
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
    let queue = Queue { next: Some("c_2".to_owned()), total: Some(1_234), ..list(&["b"]) };
    desk.on(Event::Listed(0, queue));
    assert_eq!(desk.state.next.as_deref(), Some("c_2"));
    assert_eq!(desk.state.total_in_words(), "1,234 reports wait for a decision.");
}

/// A correction of the city.
fn correction(city: &str) -> Correction {
    Correction { city: city.to_owned(), people: "3".to_owned(), ..Correction::default() }
}

/// Opens the fields that correct a report.
fn editing(ids: &[&str], id: &str) -> Desk {
    let mut desk = Desk::with(ids);
    desk.on(Event::PointAt(id.to_owned())).on(Event::EditCurrent);
    desk
}

#[test]
fn a_report_is_corrected_in_its_row() {
    let mut desk = editing(&["a", "b"], "a");
    assert_eq!(desk.effects, [Effect::FocusField("a".to_owned())]);
    assert!(desk.state.is_edited("a") && !desk.state.is_edited("b"));
    for id in ["a", "b"] {
        desk.on(Event::Edit(id.to_owned()));
        assert_eq!(desk.effects, [Effect::FocusField("a".to_owned())], "only one is open");
    }
    desk.on(Event::Save(correction("Oslo")));
    assert_eq!(desk.effects, [Effect::Correct("a".to_owned(), correction("Oslo"))]);
    assert_eq!(desk.on(Event::Save(correction("Oslo"))).effects, [], "it is on the way");
    let typed =
        Correction { lat: "59.9".to_owned(), lng: "10.75".to_owned(), ..correction("Oslo") };
    desk.on(Event::Corrected("a".to_owned(), typed, Ok(())));
    assert_eq!(desk.effects, [Effect::KeepFocus("a".to_owned()), Effect::Refresh]);
    let row = desk.state.row("a").unwrap();
    assert_eq!((&*row.item.city, row.item.people, &*row.item.id), ("Oslo", 3, "a"));
    assert_eq!(row.item.position, Some(Position { lat: 59.9, lng: 10.75 }));
    assert_eq!((&desk.state.editing, &*desk.state.notice), (&None, "Corrected a."));
}

#[test]
fn a_refused_correction_stays_with_its_reason() {
    let mut desk = editing(&["a"], "a");
    desk.on(Event::Save(correction("")));
    desk.on(Event::Corrected("a".to_owned(), correction(""), Err("city: missing.".to_owned())));
    assert_eq!(desk.state.editing.as_ref().unwrap().error, "city: missing.");
    assert_eq!(desk.effects, [Effect::Refresh], "the focus stays in the field");
    assert_eq!(desk.state.row("a").unwrap().item.city, "Campinas");
    desk.on(Event::Save(correction("Oslo")));
    assert_eq!(desk.effects, [Effect::Correct("a".to_owned(), correction("Oslo"))]);
    assert_eq!(desk.state.editing.as_ref().unwrap().error, "");
    // The fields were closed before the answer.
    desk.on(Event::StopEditing);
    desk.on(Event::Corrected("a".to_owned(), correction("Oslo"), Err("Lost.".to_owned())));
    assert_eq!((&desk.state.editing, &*desk.state.notice), (&None, "Lost."));
}

#[test]
fn what_is_typed_stays_whatever_others_do() {
    let mut desk = editing(&["a", "b"], "a");
    let item = desk.state.row("a").unwrap().item.clone();
    let mut queue = list(&["a", "b"]);
    queue.items[0].city = "Recife".to_owned();
    desk.on(Event::Listed(0, queue));
    assert_eq!(desk.state.row("a").unwrap().item, item, "the row does not change");
    desk.on(Event::Listed(0, list(&["new", "b"])));
    assert_eq!(desk.effects, [Effect::AskOutcome(owned(&["a"]))]);
    let refused = Refused { id: "a".to_owned(), reason: "Jo approved it".to_owned() };
    desk.on(Event::Told(Some(vec![refused]))).on(Event::ShowArrived);
    assert_eq!(desk.ids(), ["a", "new", "b"]);
    assert_eq!(desk.status("a"), &RowStatus::Gone("Jo approved it".to_owned()));
    assert_eq!((&desk.state.row("a").unwrap().item, desk.state.is_edited("a")), (&item, true));
    desk.on(Event::Save(correction("Oslo")));
    assert_eq!(desk.effects, [Effect::Correct("a".to_owned(), correction("Oslo"))]);
}

#[test]
fn a_report_is_not_decided_on_while_it_is_corrected() {
    let mut desk = editing(&["a", "b"], "a");
    desk.on(Event::ToggleEvery).on(Event::DecideOnSelected(Approve));
    assert_eq!(desk.effects[0], decide_on("b"));
    assert_eq!(desk.on(Event::Decide(Approve, "a".to_owned())).effects, []);
    desk.on(Event::StopEditing);
    assert_eq!(desk.effects, [Effect::KeepFocus("a".to_owned())]);
    assert_eq!(desk.on(Event::DecideHere(Approve)).effects[0], decide_on("a"));
}

#[test]
fn closing_the_fields_shows_what_others_have_corrected_since() {
    let mut desk = editing(&["a"], "a");
    let mut queue = list(&["a"]);
    queue.items[0].city = "Recife".to_owned();
    desk.on(Event::Listed(0, queue)).on(Event::StopEditing);
    assert_eq!(desk.state.row("a").unwrap().item.city, "Recife");
    assert_eq!(desk.on(Event::StopEditing).effects, []);
}

#[test]
fn only_a_waiting_report_is_corrected_and_only_with_the_right_to() {
    let mut desk = Desk::with(&["a"]);
    assert_eq!(desk.on(Event::EditCurrent).effects, [], "there is no current report");
    desk.on(Event::PointAt("a".to_owned()));
    desk.state.may_decide = false;
    assert_eq!(desk.on(Event::EditCurrent).effects, []);
    desk.state.may_decide = true;
    desk.on(Event::DecideHere(Approve)).on(Event::EditCurrent);
    assert_eq!(desk.state.editing, None);
}
