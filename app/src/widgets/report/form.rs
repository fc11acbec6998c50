//! The form, and thanks for a report that was sent.

use super::words as texts;
use crate::{
    contract::options::{EmbedOptions, Name},
    html::escaped,
    page_data::ReportForm,
    words::{Word, Words, name_of},
};
use leptos::prelude::*;
use model::ReportType;

/// Names of the fields, in their order, each with the text for its faults.
pub(super) const FIELDS: [(&str, Word); 7] = [
    ("type", texts::CHOOSE_A_TYPE),
    ("city", texts::NAME_THE_CITY),
    ("country", texts::NAME_THE_COUNTRY),
    ("peopleCount", texts::COUNT_PEOPLE),
    ("eventDate", texts::DATE_IT),
    ("note", texts::SHORTEN_IT),
    ("contact", texts::SHORTEN_IT),
];

/// Texts for problems with the form as a whole, by their codes. The empty code is any other problem.
pub(super) const PROBLEMS: [(&str, Word); 3] = [
    ("RATE_LIMITED", texts::TOO_MANY),
    ("INVALID_PROOF", texts::SEND_AGAIN),
    ("", texts::NOT_SENT),
];

/// The form with its values: those that were sent, or those that the options of the widget choose.
pub(super) struct Filled<'a> {
    pub(super) sent: ReportForm,
    pub(super) options: &'a EmbedOptions,
    pub(super) words: &'a Words,
}

impl Filled<'_> {
    fn text(&self, word: Word) -> String {
        self.words.text(word).to_owned()
    }

    fn value(&self, name: &str) -> String {
        if let Some((_, value)) = self.sent.values.iter().find(|(sent, _)| sent == name) {
            return value.clone();
        }
        let chosen = |name: &Option<Name>| name.as_ref().map(Name::to_string).unwrap_or_default();
        match name {
            "city" => chosen(&self.options.city),
            "country" => chosen(&self.options.country),
            "peopleCount" => "1".to_owned(),
            "eventDate" => self.sent.today.clone(),
            _ => String::new(),
        }
    }

    fn is_faulty(&self, name: &str) -> bool {
        self.sent.faults.iter().any(|faulty| faulty == name)
    }

    /// Text below a field about its fault; empty if there is none.
    fn fault(&self, name: &str) -> impl IntoView + use<> {
        let fault = FIELDS.into_iter().find(|(field, _)| *field == name && self.is_faulty(name));
        let fault = fault.map_or_else(String::new, |(_, word)| self.text(word));
        view! {
            <p class="fault" id=format!("fault-{name}")>
                {fault}
            </p>
        }
    }

    /// Text about the form as a whole; empty if there is no problem.
    fn problem(&self) -> String {
        let code = &*self.sent.problem;
        let is_said = |(of, _): &(&str, Word)| *of == code || of.is_empty();
        let word = PROBLEMS.into_iter().find(is_said).filter(|_| !code.is_empty());
        word.map_or_else(String::new, |(_, word)| self.text(word))
    }

    /// A choice of the type.
    fn kind(&self, kind: ReportType) -> impl IntoView + use<> {
        let name = kind.as_str();
        view! {
            <label class=name>
                <input
                    type="radio"
                    name="type"
                    value=name
                    checked=name == self.value("type")
                    required
                    aria-describedby="fault-type"
                />
                <svg aria-hidden="true">
                    <use href=format!("#{name}") />
                </svg>
                <span>{self.text(name_of(kind))}</span>
            </label>
        }
    }

    /// A field with one line.
    fn line(&self, name: &'static str, label: Word) -> impl IntoView + use<> {
        let (kind, most) = match name {
            "peopleCount" => ("number", "7"),
            "eventDate" => ("date", "10"),
            "contact" => ("text", "200"),
            _ => ("text", "256"),
        };
        view! {
            <div class=name>
                <label>
                    <span>{self.text(label)}</span>
                    <input
                        type=kind
                        name=name
                        value=self.value(name)
                        max=(name == "eventDate").then(|| self.sent.today.clone())
                        maxlength=most
                        list=(name == "city").then_some("cities")
                        required=name != "contact"
                        autocomplete="off"
                        dir="auto"
                        aria-describedby=format!("fault-{name}")
                        aria-invalid=self.is_faulty(name).to_string()
                    />
                </label>
                {self.fault(name)}
            </div>
        }
    }
}

/// Renders the form, and thanks for it; one of them is hidden.
pub(super) fn form(filled: Filled<'_>) -> impl IntoView + use<> {
    let text = |word| filled.text(word);
    let query = filled.options.to_query();
    let mark = if query.is_empty() { "" } else { "?" };
    let action = format!("report{mark}{query}");
    let id = filled.sent.sent.clone();
    let is_sent = !id.is_empty();
    let kinds: Vec<_> = filled.options.types.each().map(|kind| filled.kind(kind)).collect();
    view! {
        <form method="post" action=action.clone() hidden=is_sent>
            <input type="hidden" name="token" value=filled.sent.token.clone() />
            <fieldset aria-describedby="fault-type">
                <legend>{text(texts::TYPE)}</legend>
                <div>{kinds}</div>
                {filled.fault("type")}
            </fieldset>
            <div class="pair">
                {filled.line("city", texts::CITY)} {filled.line("country", texts::COUNTRY)}
            </div>
            <datalist id="cities"></datalist>
            <div class="pair">
                {filled.line("peopleCount", texts::PEOPLE)}
                {filled.line("eventDate", texts::DATE)}
            </div>
            <div>
                <label>
                    <span>{text(texts::NOTE)}</span>
                    <textarea
                        name="note"
                        maxlength="1000"
                        dir="auto"
                        aria-describedby="fault-note"
                        aria-invalid=filled.is_faulty("note").to_string()
                        inner_html=escaped(&filled.value("note"))
                    ></textarea>
                </label>
                {filled.fault("note")}
            </div>
            {filled.line("contact", texts::CONTACT)}
            <p class="privacy">{text(texts::PRIVACY)}</p>
            <label class="website" aria-hidden="true">
                <span>{text(texts::LEAVE_EMPTY)}</span>
                <input name="website" tabindex="-1" autocomplete="off" />
            </label>
            <div>
                <p class="trouble" role="alert">
                    {filled.problem()}
                </p>
                <button type="submit" class="send" aria-disabled="false">
                    {text(texts::SEND)}
                </button>
            </div>
        </form>
        <section class="thanks" tabindex="-1" role="status" hidden=!is_sent>
            <p>{text(texts::THANKS)}</p>
            <p class="number">{text(texts::ITS_NUMBER)} " " <bdi>{id}</bdi></p>
            <a href=action>{text(texts::ANOTHER)}</a>
        </section>
    }
}
