//! The list of the queue. The server renders it as a form that works without scripts. In the
//! browser, the island hydrates that markup: decisions show at once, keys work, and decisions of
//! others appear within [`POLL_INTERVAL`].

pub(super) mod keys;
mod list;
mod row;
#[cfg(feature = "ssr")]
pub(super) use self::row::encoded;

use self::{
    keys::use_keys,
    list::{List, QueueItem},
    row::Row,
};
use super::{
    functions::{Decide, Undo},
    model::{Decision, Start, Verdict},
};
use leptos::{ev::MouseEvent, prelude::*, server_fn::ServerFn};
use std::{sync::Arc, time::Duration};

/// Interval at which a visible list is refreshed.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// The island.
#[island]
pub fn QueueBoard() -> impl IntoView {
    let start = start();
    let list = List::new(&start);
    use_keys(list);
    list.keep_fresh(POLL_INTERVAL);
    let Start { base_path, query, may_decide, .. } = &*start;
    let may_decide = *may_decide;
    let back = if query.is_empty() { "/desk".to_owned() } else { format!("/desk?{query}") };
    let action = [base_path.as_str(), Decide::PATH].concat();
    let (undo, undo_back) = ([base_path.as_str(), Undo::PATH].concat(), back.clone());
    let base = base_path.clone();
    let labels = start.clone();
    let row = move |shown: QueueItem| {
        let label = labels.label(&shown.item.kind);
        view! { <Row shown=shown list=list label=label may_decide=may_decide base=base.clone() /> }
    };
    let bulk = |verdict: Verdict, name: &'static str| {
        view! {
            <button
                type="submit"
                name="step"
                value=verdict.as_str()
                class=verdict.as_str()
                on:click=move |event: MouseEvent| {
                    event.prevent_default();
                    list.decide_on_selected(verdict);
                }
            >
                {name}
            </button>
        }
    };
    let decision = move |decision: Decision| {
        let entry = decision.entry;
        view! {
            <li>
                <span>{decision.verdict.done()} " " <b>{decision.subject}</b></span>
                <form method="post" action=undo.clone()>
                    <input type="hidden" name="entry" value=entry.to_string() />
                    <input type="hidden" name="back" value=undo_back.clone() />
                    <button
                        type="submit"
                        on:click=move |event: MouseEvent| {
                            event.prevent_default();
                            list.undo(Some(entry));
                        }
                    >
                        "Undo"
                    </button>
                </form>
            </li>
        }
    };
    view! {
        <p class="waiting">{move || list.waiting_in_words()}</p>
        <p class="told" role="status">
            {move || list.notice.get()}
        </p>
        <form class="queue" method="post" action=action>
            <input type="hidden" name="back" value=back />
            <div class="bulk" hidden=!may_decide>
                <label>
                    <input
                        type="checkbox"
                        class="every"
                        prop:checked=move || list.is_every_selected()
                        on:click=move |_: MouseEvent| list.select_every()
                    />
                    <span class="selected">{move || list.selected_in_words()}</span>
                </label>
                {bulk(Verdict::Approve, "Approve selected")}
                {bulk(Verdict::Reject, "Reject selected")}
            </div>
            <ol class="reports">
                <For each=move || list.shown.get() key=QueueItem::key children=row />
            </ol>
        </form>
        <p class="empty" hidden=move || !list.shown.get().is_empty()>
            "Nothing waits here."
        </p>
        <section class="decisions" hidden=move || list.decisions.get().is_empty()>
            <h2>"You have just decided"</h2>
            <ol>
                <For each=move || list.decisions.get() key=|one| one.entry children=decision />
            </ol>
        </section>
    }
}

/// Initial state of the list: from the context on the server, from the page in the browser.
fn start() -> Arc<Start> {
    #[cfg(feature = "ssr")]
    if let Some(start) = use_context() {
        return start;
    }
    let page = document().get_element_by_id(super::model::STATE);
    let json = page.and_then(|element| element.text_content()).unwrap_or_default();
    Arc::new(serde_json::from_str(&json).unwrap_or_default())
}
