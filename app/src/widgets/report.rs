//! The widget with a form: visitors report an event.
//!
//! [`ReportBoard`] is rendered twice from one view, like other widgets, but has no live data. Without scripts, the form
//! is a plain one, and the server renders it again with what is wrong, or with thanks. With them, [`send`] submits it
//! by the API with a [proof of work](proof), and [`places`] suggests cities.

#[cfg(feature = "ssr")]
mod document;
mod form;
mod places;
mod proof;
mod send;
pub(crate) mod words;

#[cfg(feature = "ssr")]
pub(super) use document::FORM;

use self::{
    form::{FIELDS, ReportState, problem},
    places::use_places,
    send::{Sent, send},
    words as texts,
};
use crate::{
    contract::page_state::InitialState,
    html::escaped,
    words::{Wording, name_of},
};
use kit::{
    dom::use_listener,
    signals::{Var, cleanup, effect, flag, later, text},
};
use leptos::{
    ev::MouseEvent,
    html::{Button, Form, Section},
    prelude::*,
    task::spawn_local,
};
use model::ReportType;
use std::{cell::Cell, rc::Rc, sync::Arc};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlFormElement};

/// Field of the form, without its input.
#[derive(Clone, Copy)]
struct Fields {
    faults: Var<Vec<String>>,
    wording: Wording,
}

impl Fields {
    fn is_faulty(self, name: &'static str) -> bool {
        self.faults.read().iter().any(|faulty| faulty == name)
    }

    /// Text below a field about its fault; empty if there is none.
    fn fault(self, name: &'static str) -> impl IntoView + use<> {
        let said = FIELDS.iter().find(|(field, _)| *field == name);
        let said = said.map_or_else(String::new, |(_, word)| self.wording.text(*word));
        let said = move || if self.is_faulty(name) { said.clone() } else { String::new() };
        view! {
            <p class="fault" id=["fault-", name].concat()>
                {text(said)}
            </p>
        }
    }

    /// A field with one line.
    fn line(
        self,
        name: &'static str,
        label: kit::words::Word,
        value: &str,
        today: &str,
    ) -> impl IntoView + use<> {
        let label = self.wording.text(label);
        let (kind, most) = match name {
            "peopleCount" => ("number", "7"),
            "eventDate" => ("date", "10"),
            "contact" => ("text", "200"),
            _ => ("text", "256"),
        };
        let list = (name == "city").then_some("cities");
        let most_of_date = (name == "eventDate").then(|| today.to_owned());
        view! {
            <div class=name>
                <label>
                    <span>{label}</span>
                    <input
                        type=kind
                        name=name
                        value=value.to_owned()
                        max=most_of_date
                        maxlength=most
                        list=list
                        required=name != "contact"
                        autocomplete="off"
                        dir="auto"
                        aria-describedby=["fault-", name].concat()
                        aria-invalid=text(move || self.is_faulty(name).to_string())
                    />
                </label>
                {self.fault(name)}
            </div>
        }
    }
}

/// The island: the form, and thanks for what was sent.
#[component]
pub fn ReportBoard() -> impl IntoView {
    let initial = InitialState::get();
    let state = ReportState::get();
    let wording = Wording::new(&initial.words);
    let content = match state.is_on {
        true => whole(&initial, &state, wording).into_any(),
        false => view! { <p class="none">{wording.text(texts::TAKES_NONE)}</p> }.into_any(),
    };
    view! {
        <h1>
            <bdi class="label">{initial.heading.clone()}</bdi>
        </h1>
        {content}
    }
}

