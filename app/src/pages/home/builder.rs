//! The snippet builder: a plain GET form, whose query preselects and whose answer is the page with
//! the widget and the snippets as chosen. `public/home.js` asks for that page by itself at each
//! choice and takes over what changed, so the snippets are made in one place only.

use crate::embed::catalogue::{Embed, OPTIONS, WIDGETS};
use leptos::prelude::*;

/// The choice, and what comes of it.
pub(super) fn builder(embed: &Embed, base_url: &str) -> impl IntoView + use<> {
    let height = embed.widget.height.to_string();
    let iframe = embed.iframe(base_url, "100%", &height, "\n  ");
    let script = embed.script(base_url);
    let widgets: Vec<_> = WIDGETS.iter().map(|widget| (widget.name, widget.label)).collect();
    let options: Vec<_> = OPTIONS
        .iter()
        .map(|option| {
            let chosen = embed.options.chosen(option.name);
            let chosen = chosen.unwrap_or_else(|| option.values[0].0.to_owned());
            choice(option.name, option.label, option.values, &chosen)
        })
        .collect();
    view! {
        <section aria-labelledby="builder">
            <h2 id="builder">"Put it on your page"</h2>
            <form class="builder" method="get" action="/">
                {choice("widget", "Widget", &widgets, embed.widget.name)}
                {options}
                <button type="submit">"Show"</button>
            </form>
            <p>
                "An iframe is all it takes. It fits any width from 160 pixels up, needs no key and sets no cookie."
            </p>
            <Snippet id="iframe" label="As an iframe" code=iframe />
            <p>
                "The script does the same for each element with "
                <code>"data-svc"</code>
                ", also for those that come to the page later."
            </p>
            <Snippet id="script" label="As a script" code=script />
            <p>
                "Where neither is allowed, there is "
                <a href="/docs/embed#as-a-picture">"a picture"</a>
                "."
            </p>
        </section>
    }
}

/// How many values fit side by side on a phone; more are a list to open.
const SIDE_BY_SIDE: usize = 4;

/// One of several values, of which one is always chosen.
fn choice(
    name: &'static str,
    label: &'static str,
    values: &[(&'static str, &'static str)],
    chosen: &str,
) -> AnyView {
    if values.len() > SIDE_BY_SIDE {
        return list(name, label, values, chosen);
    }
    let value = |(value, label): &(&'static str, &'static str)| {
        view! {
            <label>
                <input type="radio" name=name value=*value checked=*value == chosen />
                <span>{*label}</span>
            </label>
        }
    };
    view! {
        <fieldset>
            <legend>{label}</legend>
            <div>{values.iter().map(value).collect_view()}</div>
        </fieldset>
    }
    .into_any()
}

fn list(
    name: &'static str,
    label: &'static str,
    values: &[(&'static str, &'static str)],
    chosen: &str,
) -> AnyView {
    let value = |(value, label): &(&'static str, &'static str)| {
        view! {
            <option value=*value selected=*value == chosen>
                {*label}
            </option>
        }
    };
    view! {
        <label class="list">
            <span>{label}</span>
            <select name=name>{values.iter().map(value).collect_view()}</select>
        </label>
    }
    .into_any()
}

#[component]
fn Snippet(id: &'static str, label: &'static str, code: String) -> impl IntoView {
    view! {
        <figure>
            <figcaption>
                <span>{label}</span>
                <button type="button" data-copy=id hidden aria-live="polite">
                    "Copy"
                </button>
            </figcaption>
            <pre tabindex="0">
                <code id=id>{code}</code>
            </pre>
        </figure>
    }
}
