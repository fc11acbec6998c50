//! The page at `/`: a description of the service, live widgets, and the snippet builder.

mod builder;

use self::builder::builder;
use crate::{
    brand::Brand,
    contract::EmbedOptions,
    page_data::{SharedPageData, Unavailable},
    pages::mark::Mark,
    shell::{Glyphs, Head, Preview, link},
    widgets::registry::WIDGETS,
    words::common::{CITY, COUNTRY, REPORT},
};
use kit::{lang::Lang, number::neutral};
use leptos::prelude::*;
use std::sync::Arc;

/// The document of `/`.
///
/// The page is complete without JavaScript. `public/home.js` applies choices at once, and
/// `public/copy.js` adds the copy buttons.
#[component]
pub(crate) fn Home() -> impl IntoView {
    let source = expect_context::<SharedPageData>();
    let brand = source.brand();
    let title = brand.title();
    Suspend::new(async move {
        let metrics = source.metrics(&EmbedOptions::default()).await?;
        let words = brand.words(Lang::En);
        let counted =
            |noun, count| format!("{} {}", neutral(count, Lang::En), words.form(noun, count));
        let description = format!(
            "{} from {} in {} so far, counted live.",
            counted(REPORT, metrics.total),
            counted(CITY, metrics.cities),
            counted(COUNTRY, metrics.countries),
        );
        Ok::<_, Unavailable>(view! {
            <html lang="en" data-theme="auto">
                <head>
                    <Head title=title.clone() style="page" />
                    <Preview title=title.clone() description=description picture=brand.counts(&metrics) />
                    <script type="module" src=link("/copy.js")></script>
                    <script type="module" src=link("/home.js")></script>
                </head>
                <body>
                    <Glyphs />
                    <Site />
                    <main>
                        <Welcome title=title />
                        <Widgets />
                        {builder()}
                        <Data />
                    </main>
                </body>
            </html>
        })
    })
}

/// Links to the operator's site and other pages.
#[component]
fn Site() -> impl IntoView {
    let brand = expect_context::<Arc<Brand>>();
    let site = brand.url.clone().map(|url| {
        view! {
            <li>
                <a href=url>{brand.name()}</a>
            </li>
        }
    });
    view! {
        <nav aria-label="Site">
            <Mark />
            <ul>
                {site} <li>
                    <a href="#builder">"Embed"</a>
                </li>
                <li>
                    <a href=link("/docs")>"Documentation"</a>
                </li>
            </ul>
        </nav>
    }
}

#[component]
fn Welcome(title: String) -> impl IntoView {
    view! {
        <header>
            <h1>{title}</h1>
            <p class="lead">
                "Every approved report moves these numbers, here and on every page that shows them. "
                "They are free to embed: no key, no cookies, nothing to install."
            </p>
        </header>
    }
}

/// The widgets as embedded by their snippets, sharing one stream.
#[component]
fn Widgets() -> impl IntoView {
    let frames = WIDGETS.iter().enumerate().map(|(index, widget)| {
        // The first widget is visible at once. The others load when they are about to be visible.
        let loading = if index == 0 { "eager" } else { "lazy" };
        view! {
            <iframe
                class=format!("widget {}", widget.name)
                src=link(widget.path())
                height=widget.height.to_string()
                title=widget.title(Lang::En)
            ></iframe>
        }
        .attr("loading", loading)
    });
    view! {
        <div class="widgets">
            {frames.collect_view()} <a class="way" href="#builder">
                "Put it on your page"
            </a>
        </div>
    }
}

#[component]
fn Data() -> impl IntoView {
    let rows = [
        ("/api/v1/metrics", "the counters"),
        ("/api/v1/metrics/series", "the same over time"),
        ("/api/v1/reports", "the latest reports"),
        ("/api/v1/stream", "both, every five seconds, as server-sent events"),
    ];
    let row = |(path, what)| {
        view! {
            <li>
                <a href=link(path)>
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
                <a href=link("/docs")>"documentation"</a> " has all of it, and "
                <a href=link("/docs/api")>"lets you try it"</a> "."
            </p>
            <ul>{rows.map(row).collect_view()}</ul>
        </section>
    }
}
