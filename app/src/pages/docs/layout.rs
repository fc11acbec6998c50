use super::{
    content::{Content, Heading},
    guide::{GUIDES, REFERENCE},
    public_page::PublicPage,
    search::INDEX,
};
use crate::{
    brand::Brand,
    pages::mark::Mark,
    request::PageRequest,
    shell::{Glyphs, Head, Preview, link},
};
use kit::{
    html::{Html, IntoHtml},
    lang::Lang,
};
use leptos::prelude::*;
use model::ReportType;
use std::sync::Arc;

/// Layout of all documentation pages: the index is beside the text if there is room.
pub(super) fn layout(page: PublicPage, content: Content) -> Html {
    let Content { lead, body, headings } = content;
    let (title, description) = (page.title(), plain(&lead));
    let brand = expect_context::<Arc<Brand>>();
    // Without its numbers: the pages stay the same when those change.
    let [spirit, water, both] = ReportType::ALL.map(|kind| brand.in_sentence(kind, Lang::En));
    let picture = format!("The counters: reports in total, of {spirit}, {water} and {both}");
    let preview =
        view! { <Preview title=title.to_owned() description=description picture=picture /> };
    // Parts of the reference are only in its own index.
    let is_reference = page == PublicPage::Api || page.is_part();
    let entries: Vec<_> = PublicPage::ALL
        .into_iter()
        .filter(|page| is_reference || !page.is_part())
        .map(|page| (page.path(), page.label()))
        .collect();
    let index = view! {
        <a class="home" href=link("/")>
            <Mark />
            <span>{brand.name(Lang::En)}</span>
        </a>
        {search()}
        {index(&entries, page.path(), headings)}
    };
    document(DocsPage { title, tries: is_reference, preview, index, lead, body })
}

/// Layout of a page on the operator's address.
pub(super) fn for_operators(title: &'static str, content: Content) -> Html {
    let Content { lead, body, headings } = content;
    let PageRequest { path, .. } = expect_context();
    let preview = view! { <meta name="robots" content="noindex" /> };
    let mut entries: Vec<_> = GUIDES.iter().map(|guide| (guide.path, guide.label)).collect();
    entries.push((REFERENCE, "API for operators"));
    let public = PublicPage::ALL.into_iter().filter(|page| !page.is_part());
    entries.extend(public.map(|page| (page.path(), page.label())));
    let index = view! {
        <a class="home" href=link("/desk")>
            <Mark />
            <span>"The desk"</span>
        </a>
        {search()}
        {index(&entries, &path, headings)}
    };
    document(DocsPage { title, tries: path == REFERENCE, preview, index, lead, body })
}

/// The search field, hidden until `public/search.js` runs.
fn search() -> impl IntoView {
    view! {
        <div class="search" hidden>
            <input
                id="search"
                type="search"
                placeholder="Search"
                aria-label="Search the documentation"
                autocomplete="off"
                spellcheck="false"
                data-index=link(INDEX)
            />
            <kbd aria-hidden="true">"/"</kbd>
            <p class="unseen" role="status"></p>
            <ul hidden></ul>
        </div>
    }
}

/// Links to pages, each with its path and its name. The page itself has its headings below.
///
/// In narrow viewports, a button opens the list as a popover, without a script. In wide ones, `style/docs.css` shows it
/// beside the text.
fn index(
    entries: &[(&'static str, &'static str)],
    page: &str,
    headings: Vec<Heading>,
) -> impl IntoView + use<> {
    let mut headings = Some(headings);
    let label = entries.iter().find(|(path, _)| *path == page).map_or("Pages", |(_, label)| label);
    let entry = |(path, label): &(&'static str, &'static str)| {
        let is_here = *path == page;
        let is_part = PublicPage::ALL.iter().any(|page| page.is_part() && page.path() == *path);
        view! {
            <li class=is_part.then_some("part")>
                <a href=link(path) aria-current=is_here.then_some("page")>
                    {*label}
                </a>
                {is_here.then(|| headings.take().map(below))}
            </li>
        }
    };
    let entries = entries.iter().map(entry).collect_view();
    let button = view! { <button type="button">{label}</button> }.attr("popovertarget", "pages");
    let list = view! {
        <div id="pages">
            <ul>{entries}</ul>
        </div>
    };
    (button, list.attr("popover", ""))
}

/// Parts in which the pages differ.
struct DocsPage<P, I> {
    title: &'static str,
    /// Whether requests can be tried out.
    tries: bool,
    preview: P,
    index: I,
    lead: String,
    body: Html,
}

fn document<P: IntoView, I: IntoView>(shown: DocsPage<P, I>) -> Html {
    let DocsPage { title, tries, preview, index, lead, body } = shown;
    view! {
        <html lang="en" data-theme="auto">
            <head>
                <Head title=title.to_owned() style="docs" />
                {preview}
                <script type="module" src=link("/copy.js")></script>
                <script type="module" src=link("/search.js")></script>
                {tries.then(|| view! { <script type="module" src=link("/docs.js")></script> })}
            </head>
            <body>
                <a class="skip" href="#text">
                    "To the text"
                </a>
                <Glyphs />
                <nav aria-label="Documentation">{index}</nav>
                <main id="text">
                    <h1>{title}</h1>
                    <p class="lead" inner_html=lead></p>
                    {body}
                </main>
            </body>
        </html>
    }
    .into_html()
}

/// Entries of a page's headings in the index.
fn below(headings: Vec<Heading>) -> impl IntoView {
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
    has_headings.then(|| view! { <ul>{here}</ul> })
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
