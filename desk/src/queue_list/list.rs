use super::{
    reducer::{Effect, Event, reduce},
    state::{Connection, State},
};
use crate::{
    functions::{Correct, Decide, Look, Outcomes, SIGNED_OUT, Undo},
    model::{Correction, Outcome, Queue, Start, Verdict},
};
use kit::{
    dom::use_page_visible,
    form::{self, Refusal},
    json::FromJson,
    number::plain,
    refresh::{sleep, use_refresh},
    signals::{Var, effect},
    time::every,
};
use leptos::{prelude::*, server_fn::ServerFn, task::spawn_local};
use std::{sync::Arc, time::Duration};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Interval at which a visible list is read again.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Minimum time between two requests for the list, in milliseconds.
const REST: i32 = 100;
/// Start of the text with which a server function reports a reason to the person.
const REASON: &str = "ServerError|";

/// The list of a page. All copies share the same state.
#[derive(Clone, Copy)]
pub(super) struct List {
    state: Var<Arc<State>>,
    start: Var<Arc<Start>>,
    /// Number of requests to read the list at once.
    refreshes: Var<u32>,
}

impl List {
    pub(super) fn new(start: Arc<Start>) -> Self {
        let state = Var::new(Arc::new(State::new(&start)));
        let list = Self { state, start: Var::new(start), refreshes: Var::new(0) };
        list.keep_fresh();
        list.keep_title();
        list
    }

    /// The current state. Reactive.
    pub(super) fn state(self) -> Arc<State> {
        self.state.get()
    }

    /// Whether a correction is being typed.
    pub(super) fn is_editing(self) -> bool {
        self.state.get_untracked().editing.is_some()
    }

    pub(super) fn start(self) -> Arc<Start> {
        self.start.get_untracked()
    }

    pub(super) fn on(self, event: Event) {
        let (state, effects) = reduce((*self.state.get_untracked()).clone(), event);
        self.state.set(Arc::new(state));
        for effect in effects {
            self.perform(effect);
        }
    }

    fn perform(self, effect: Effect) {
        match effect {
            Effect::Decide(verdict, ids) => self.decide(verdict, "", ids),
            Effect::Reject(reason, ids) => self.decide(Verdict::Reject, &reason, ids),
            Effect::Undo(entry) => {
                let answer = self.call::<Undo>(&[("entry", &plain(entry.unsigned_abs()))]);
                spawn_local(async move {
                    let answer = answer.await;
                    let notice = answer.map(|notice| String::from_json(&notice));
                    self.on(Event::Undone(entry, notice.map_err(sentence)));
                });
            }
            Effect::Refresh => self.refreshes.set(self.refreshes.get_untracked() + 1),
            Effect::AskOutcome(ids) => {
                let start = self.start();
                let mut fields = vec![("status", &*start.status)];
                fields.extend(ids.iter().map(|id| ("ids[]", &**id)));
                let answer = self.call::<Outcomes>(&fields);
                spawn_local(async move {
                    let decided = answer.await.ok().map(|decided| FromJson::from_json(&decided));
                    self.on(Event::Told(decided));
                });
            }
            Effect::Focus(id) if id.is_empty() || row(&id).is_some() => focus(&id),
            // The row is rendered after this event.
            Effect::Focus(id) => spawn_local(async move {
                sleep(0).await;
                focus(&id);
            }),
            Effect::FocusField(id) => spawn_local(async move {
                sleep(0).await;
                let field = row(&id).and_then(|row| row.query_selector(".edit select").ok()?);
                if let Some(field) = field {
                    _ = field.unchecked_into::<HtmlElement>().focus();
                }
            }),
            Effect::Correct(id, correction) => self.correct(id, correction),
            Effect::KeepFocus(id) if row(&id).is_some_and(|row| has_focus(&row)) => {
                spawn_local(async move {
                    sleep(0).await;
                    focus(&id);
                });
            }
            Effect::KeepFocus(_) => {}
            Effect::Open(id) => {
                if let Some(link) = row(&id).and_then(|row| row.query_selector("a.open").ok()?) {
                    link.unchecked_into::<HtmlElement>().click();
                }
            }
        }
    }

