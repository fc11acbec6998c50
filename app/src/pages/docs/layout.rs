use super::{Content, Heading, Page};
use crate::{
    pages::mark::Mark,
    shell::{Glyphs, Head, Preview, link},
};
use leptos::prelude::*;

/// What is on the picture for links. Without its numbers: the pages stay the same when those change.
const PICTURE: &str = "The counters: reports in total, of spirit, water and both";

/// What all pages of the documentation have: the index, beside the text where there is room.
pub(super) fn layout(page: Page, content: Content) -> impl IntoView {
    let Content { lead, body, headings } = content;
    let description = plain(&lead);
    view! {
        <html lang="en" data-theme="auto">
            <head>
                <Head title=page.title().to_owned() style="docs" />
                <Preview title=page.title() description=description picture=PICTURE />
                <script type="module" src=link("/copy.js")></script>
                {(page == Page::Api)
                    .then(|| view! { <script type="module" src=link("/docs.js")></script> })}
            </head>
            <body>
                <a class="skip" href="#text">
                    "To the text"
                </a>
                <Glyphs />
                <Index page=page headings=headings />
                <main id="text">
                    <h1>{page.title()}</h1>
                    <p class="lead" inner_html=lead></p>
                    {body}
                </main>
            </body>
        </html>
    }
}

#[component]
fn Index(page: Page, headings: Vec<Heading>) -> impl IntoView {
    let has_headings = !headings.is_empty();
    let here = headings
        .into_iter()
        .map(|Heading { id, text }| {
            view! {
                <li>
                    <a href=format!("#{id}")>{text}</a>
                </li>
            }
        })
        .collect_view();
    let mut here = Some(here);
    let entry = |one: Page| {
        let is_here = one == page;
        view! {
            <li>
                <a href=link(one.path()) aria-current=is_here.then_some("page")>
                    {one.label()}
                </a>
                {(is_here && has_headings).then(|| view! { <ul>{here.take()}</ul> })}
            </li>
        }
    };
    view! {
        <nav aria-label="Documentation">
            <a class="home" href=link("/")>
                <Mark />
                <span>"Spirit and water"</span>
            </a>
            <ul>{Page::ALL.map(entry).collect_view()}</ul>
        </nav>
    }
}

/// HTML of a paragraph as text, for the description.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for character in html.chars() {
        match character {
            '<' => is_tag = true,
            '>' if is_tag => is_tag = false,
            _ if !is_tag => text.push(character),
            _ => {}
        }
    }
    text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}
