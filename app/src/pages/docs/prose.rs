//! Markdown to the HTML of a page: links to other files become links to their pages, code gets a
//! frame with a copy button, and headings an id. Blocks of HTML are left out: they are pictures for Git hosts.

use super::content::{Content, Heading};
use crate::{base_url::BaseUrl, html::escaped, pages::highlight::highlighted};
use kit::html::{Html, IntoHtml};
use leptos::prelude::*;
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};

/// Address of the service in the Markdown.
pub(super) const EXAMPLE: &str = "https://svc.example.org";
/// Comment in the Markdown in the place of live widgets.
pub(super) const LIVE_WIDGETS: &str = "<!-- live widgets -->";
/// From how many characters on code within a text is long.
const LONG: usize = 26;
/// Section of the second level that public pages leave out.
pub(super) const FOR_OPERATORS: &str = "For operators";

/// Addresses of the links in a Markdown file. Pages have the paths of their files, so a relative link leads to the page of the file.
pub(super) struct Links<'a> {
    /// Path of the page of this file.
    pub(super) page: &'a str,
    pub(super) base_url: &'a BaseUrl,
    /// Whether this address has a page at a path.
    pub(super) has_page: fn(&str) -> bool,
}

impl Links<'_> {
    /// `stream.md#x` is `/docs/stream#x`. Nothing where there is no such page: the link becomes text.
    fn address(&self, link: &str) -> Option<String> {
        if link.starts_with(['#', '/']) || link.contains("://") {
            return Some(link.to_owned());
        }
        let (file, anchor) = link.split_at(link.find('#').unwrap_or(link.len()));
        let folder = self.page.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut path: Vec<&str> =
            if folder.is_empty() { vec!["", "docs"] } else { folder.split('/').collect() };
        for part in file.strip_suffix(".md")?.split('/') {
            match part {
                ".." => _ = path.pop(),
                "README" => {}
                part => path.push(part),
            }
        }
        let path = path.join("/");
        (self.has_page)(&path).then(|| self.base_url.link(path + anchor))
    }
}

/// A Markdown file as a page: what comes after its title.
pub(super) struct Prose {
    /// The first paragraph, as HTML.
    pub(super) lead: String,
    pub(super) html: String,
    pub(super) headings: Vec<Heading>,
}

impl Prose {
    pub(super) fn read(markdown: &str, links: &Links<'_>) -> Self {
        let (_title, rest) = markdown.split_once("\n\n").unwrap_or(("", markdown));
        let (lead, rest) = rest.split_once("\n\n").unwrap_or((rest, ""));
        let mut headings = Vec::new();
        let html = linked(rest, |link| links.address(link), &mut headings);
        let lead = inside(linked(lead, |link| links.address(link), &mut Vec::new()));
        Self { lead, html, headings }
    }
}

impl From<Prose> for Content {
    fn from(Prose { lead, html, headings }: Prose) -> Self {
        Self { lead, body: body(html), headings }
    }
}

/// The text of a page.
pub(super) fn body(html: String) -> Html {
    view! { <div class="prose" inner_html=html></div> }.into_html()
}

/// A paragraph's inside, of a text without links to other pages.
pub(in crate::pages) fn inline(markdown: &str) -> String {
    inside(blocks(markdown))
}

fn inside(html: String) -> String {
    let inside = html.trim().strip_prefix("<p>").and_then(|html| html.strip_suffix("</p>"));
    inside.map_or_else(|| html.clone(), str::to_owned)
}

/// Whole paragraphs, without links to other pages and without headings.
pub(super) fn blocks(markdown: &str) -> String {
    linked(markdown, |link| Some(link.to_owned()), &mut Vec::new())
}

/// Whole paragraphs; adds the headings of the second level. Links without an address become text.
fn linked(
    markdown: &str,
    address: impl Fn(&str) -> Option<String>,
    headings: &mut Vec<Heading>,
) -> String {
    let mut figures = 0;
    let mut is_link = false;
    let mut language = String::new();
    // Text of the current heading or block of code, if any.
    let (mut text, mut code) = (None, None);
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
                language = match &kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                events.push(Event::Html(frame(&language, figures).into()));
                code = Some(String::new());
            }
            Event::Text(said) if code.is_some() => {
                if let Some(code) = &mut code {
                    code.push_str(&said);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                let html = highlighted(&language, &code.take().unwrap_or_default());
                events.push(Event::Html(html.into()));
                events.push(Event::Html("</code></pre></figure>\n".into()));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let address = address(&dest_url).map(CowStr::from);
                is_link = address.is_some();
                events
                    .extend(address.map(|dest_url| {
                        Event::Start(Tag::Link { link_type, dest_url, title, id })
                    }));
            }
            Event::End(TagEnd::Link) if !is_link => {}
            Event::Text(said) | Event::Code(said) if text.is_some() => {
                if let Some(text) = &mut text {
                    text.push_str(&said);
                }
                events.push(Event::Text(said));
            }
            // Code that is too long for a line on a phone may be wrapped; other code stays in one piece.
            Event::Code(said) if said.chars().count() > LONG => {
                let said = escaped(&said);
                events
                    .push(Event::InlineHtml(format!("<code class=\"long\">{said}</code>").into()));
            }
            Event::Html(html) if html.trim() == LIVE_WIDGETS => events.push(Event::Html(html)),
            Event::Html(_) => {}
            Event::InlineHtml(html) => events.push(Event::Text(html)),
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
        "ts" => "TypeScript",
        "html" => "HTML",
        "markdown" => "Markdown",
        "python" => "Python",
        "rust" => "Rust",
        "go" => "Go",
        "jsx" => "JSX",
        "vue" => "Vue",
        "css" => "CSS",
        "toml" => "TOML",
        "yaml" => "YAML",
        "ini" => "INI",
        "nginx" => "nginx",
        "haproxy" => "HAProxy",
        "caddyfile" => "Caddyfile",
        _ => "Text",
    };
    figure_head(label, &format!("code-{number}"))
}

