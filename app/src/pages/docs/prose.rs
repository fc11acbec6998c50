//! Markdown to the HTML of a page: links to other files become links to their pages, code gets a
//! frame with a copy button, and headings an id.

use super::content::{Content, Heading};
use crate::base_url::BaseUrl;
use leptos::prelude::*;
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};
use std::borrow::Cow;

/// The address that the Markdown speaks of, for this service's own.
const EXAMPLE: &str = "https://svc.example.org";
/// From how many characters on code within a text is long.
const LONG: usize = 26;
/// Heading of the section that is for operators only, and not shown.
const NOT_SHOWN: &str = "For operators";

/// A Markdown file as a page: what comes after its title.
pub(super) struct Prose {
    /// The first paragraph, as HTML.
    pub(super) lead: String,
    pub(super) html: String,
    pub(super) headings: Vec<Heading>,
}

impl Prose {
    pub(super) fn read(markdown: &str, base_url: &BaseUrl) -> Self {
        let markdown = markdown.replace(EXAMPLE, base_url.as_str());
        let shown = without(&markdown, NOT_SHOWN);
        let (_title, rest) = shown.split_once("\n\n").unwrap_or(("", &shown));
        let (lead, rest) = rest.split_once("\n\n").unwrap_or((rest, ""));
        let mut headings = Vec::new();
        let html = linked(rest, base_url, &mut headings);
        Self { lead: inside(linked(lead, base_url, &mut Vec::new())), html, headings }
    }
}

impl From<Prose> for Content {
    fn from(Prose { lead, html, headings }: Prose) -> Self {
        Self { lead, body: body(html), headings }
    }
}

/// The text of a page.
pub(super) fn body(html: String) -> AnyView {
    view! { <div class="prose" inner_html=html></div> }.into_any()
}

/// A paragraph's inside, of a text without links to other pages.
pub(super) fn inline(markdown: &str) -> String {
    inside(blocks(markdown))
}

fn inside(html: String) -> String {
    let inside = html.trim().strip_prefix("<p>").and_then(|html| html.strip_suffix("</p>"));
    inside.map_or_else(|| html.clone(), str::to_owned)
}

/// Whole paragraphs, without links to other pages and without headings.
pub(super) fn blocks(markdown: &str) -> String {
    linked(markdown, &BaseUrl::default(), &mut Vec::new())
}

/// Whole paragraphs; adds the headings of the second level.
fn linked(markdown: &str, base_url: &BaseUrl, headings: &mut Vec<Heading>) -> String {
    let mut figures = 0;
    // Text of the current heading or block of code, if any.
    let mut text = None;
    let mut events = Vec::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                text = Some(String::new());
                events.push(Event::Html("".into()));
            }
            Event::End(TagEnd::Heading(level)) => {
                let said = text.take().unwrap_or_default();
                let id = slug(&said);
                // Back where the heading began, now that its id is known.
                let begin = events.iter().rposition(|event| *event == Event::Html("".into()));
                if let Some(begin) = begin {
                    events[begin] = Event::Html(format!("<{level} id=\"{id}\">").into());
                }
                events.push(Event::Html(format!("</{level}>\n").into()));
                if level == HeadingLevel::H2 {
                    headings.push(Heading { id, text: said });
                }
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                figures += 1;
                let language = match &kind {
                    CodeBlockKind::Fenced(language) => language.as_ref(),
                    CodeBlockKind::Indented => "",
                };
                events.push(Event::Html(frame(language, figures).into()));
            }
            Event::End(TagEnd::CodeBlock) => {
                events.push(Event::Html("</code></pre></figure>\n".into()));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = CowStr::from(address(&dest_url, base_url).into_owned());
                events.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
            }
            Event::Text(said) | Event::Code(said) if text.is_some() => {
                if let Some(text) = &mut text {
                    text.push_str(&said);
                }
                events.push(Event::Text(said));
            }
            // Code that is too long for a line on a phone may be wrapped; other code stays in one piece.
            Event::Code(said) if said.chars().count() > LONG => {
                let said = escape(&said);
                events
                    .push(Event::InlineHtml(format!("<code class=\"long\">{said}</code>").into()));
            }
            // A file's own HTML is not for a page of ours.
            Event::Html(html) | Event::InlineHtml(html) => events.push(Event::Text(html)),
            event => events.push(event),
        }
    }
    let mut out = String::new();
    html::push_html(&mut out, events.into_iter());
    out
}