    fn decide(self, verdict: Verdict, reason: &str, ids: Vec<String>) {
        let mut fields = vec![("step", verdict.as_str()), ("reason", reason)];
        fields.extend(ids.iter().map(|id| ("ids[]", &**id)));
        let answer = self.call::<Decide>(&fields);
        spawn_local(async move {
            let answer = answer.await;
            let outcome = answer.map(|outcome| Outcome::from_json(&outcome));
            self.on(Event::Decided(verdict, ids, outcome.map_err(sentence)));
        });
    }

    fn correct(self, id: String, correction: Correction) {
        let mut fields = vec![("id", &*id)];
        fields.extend(correction.fields());
        let answer = self.call::<Correct>(&fields);
        spawn_local(async move {
            let answer = answer.await.map(|_| ()).map_err(sentence);
            self.on(Event::Corrected(id, correction, answer));
        });
    }

    /// Sends the fields of a form to its server function.
    fn call<F: ServerFn>(self, fields: &[(&str, &str)]) -> form::Answer {
        form::send(&[&self.start().base_path, F::PATH].concat(), fields)
    }

    /// Reads the list at intervals while the page is visible, and after each change.
    fn keep_fresh(self) {
        let visible = use_page_visible();
        effect(move |_| {
            let refresh = use_refresh(REST, Some(visible), move || {
                let state = self.state.get_untracked();
                let (query, changes) = (&self.start().query, state.changes);
                let answer = self.call::<Look>(&[
                    ("query", query),
                    ("version", &state.version),
                    ("current", &state.current),
                ]);
                Box::pin(async move {
                    self.on(match answer.await {
                        Ok(queue) if queue.is_null() => Event::Connected(Connection::Live),
                        Ok(queue) => Event::Listed(changes, Queue::from_json(&queue)),
                        Err(Refusal::Text(text)) if text == SIGNED_OUT => {
                            Event::Connected(Connection::SignedOut)
                        }
                        Err(_) => Event::Connected(Connection::Away),
                    });
                })
            });
            let poll = refresh.clone();
            every(POLL_INTERVAL, move || poll.request());
            effect(move |is_first| {
                self.refreshes.get();
                if !is_first {
                    refresh.request();
                }
            });
        });
    }

    /// Shows the number of waiting reports in the title, which is visible while the page is not.
    fn keep_title(self) {
        effect(move |_| {
            let own = document().title();
            effect(move |_| {
                let title = self.state.get().title(&own);
                if document().title() != title {
                    document().set_title(&title);
                }
            });
        });
    }
}

fn sentence(refusal: Refusal) -> String {
    match refusal {
        Refusal::Text(text) if text.starts_with(REASON) => text.replacen(REASON, "", 1),
        _ => "The service did not respond. If anything was changed, it will appear in a moment."
            .to_owned(),
    }
}

fn list_element() -> Option<Element> {
    document().query_selector(".reports").ok()?
}

fn row(id: &str) -> Option<Element> {
    let rows = list_element()?.children();
    let mut rows = (0..rows.length()).filter_map(|index| rows.item(index));
    rows.find(|row| row.get_attribute("data-id").as_deref() == Some(id))
}

/// Focuses a row unless the focus is on a field or button of it; without an id, focuses the list.
fn focus(id: &str) {
    let Some(row) = row(id).or_else(list_element) else { return };
    if !has_focus(&row) {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        row.scroll_into_view_with_scroll_into_view_options(&options);
        _ = row.unchecked_into::<HtmlElement>().focus();
    }
}

/// Whether the focus is on an element or within it.
fn has_focus(element: &Element) -> bool {
    let focused = document().active_element();
    element.contains(focused.as_ref().map(AsRef::as_ref))
}