/// A frame around code, up to where the code begins.
pub(super) fn figure_head(label: &str, id: &str) -> String {
    format!(
        "<figure><figcaption><span id=\"{id}-label\">{label}</span>\
         <button type=\"button\" data-copy=\"{id}\" data-copied=\"Copied\" data-selected=\"Selected\" hidden aria-live=\"polite\">Copy</button>\
         </figcaption><pre tabindex=\"0\" role=\"group\" aria-labelledby=\"{id}-label\"><code id=\"{id}\">"
    )
}

/// As GitHub does it, so that an anchor works in both places.
pub(super) fn slug(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The section of the second level with this heading, and the Markdown without it.
pub(super) fn cut(markdown: &str, heading: &str) -> (String, String) {
    let (mut section, mut rest) = (String::new(), String::new());
    let (mut in_code, mut in_section) = (false, false);
    for line in markdown.split_inclusive('\n') {
        in_code ^= line.starts_with("```");
        if let Some(title) = line.strip_prefix("## ").filter(|_| !in_code) {
            in_section = title.trim() == heading;
        }
        if in_section { section.push_str(line) } else { rest.push_str(line) }
    }
    (section, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_becomes_its_title_its_lead_and_the_rest() {
        let markdown = "# Title\n\nWith `code`\nand more.\n\n## One & `two`\n\nSee [it](stream.md#x).\n\
                        \n```sh\n# no heading\ncurl https://svc.example.org/a?b&c\n```\n\
                        \n## For operators\n\n```sh\n## neither\n```\n\nsecret\n\n## Last\n\nEnd.\n";
        let (section, rest) = cut(markdown, FOR_OPERATORS);
        assert_eq!(section, "## For operators\n\n```sh\n## neither\n```\n\nsecret\n\n");
        let base_url = BaseUrl::new("http://a.example", "/b");
        let links =
            Links { page: "/docs", base_url: &base_url, has_page: |path| path == "/docs/stream" };
        let Prose { lead, html, headings } = Prose::read(&rest, &links);
        assert_eq!(lead, "With <code>code</code>\nand more.");
        let ids: Vec<_> = headings.iter().map(|heading| heading.id.as_str()).collect();
        assert_eq!(ids, ["one--two", "last"]);
        assert!(html.contains("<h2 id=\"one--two\">One &amp; two</h2>"), "{html}");
        assert!(html.contains("href=\"/b/docs/stream#x\""), "{html}");
        assert!(html.contains(
            "<code id=\"code-1\"><span class=\"c\"># no heading</span>\ncurl https://svc.example.org/a?b&amp;c\n</code>"
        ));
        assert!(html.contains("End."), "{html}");
    }

    #[test]
    fn relative_links_lead_to_pages_and_others_become_text() {
        let base_url = BaseUrl::new("http://a.example", "/b");
        let has_page = |path: &str| !path.ends_with("nothing");
        for (page, link, address) in [
            ("/docs", "stream.md#x", Some("/b/docs/stream#x")),
            ("/docs", "operate/install.md", Some("/b/docs/operate/install")),
            ("/docs/keys", "README.md#start", Some("/b/docs#start")),
            ("/docs/operate", "keys.md", Some("/b/docs/keys")),
            ("/docs/operate/install", "../keys.md", Some("/b/docs/keys")),
            ("/docs/operate/install", "monitor.md#health", Some("/b/docs/operate/monitor#health")),
            ("/docs/operate/install", "#x", Some("#x")),
            ("/docs/operate/install", "https://c.example/d.md", Some("https://c.example/d.md")),
            ("/docs", "nothing.md", None),
            ("/docs/operate/install", "../../packaging/svc.service", None),
        ] {
            let links = Links { page, base_url: &base_url, has_page };
            assert_eq!(links.address(link).as_deref(), address, "{link} on {page}");
        }
        let links = Links { page: "/docs", base_url: &base_url, has_page };
        let prose = Prose::read("# T\n\n[a](nothing.md) [b](c.md)", &links);
        assert_eq!(prose.lead, "a <a href=\"/b/docs/c\">b</a>");
    }

    #[test]
    fn html_in_a_line_is_text_and_a_block_of_it_is_left_out() {
        assert_eq!(inline("a <script>b</script>"), "a &lt;script&gt;b&lt;/script&gt;");
        assert_eq!(blocks("a\n\n<picture>\n<img>\n</picture>\n\nb"), "<p>a</p>\n<p>b</p>\n");
    }
}
