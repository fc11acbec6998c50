//! The snippet builder: a plain GET form. The response is the page with the selected widget and its
//! snippets. `public/home.js` fetches that page after each choice and replaces the changed parts,
//! so the snippets are made in one place only.

use crate::{
    brand::Brand,
    contract::options::{EmbedOption, Input, OPTIONS},
    pages::figure::figure,
    request::PageRequest,
    shell::{Assets, link},
    widgets::registry::WIDGETS,
};
use kit::lang::Lang;
use leptos::prelude::*;
use model::ReportType;
use std::sync::Arc;

/// The form, and the resulting preview and snippets.
pub(super) fn builder() -> AnyView {
    let PageRequest { embed, base_url, .. } = expect_context();
    let height = embed.widget.height.to_string();
    let iframe = embed.iframe(base_url.as_str(), "100%", &height, "\n  ");
    let script = embed.script(base_url.as_str());
    let pinned = embed.pinned_script(base_url.as_str(), &expect_context::<Arc<Assets>>().loader);
    let widgets: Vec<_> = WIDGETS.iter().map(|widget| (widget.name, widget.label)).collect();
    let options: Vec<_> = OPTIONS
        .iter()
        .map(|option| {
            let EmbedOption { name, label, widgets, input, .. } = option;
            let chosen = embed.options.chosen(name);
            let field = match input {
                Input::One(values) => {
                    let chosen = chosen.as_deref().unwrap_or(values[0].0);
                    match values.len() {
                        ..=SIDE_BY_SIDE => one(name, label, values, chosen),
                        _ => list(name, label, values, chosen),
                    }
                }
                Input::Any(values) => any(name, label, &named(values), chosen.as_deref()),
                Input::Colour => colour(name, label, chosen),
                Input::Text => text(name, label, chosen),
                Input::Date => date(name, label, chosen),
                Input::Number { most, default } => number(name, label, *most, *default, chosen),
            };
            if widgets.is_empty() {
                return field;
            }
            view! { <div class="only" hidden=!option.is_of(embed.widget.name)>{field}</div> }
                .into_any()
        })
        .collect();
    let preview = view! {
        <iframe
            id="preview"
            class="widget"
            src=link(embed.address())
            width="100%"
            height=height
            title=[embed.title(), ", as chosen"].concat()
            data-theme=embed.options.theme.as_str()
            data-bg=embed.options.bg.as_str()
        ></iframe>
    }
    .attr("loading", "lazy");
    view! {
        <section aria-labelledby="builder">
            <h2 id="builder">"Put it on your page"</h2>
            <p>
                "An iframe is all it takes. It fits any width from 160 pixels up, needs no key and sets no cookie."
            </p>
            <form class="builder" method="get" action=link("/#builder")>
                {one("widget", "Widget", &widgets, embed.widget.name)}
                {options}
                <button type="submit">"Show"</button>
            </form>
            <div class="stage">{preview}</div>
            {figure("As an iframe", "iframe".to_owned(), iframe)}
            <p>
                "The script does the same for each element with "
                <code>"data-svc"</code>
                ", also for those that come to the page later."
            </p>
            {figure("As a script", "script".to_owned(), script)}
            <details>
                <summary>"As a script that never changes"</summary>
                <p>
                    "For pages with strict requirements: the browser refuses any other version. Corrections do not "
                    "reach the page by themselves, see "
                    <a href=link("/docs/embed#versions-of-the-script")>"the documentation"</a>
                    "."
                </p>
                {figure("As a pinned script", "pinned".to_owned(), pinned)}
            </details>
            <p>
                "Where neither is allowed, there is "
                <a href=link("/docs/embed#as-a-picture")>"a picture"</a>
                "."
            </p>
        </section>
    }
    // Boxed, because the full type exceeds the compiler's limits inside the page's type.
    .into_any()
}

/// Maximum number of values that fit side by side on a phone. More values become a drop-down list.
const SIDE_BY_SIDE: usize = 4;

type Values = [(&'static str, &'static str)];

/// The types, with the operator's labels.
fn named(values: &Values) -> Vec<(&'static str, String)> {
    let brand = expect_context::<Arc<Brand>>();
    let named = |(value, label): &(&'static str, &str)| {
        let kind = ReportType::ALL.into_iter().find(|kind| kind.as_str() == *value);
        (*value, kind.map_or_else(|| (*label).to_owned(), |kind| brand.label(kind, Lang::En)))
    };
    values.iter().map(named).collect()
}

/// Radio buttons for a few values.
fn one(name: &'static str, label: &'static str, values: &Values, chosen: &str) -> AnyView {
    segments("radio", name, label, values, |value| value == chosen)
}

/// Check boxes for a few values. Choosing none means all.
fn any(
    name: &'static str,
    label: &'static str,
    values: &[(&'static str, String)],
    chosen: Option<&str>,
) -> AnyView {
    segments("checkbox", name, label, values, |value| {
        chosen.is_none_or(|chosen| chosen.split(',').any(|chosen| chosen == value))
    })
}

fn segments<T: AsRef<str>>(
    kind: &'static str,
    name: &'static str,
    label: &'static str,
    values: &[(&'static str, T)],
    is_chosen: impl Fn(&str) -> bool,
) -> AnyView {
    let segment = |(value, label): &(&'static str, T)| {
        view! {
            <label>
                <input type=kind name=name value=*value checked=is_chosen(value) />
                <span>{label.as_ref().to_owned()}</span>
            </label>
        }
    };
    view! {
        <fieldset>
            <legend>{label}</legend>
            <div>{values.iter().map(segment).collect_view()}</div>
        </fieldset>
    }
    .into_any()
}

/// A drop-down list of values.
fn list(name: &'static str, label: &'static str, values: &Values, chosen: &str) -> AnyView {
    let value = |(value, label): &(&'static str, &'static str)| {
        view! {
            <option value=*value selected=*value == chosen>
                {*label}
            </option>
        }
    };
    view! {
        <label class="field">
            <span>{label}</span>
            <select name=name>{values.iter().map(value).collect_view()}</select>
        </label>
    }
    .into_any()
}

/// A text field for hexadecimal digits, next to the browser's colour picker, which needs the
/// script.
fn colour(name: &'static str, label: &'static str, chosen: Option<String>) -> AnyView {
    view! {
        <div class="field">
            <label>
                <span>{label}</span>
                <input
                    name=name
                    value=chosen
                    placeholder="None"
                    maxlength="7"
                    pattern="#?([0-9A-Fa-f]{3}){1,2}"
                    title="A colour as three or six hexadecimal digits"
                    autocomplete="off"
                    spellcheck="false"
                />
            </label>
            <input type="color" aria-label="Pick the accent" hidden />
        </div>
    }
    .into_any()
}

fn text(name: &'static str, label: &'static str, chosen: Option<String>) -> AnyView {
    view! {
        <label class="field">
            <span>{label}</span>
            <input name=name value=chosen placeholder="Any" maxlength="256" autocomplete="off" />
        </label>
    }
    .into_any()
}

fn date(name: &'static str, label: &'static str, chosen: Option<String>) -> AnyView {
    view! {
        <label class="field">
            <span>{label}</span>
            <input type="date" name=name value=chosen />
        </label>
    }
    .into_any()
}

fn number(
    name: &'static str,
    label: &'static str,
    most: u32,
    default: u32,
    chosen: Option<String>,
) -> AnyView {
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
    .into_any()
}