fn whole(
    initial: &Arc<InitialState>,
    state: &Arc<ReportState>,
    wording: Wording,
) -> impl IntoView + use<> {
    let fields = Fields { faults: Var::new(state.faults.clone()), wording };
    let (trouble, sent) = (Var::new(state.problem.clone()), Var::new(state.sent.clone()));
    let is_busy = Var::new(false);
    let (form, thanks) = (NodeRef::<Form>::new(), NodeRef::<Section>::new());
    let submit = NodeRef::<Button>::new();
    let base_path = initial.base_path.clone();
    effect(move |_| {
        let (Some(form), Some(submit)) = (form.get_untracked(), submit.get_untracked()) else {
            return;
        };
        // Faults are shown beside the fields, in the language of the page.
        form.set_no_validate(true);
        use_places(&form);
        let (element, base_path) = (form.clone(), base_path.clone());
        let is_over = Rc::new(Cell::new(false));
        let over = is_over.clone();
        cleanup(move || over.set(true));
        // Not `submit`, which a sandbox without `allow-forms` prevents. Enter in a field is a click, too.
        use_listener(&submit, "click", move |event| {
            event.prevent_default();
            if is_busy.get_untracked() {
                return;
            }
            is_busy.set(true);
            trouble.set(String::new());
            let (form, base_path) = (element.clone(), base_path.clone());
            let is_over = is_over.clone();
            spawn_local(async move {
                let result = send(&form, &base_path).await;
                // The page may have replaced the form in the meantime, and its signals are gone.
                if is_over.get() {
                    return;
                }
                match result {
                    Sent::Accepted(id) => {
                        fields.faults.set(Vec::new());
                        sent.set(id);
                        later_focus(move || thanks.get_untracked().map(JsCast::unchecked_into));
                    }
                    Sent::Faulty(faults) => {
                        fields.faults.set(faults);
                        later_focus(move || first_faulty(&form));
                    }
                    Sent::Refused(code) => trouble.set(code),
                }
                is_busy.set(false);
            });
        });
    });
    let again = move |event: MouseEvent| {
        event.prevent_default();
        if let Some(form) = form.get_untracked() {
            form.reset();
            sent.set(String::new());
            later_focus(move || first_input(&form));
        }
    };
    let line = |name, label, value: &str| fields.line(name, label, value, &state.today);
    let chosen = state.kind.clone();
    let kind = |kind: ReportType| {
        let name = kind.as_str();
        view! {
            <label class=name>
                <input
                    type="radio"
                    name="type"
                    value=name
                    checked=name == chosen
                    required
                    aria-describedby="fault-type"
                />
                <svg aria-hidden="true">
                    <use href=["#", name].concat() />
                </svg>
                <span>{wording.text(name_of(kind))}</span>
            </label>
        }
    };
    let kinds: Vec<_> = initial.types.each().map(kind).collect();
    let trouble = move || match &**trouble.read() {
        "" => String::new(),
        code => wording.text(problem(code)),
    };
    let button = move || wording.text(if is_busy.get() { texts::SENDING } else { texts::SEND });
    view! {
        <form
            method="post"
            action=state.action.clone()
            node_ref=form
            hidden=flag(move || !sent.read().is_empty())
        >
            <input type="hidden" name="token" value=state.token.clone() />
            <fieldset aria-describedby="fault-type">
                <legend>{wording.text(texts::TYPE)}</legend>
                <div>{kinds}</div>
                {fields.fault("type")}
            </fieldset>
            <div class="pair">
                {line("city", texts::CITY, &state.city)}
                {line("country", texts::COUNTRY, &state.country)}
            </div>
            <datalist id="cities"></datalist>
            <div class="pair">
                {line("peopleCount", texts::PEOPLE, &state.people)}
                {line("eventDate", texts::DATE, &state.date)}
            </div>
            <div>
                <label>
                    <span>{wording.text(texts::NOTE)}</span>
                    <textarea
                        name="note"
                        maxlength="1000"
                        dir="auto"
                        aria-describedby="fault-note"
                        aria-invalid=text(move || fields.is_faulty("note").to_string())
                        inner_html=escaped(&state.note)
                    ></textarea>
                </label>
                {fields.fault("note")}
            </div>
            {line("contact", texts::CONTACT, &state.contact)}
            <p class="privacy">{wording.text(texts::PRIVACY)}</p>
            <label class="website" aria-hidden="true">
                <span>{wording.text(texts::LEAVE_EMPTY)}</span>
                <input name="website" tabindex="-1" autocomplete="off" />
            </label>
            <div>
                <p class="trouble" role="alert">
                    {text(trouble)}
                </p>
                <button
                    type="submit"
                    class="send"
                    aria-disabled=text(move || is_busy.get().to_string())
                    node_ref=submit
                >
                    {text(button)}
                </button>
            </div>
        </form>
        <section
            class="thanks"
            tabindex="-1"
            role="status"
            node_ref=thanks
            hidden=flag(move || sent.read().is_empty())
        >
            <p>{wording.text(texts::THANKS)}</p>
            <p class="number">
                {wording.text(texts::ITS_NUMBER)} " "
                <bdi>{text(move || sent.get())}</bdi>
            </p>
            <a href=state.action.clone() on:click:capture=again>
                {wording.text(texts::ANOTHER)}
            </a>
        </section>
    }
}

kit::own_module!(report, ReportBoard);

/// Focuses an element after the changes of the signals are in the page. Browser only.
fn later_focus(find: impl FnOnce() -> Option<HtmlElement> + 'static) {
    later(move || {
        if let Some(element) = find() {
            _ = element.focus();
        }
    });
}

fn first_faulty(form: &HtmlFormElement) -> Option<HtmlElement> {
    let faulty = |name: &str| {
        let fault = form.query_selector(&["#fault-", name].concat()).ok()??;
        let is_faulty = !fault.text_content()?.trim().is_empty();
        is_faulty.then(|| form.query_selector(&["[name=", name, "]"].concat()).ok()?).flatten()
    };
    FIELDS.iter().find_map(|(name, _)| faulty(name)).map(Element::unchecked_into)
}

fn first_input(form: &HtmlFormElement) -> Option<HtmlElement> {
    form.query_selector("[name=type]").ok()?.map(Element::unchecked_into)
}
