//! What people see at a path that leads nowhere.

use crate::{
    embed::registry::{WIDGETS, Widget},
    pages::mark::Mark,
    request::{PageKind, PageRequest},
    shell::{Glyphs, Head, link},
};
use leptos::prelude::*;

/// The document. Below `/embed/` it may be in the frame of a widget, as small as that is.
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
                    {if framed { widgets().into_any() } else { ways_on().into_any() }}
                </main>
            </body>
        </html>
    }
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

/// The widgets there are: a link shows one in the very frame. The pages refuse to be in a frame of
/// another site, so they get a tab of their own.
fn widgets() -> impl IntoView {
    let widget = |widget: &Widget| {
        view! {
            <li>
                <a href=link(widget.path())>{widget.label}</a>
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