fn frame(language: &str, number: usize) -> String {
    let label = match language {
        "sh" | "console" => "Shell",
        "http" => "HTTP",
        "json" => "JSON",
        "js" => "JavaScript",
        "html" => "HTML",
        "markdown" => "Markdown",
        "python" => "Python",
        "rust" => "Rust",
        "go" => "Go",
        "jsx" => "JSX",
        "vue" => "Vue",
        "css" => "CSS",
        _ => "Text",
    };
    figure_head(label, &format!("code-{number}"))
}

/// A frame around code, up to where the code begins.
pub(super) fn figure_head(label: &str, id: &str) -> String {
    format!(
        "<figure><figcaption><span id=\"{id}-label\">{label}</span>\
         <button type=\"button\" data-copy=\"{id}\" hidden aria-live=\"polite\">Copy</button>\
         </figcaption><pre tabindex=\"0\" role=\"group\" aria-labelledby=\"{id}-label\"><code id=\"{id}\">"
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The page of a file: `stream.md#x` is `/docs/stream#x`.
fn address<'a>(link: &'a str, base_url: &BaseUrl) -> Cow<'a, str> {
    let (file, anchor) = match link.find('#') {
        Some(at) => link.split_at(at),
        None => (link, ""),
    };
    match file.strip_suffix(".md") {
        Some("README") => base_url.link(format!("/docs{anchor}")).into(),
        Some(name) if !name.contains('/') => base_url.link(format!("/docs/{name}{anchor}")).into(),
        _ => link.into(),
    }
}

/// As GitHub does it, so that an anchor works in both places.
fn slug(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The Markdown without one section of the second level.
pub(super) fn without(markdown: &str, heading: &str) -> String {
    let mut kept = String::new();
    let (mut in_code, mut in_section) = (false, false);
    for line in markdown.split_inclusive('\n') {
        in_code ^= line.starts_with("```");
        if let Some(title) = line.strip_prefix("## ").filter(|_| !in_code) {
            in_section = title.trim() == heading;
        }
        if !in_section {
            kept.push_str(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_becomes_its_title_its_lead_and_the_rest() {
        let markdown = "# Title\n\nWith `code`\nand more.\n\n## One & `two`\n\nSee [it](stream.md#x).\n\
                        \n```sh\n# no heading\ncurl https://svc.example.org/a?b&c\n```\n\
                        \n## For operators\n\n```sh\n## neither\n```\n\nsecret\n\n## Last\n\nEnd.\n";
        let Prose { lead, html, headings } =
            Prose::read(markdown, &BaseUrl::new("http://a.example", "/b"));
        assert_eq!(lead, "With <code>code</code>\nand more.");
        let ids: Vec<_> = headings.iter().map(|heading| heading.id.as_str()).collect();
        assert_eq!(ids, ["one--two", "last"]);
        assert!(html.contains("<h2 id=\"one--two\">One &amp; two</h2>"), "{html}");
        assert!(html.contains("href=\"/b/docs/stream#x\""), "{html}");
        assert!(html.contains(
            "<code id=\"code-1\"># no heading\ncurl http://a.example/b/a?b&amp;c\n</code>"
        ));
        assert!(!html.contains("secret") && html.contains("End."), "{html}");
    }

    #[test]
    fn html_in_a_file_is_text() {
        assert_eq!(inline("a <script>b</script>"), "a &lt;script&gt;b&lt;/script&gt;");
    }
}
