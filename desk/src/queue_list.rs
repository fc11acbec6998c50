//! The list of the queue. The server renders it as a form that works without scripts. In the
//! browser, the island hydrates that markup: decisions show at once, keys work, and decisions of
//! others appear within seconds. [`reducer`] has its logic, [`list`] connects it with the browser.

mod editor;
mod keys;
mod list;
mod reducer;
mod row;
mod state;
#[cfg(feature = "ssr")]
pub(super) use self::{
    reducer::in_words,
    row::{anchor, encoded},
};

use self::{
    keys::Keys,
    list::List,
    reducer::Event,
    row::{ListRow, encoded as encode},
    state::Row,
};
use super::{
    functions::{Decide, Undo},
    model::{Decision, Start, Verdict},
};
use crate::words::{
    common::{MORE, UNDO},
    list::{CORRECT_SELECTED, JUST_DECIDED, PAGES, REPORTS_LABEL, SIGN_IN, TO_THE_START},
    t,
};
use kit::{
    number::plain,
    signals::{Var, effect, flag, text},
};
use leptos::{ev::MouseEvent, prelude::*, server_fn::ServerFn};

/// The island.
#[island]
pub fn QueueBoard() -> impl IntoView {
    let start = Start::get();
    let list = List::new(start.clone());
    let Start { base_path, query, may_decide, first_page, next_page, .. } = &*start;
    let back = if query.is_empty() { "/desk".to_owned() } else { ["/desk?", query].concat() };
    let action = [base_path, Decide::PATH].concat();
    let correct = [base_path, "/desk/correct"].concat();
    let undo = ([base_path, Undo::PATH].concat(), back.clone());
    let next = next_page.clone();
    let next = move || {
        let cursor = list.state().next.as_deref().map(encode).unwrap_or_default();
        [&*next, &*cursor].concat()
    };
    let sign_in = ["/desk/sign-in?back=", &*encode(&back)].concat();
    let sign_in = [&**base_path, &*sign_in].concat();
    let is_only_page = first_page.is_empty();
    let may_decide = *may_decide;
    let is_scripted = Var::new(false);
    effect(move |_| is_scripted.set(true));
    let bulk = |verdict: Verdict| {
        view! {
            <button
                type="submit"
                name="step"
                value=verdict.as_str()
                class=verdict.as_str()
                on:click=move |event: MouseEvent| {
                    event.prevent_default();
                    list.on(Event::DecideOnSelected(verdict));
                }
            >
                {t(verdict.of_selected())}
            </button>
        }
    };
    let decision = move |decision: Decision| {
        let (action, back) = undo.clone();
        view! { <Undoable decision=decision list=list action=action back=back /> }
    };
    view! {
        <p class="waiting">{text(move || list.state().total_in_words())}</p>
        <p class="told" role="status">
            {text(move || list.state().notice.clone())}
        </p>
        <div class="tray">
            <p role="status" hidden=flag(move || list.state().is_live())>
                {text(move || list.state().connection_in_words())}
                " "
                <a href=sign_in hidden=flag(move || !list.state().is_signed_out())>
                    {t(SIGN_IN)}
                </a>
            </p>
            <button
                type="button"
                class="main"
                hidden=flag(move || list.state().arrived() == 0)
                on:click=move |_: MouseEvent| list.on(Event::ShowArrived)
            >
                {text(move || list.state().arrived_in_words())}
            </button>
        </div>
        <form class="queue" method="post" action=action>
            <input type="hidden" name="back" value=back />
            <div
                class="bulk"
                hidden=flag(move || !may_decide || list.state().rows.is_empty())
            >
                <label hidden=flag(move || !is_scripted.get())>
                    <input
                        type="checkbox"
                        class="every"
                        prop:checked=flag(move || list.state().is_every_selected())
                        on:click=move |_: MouseEvent| list.on(Event::ToggleEvery)
                    />
                    <span class="selected">{text(move || list.state().selected_in_words())}</span>
                </label>
                {Verdict::possible(&start.status)
                    .iter()
                    .map(|verdict| bulk(*verdict))
                    .collect::<Vec<_>>()}
                <button type="submit" formmethod="get" formaction=correct name="selected" value="1">
                    {t(CORRECT_SELECTED)}
                </button>
            </div>
            <ol class="reports" tabindex="0" aria-label=t(REPORTS_LABEL)>
                <For
                    each=move || list.state().rows.clone()
                    key=|row: &Row| row.item.id.clone()
                    children=move |row| view! { <ListRow row=row list=list /> }
                />
            </ol>
        </form>
        <nav
            class="on"
            aria-label=t(PAGES)
            hidden=flag(move || is_only_page && list.state().next.is_none())
        >
            <a href=(!is_only_page).then(|| first_page.clone()) hidden=is_only_page>
                {t(TO_THE_START)}
            </a>
            <a href=text(next) hidden=flag(move || list.state().next.is_none())>
                {t(MORE)}
            </a>
        </nav>
        <section class="decisions" hidden=flag(move || list.state().decisions.is_empty())>
            <h2>{t(JUST_DECIDED)}</h2>
            <ol>
                <For
                    each=move || list.state().decisions.clone()
                    key=|one| one.entry
                    children=decision
                />
            </ol>
        </section>
        <Keys list=list />
    }
}

/// A decision that can be undone.
#[component]
fn Undoable(
    decision: Decision,
    list: List,
    /// URL of the form.
    action: String,
    back: String,
) -> impl IntoView {
    let Decision { entry, text, .. } = decision;
    view! {
        <li>
            <span>{text}</span>
            <form method="post" action=action>
                <input type="hidden" name="entry" value=plain(entry.unsigned_abs()) />
                <input type="hidden" name="back" value=back />
                <button
                    type="submit"
                    on:click=move |event: MouseEvent| {
                        event.prevent_default();
                        list.on(Event::Undo(entry));
                    }
                >
                    {t(UNDO)}
                </button>
            </form>
        </li>
    }
}
