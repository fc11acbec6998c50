mod builder;

use self::builder::builder;
use crate::{
    embed::catalogue::{Embed, FEED, GLOBE, METRICS},
    lang::Lang,
    model::Metrics,
    number::neutral,
    shell::{Assets, Glyphs, Head, Preview, render},
};
use leptos::prelude::*;

const TITLE: &str = "Spirit and water, counted live";

/// The document of `/`: what this is, the widgets alive, and how to have it.
///
/// `base_url` is where the service is reached from outside, without a slash at its end. The page
/// is complete without JavaScript; `public/home.js` makes the choice take effect at once, and
/// `public/copy.js` adds the copy buttons.
pub fn page(first: &Metrics, embed: &Embed, base_url: &str, assets: &Assets) -> String {
    let description = format!(
        "{} reports from {} cities in {} countries so far, counted live.",
        neutral(first.total, Lang::En),
        neutral(first.cities, Lang::En),
        neutral(first.countries, Lang::En),
    );
    render(|| {
        view! {
            <!DOCTYPE html>
            <html lang="en" data-theme="auto">
                <head>
                    <Head title=TITLE.to_owned() style=assets.style("page") />
                    <Preview
                        title=TITLE
                        description=description
                        base_url=base_url.to_owned()
                        path="/"
                    />
                    <script type="module" src="/copy.js"></script>
                    <script type="module" src="/home.js"></script>
                </head>
                <body>
                    <Glyphs />
                    <main>
                        <Welcome />
                        <Widgets />
                        {builder(embed, base_url)}
                        <Data />
                    </main>
                </body>
            </html>
        }
    })
}

#[component]
fn Welcome() -> impl IntoView {
    view! {
        <header>
            <svg class="mark spirit" aria-hidden="true">
                <use href="#spirit" />
            </svg>
            <svg class="mark water" aria-hidden="true">
                <use href="#water" />
            </svg>
            <h1>{TITLE}</h1>
            <p class="lead">
                "Every approved report moves these numbers, here and on every page that shows them. "
                "They are free to embed: no key, no cookies, nothing to install."
            </p>
        </header>
    }
}

/// The widgets as they are by default, all on one stream.
#[component]
fn Widgets() -> impl IntoView {
    let frames = [&METRICS, &GLOBE, &FEED].map(|widget| {
        // The first is seen at once; the others are asked for when they are about to be.
        let loading = if widget == &METRICS { "eager" } else { "lazy" };
        view! {
            <iframe
                class=format!("widget {}", widget.name)
                src=format!("/embed/{}", widget.name)
                height=widget.height.to_string()
                title=widget.title
            ></iframe>
        }
        .attr("loading", loading)
    });
    view! { <div class="widgets">{frames}</div> }
}

#[component]
fn Data() -> impl IntoView {
    let rows = [
        ("/api/v1/metrics", "the counters"),
        ("/api/v1/reports", "the latest reports"),
        ("/api/v1/stream", "both, every five seconds, as server-sent events"),
    ];
    let row = |(path, what)| {
        view! {
            <li>
                <a href=path>
                    <code>{path}</code>
                </a>
                <span>{what}</span>
            </li>
        }
    };
    view! {
        <section>
            <h2>"Or take the numbers"</h2>
            <p>
                "The same numbers as JSON, readable from any page and any program, without a key. The "
                <a href="/docs">"documentation"</a> " has all of it, and "
                <a href="/docs/api">"lets you try it"</a> "."
            </p>
            <ul>{rows.map(row).collect_view()}</ul>
        </section>
    }
}
