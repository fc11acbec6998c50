//! Inputs of the builder's form, one function for each kind.

use crate::{
    contract::options::{EmbedOption, Input, THE_VISITORS},
    pages::{
        home::words::{ANY, COLOUR_DIGITS, NONE, PICK_THE_ACCENT},
        in_language::text,
    },
    words::{Word, Words},
};
use kit::{
    html::{Html, IntoHtml},
    lang::Lang,
};
use leptos::prelude::*;

/// Maximum number of values that fit side by side on a phone. More values become a drop-down list.
const SIDE_BY_SIDE: usize = 4;

/// Values with their labels.
type Values = [(&'static str, String)];

/// The input of an option with its chosen value.
pub(super) fn of(option: &EmbedOption, chosen: Option<String>, words: &Words) -> Html {
    let (name, label) = (option.name, text(option.label));
    let labelled = |values: &[(&'static str, Word)]| -> Vec<_> {
        values.iter().map(|(value, word)| (*value, words.text(*word).to_owned())).collect()
    };
    match option.input {
        Input::One(values) => {
            let chosen = chosen.as_deref().unwrap_or(values[0].0);
            match values.len() {
                ..=SIDE_BY_SIDE => one(name, label, &labelled(values), chosen),
                _ => list(name, label, &labelled(values), chosen),
            }
        }
        Input::Language => {
            let languages = Lang::ALL.map(|lang| (lang.tag(), lang.name().to_owned()));
            let values = [("", text(THE_VISITORS).to_owned())].into_iter().chain(languages);
            list(name, label, &values.collect::<Vec<_>>(), chosen.as_deref().unwrap_or_default())
        }
        Input::Any(values) => any(name, label, &labelled(values), chosen.as_deref()),
        Input::Colour => colour(name, label, chosen),
        Input::Text => plain(name, label, chosen),
        Input::Date => date(name, label, chosen),
        Input::Number { most, default } => number(name, label, most, default, chosen),
    }
}

/// Radio buttons for a few values.
pub(super) fn one(name: &'static str, label: &'static str, values: &Values, chosen: &str) -> Html {
    segments("radio", name, label, values, |value| value == chosen)
}

/// Check boxes for a few values. Choosing none means all.
fn any(name: &'static str, label: &'static str, values: &Values, chosen: Option<&str>) -> Html {
    segments("checkbox", name, label, values, |value| {
        chosen.is_none_or(|chosen| chosen.split(',').any(|chosen| chosen == value))
    })
}

fn segments(
    kind: &'static str,
    name: &'static str,
    label: &'static str,
    values: &Values,
    is_chosen: impl Fn(&str) -> bool,
) -> Html {
    let segment = |(value, label): &(&'static str, String)| {
        view! {
            <label>
                <input type=kind name=name value=*value checked=is_chosen(value) />
                <span>{label.clone()}</span>
            </label>
        }
    };
    view! {
        <fieldset>
            <legend>{label}</legend>
            <div>{values.iter().map(segment).collect_view()}</div>
        </fieldset>
    }
    .into_html()
}

/// A drop-down list of values.
fn list(name: &'static str, label: &'static str, values: &Values, chosen: &str) -> Html {
    let value = |(value, label): &(&'static str, String)| {
        view! {
            <option value=*value selected=*value == chosen>
                {label.clone()}
            </option>
        }
    };
    view! {
        <label class="field">
            <span>{label}</span>
            <select name=name>{values.iter().map(value).collect_view()}</select>
        </label>
    }
    .into_html()
}

/// A text field for hexadecimal digits, next to the browser's colour picker, which needs the
/// script.
fn colour(name: &'static str, label: &'static str, chosen: Option<String>) -> Html {
    view! {
        <div class="field">
            <label>
                <span>{label}</span>
                <input
                    name=name
                    value=chosen
                    placeholder=text(NONE)
                    maxlength="7"
                    pattern="#?([0-9A-Fa-f]{3}){1,2}"
                    title=text(COLOUR_DIGITS)
                    autocomplete="off"
                    spellcheck="false"
                />
            </label>
            <input type="color" aria-label=text(PICK_THE_ACCENT) hidden />
        </div>
    }
    .into_html()
}

fn plain(name: &'static str, label: &'static str, chosen: Option<String>) -> Html {
    view! {
        <label class="field">
            <span>{label}</span>
            <input name=name value=chosen placeholder=text(ANY) maxlength="256" autocomplete="off" dir="auto" />
        </label>
    }
    .into_html()
}

fn date(name: &'static str, label: &'static str, chosen: Option<String>) -> Html {
    view! {
        <label class="field">
            <span>{label}</span>
            <input type="date" name=name value=chosen />
        </label>
    }
    .into_html()
}

fn number(
    name: &'static str,
    label: &'static str,
    most: u32,
    default: u32,
    chosen: Option<String>,
) -> Html {
    view! {
        <label class="field">
            <span>{label}</span>
            <input
                type="number"
                name=name
                value=chosen
                placeholder=default.to_string()
                min="1"
                max=most.to_string()
            />
        </label>
    }
    .into_html()
}
