use crate::{
    lang::Lang,
    model::Metrics,
    number::neutral,
    shell::{Assets, Glyphs, Head, render},
};
use leptos::prelude::*;

/// The document of `/`: what this is, the widget alive, and how to have it.
///
/// `base_url` is where the service is reached from outside, without a slash at its end. The page
/// is complete without JavaScript; `public/home.js` adds the copy buttons.
pub fn page(first: &Metrics, base_url: &str, assets: &Assets) -> String {
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
                    <Head
                        title="Spirit and water, counted live".to_owned()
                        style=assets.styles.page.clone()
                    />
                    <meta name="description" content=description />
                    <script type="module" src="/home.js"></script>
                </head>
                <body>
                    <Glyphs />
                    <main>
                        <Welcome />
                        <iframe
                            class="hero"
                            src="/embed/metrics"
                            width="100%"
                            height="120"
                            title="Live counters"
                        ></iframe>
                        <Snippets base_url=base_url.to_owned() />
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
            <h1>"Spirit and water, counted live"</h1>
            <p class="lead">
                "Every approved report moves these numbers, here and on every page that shows them. "
                "They are free to embed: no key, no cookies, nothing to install."
            </p>
        </header>
    }
}

#[component]
fn Snippets(base_url: String) -> impl IntoView {
    let iframe = format!(
        r#"<iframe src="{base_url}/embed/metrics"
  width="100%" height="120" frameborder="0"
  title="Live counters"></iframe>"#
    );
    let script = format!(
        r#"<script src="{base_url}/embed.js"
  data-base="{base_url}" async></script>

<div data-svc="metrics"
  data-width="100%" data-height="120"></div>"#
    );
    view! {
        <section>
            <h2>"Put it on your page"</h2>
            <p>
                "An iframe is all it takes. It fits 120 pixels of height at any width from 160 up, "
                "and follows the visitor\u{2019}s light or dark theme. Add "
                <code>"?theme=light"</code>
                " or "
                <code>"?theme=dark"</code>
                " to its address to choose one."
            </p>
            <Snippet id="iframe" label="As an iframe" code=iframe />
            <p>
                "The script does the same for each element with "
                <code>"data-svc"</code>
                ", also for those that come to the page later. Options are attributes, such as "
                <code>"data-theme"</code>
                "."
            </p>
            <Snippet id="script" label="As a script" code=script />
        </section>
    }
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
            <p>"The same numbers as JSON, readable from any page and any program, without a key."</p>
            <ul>{rows.map(row).collect_view()}</ul>
        </section>
    }
}
