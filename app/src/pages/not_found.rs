//! The page for unknown paths.

use crate::{
    pages::mark::Mark,
    request::{PageKind, PageRequest},
    shell::{Glyphs, Head, link},
    widgets::registry::{WIDGETS, Widget},
};
use kit::{html::IntoHtml, lang::Lang};
use leptos::prelude::*;

/// The document. Below `/embed/`, it may be shown in the frame of a widget, and has to fit there.
#[component]
pub(crate) fn NotFound() -> impl IntoView {
    let PageRequest { kind, .. } = expect_context();
    let framed = kind == PageKind::NotFound { framed: true };
    let title = if framed { "Unknown widget" } else { "Page not found" };
    view! {
        <html lang="en" data-theme="auto">
            <head>
                <Head title=title.to_owned() style="not-found" />
                <meta name="robots" content="noindex" />
            </head>
            <body>
                <Glyphs />
                <main>
                    <Mark />
                    <h1>{title}</h1>
                    {if framed { widgets().into_html() } else { ways_on().into_html() }}
                </main>
            </body>
        </html>
    }
    .into_html()
}

fn ways_on() -> impl IntoView {
    view! {
        <p class="lead">"There is nothing at this address. It may be misspelt, or the page has moved."</p>
        <ul>
            <li>
                <a href=link("/")>"Start page"</a>
            </li>
            <li>
                <a href=link("/docs")>"Documentation"</a>
            </li>
        </ul>
    }
}

/// List of all widgets. Their links open in the same frame. Other pages cannot be framed by other
/// sites, so their links open a new tab.
fn widgets() -> impl IntoView {
    let widget = |widget: &Widget| {
        view! {
            <li>
                <a href=link(widget.path())>{widget.label.text(Lang::En)}</a>
            </li>
        }
    };
    view! {
        <p class="lead">"There is no widget at this address. Choose one of these:"</p>
        <ul>{WIDGETS.iter().map(widget).collect_view()}</ul>
        <p class="more">
            "More on the " <a href=link("/") target="_blank" rel="noopener">"start page"</a> " and in the "
            <a href=link("/docs") target="_blank" rel="noopener">"documentation"</a> "."
        </p>
    }
}
