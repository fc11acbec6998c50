//! Index of the documentation for `public/search.js`: the headings of all pages, each with the code in its section.

use super::{
    api,
    guide::{GUIDES, REFERENCE},
    json::{members, text},
    prose::{FOR_OPERATORS, cut, slug},
    public_page::PublicPage,
};
use crate::page_data::ProblemCode;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use serde::Serialize;
use serde_json::Value;

/// Path of the index.
pub const INDEX: &str = "/docs/search.json";
/// Maximum length of a section's code, in bytes, so that the whole index is at most 15 kB.
const MAX_CODE: usize = 60;

/// A page: its path, its label and its sections.
#[derive(Debug, Serialize)]
pub struct Page(&'static str, &'static str, Vec<Section>);

/// A section: its anchor, its heading and the code in it.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Section(String, String, String);

/// Index of the public pages.
pub fn public(reference: &Value, problems: &[ProblemCode]) -> Vec<Page> {
    pages(PublicPage::ALL.into_iter(), reference, problems)
}

/// Index of the public pages that the operator's address has, too. They describe no operations.
pub fn public_beside_guides(problems: &[ProblemCode]) -> Vec<Page> {
    let without_parts = PublicPage::ALL.into_iter().filter(|page| !page.is_part());
    pages(without_parts, &Value::Null, problems)
}

fn pages(
    pages: impl Iterator<Item = PublicPage>,
    reference: &Value,
    problems: &[ProblemCode],
) -> Vec<Page> {
    let page = |page: PublicPage| {
        let mut found = match page.markdown() {
            Some(markdown) => sections(&cut(markdown, FOR_OPERATORS).1),
            None => operations(&api::PUBLIC, reference, |short| {
                PublicPage::of_operations(short) == page
            }),
        };
        if page == PublicPage::Errors {
            let codes = problems.iter().map(|problem| problem.code.to_owned());
            found.extend(codes.map(|code| Section(code.clone(), code, String::new())));
        }
        Page(page.path(), page.label(), found)
    };
    pages.map(page).collect()
}

/// Index of the pages for operators.
pub fn for_operators(reference: &Value) -> Vec<Page> {
    let guides =
        GUIDES.iter().map(|guide| Page(guide.path, guide.label, sections(&guide.section())));
    let reference =
        Page(REFERENCE, "API for operators", operations(&api::OPERATORS, reference, |_| true));
    guides.chain([reference]).collect()
}

/// Sections of a Markdown file, of the second and third level.
fn sections(markdown: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut heading = None;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H2 | HeadingLevel::H3, .. }) => {
                heading = Some(String::new());
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some(heading) = heading.take() {
                    sections.push(Section(slug(&heading), heading, String::new()));
                }
            }
            Event::Text(said) | Event::Code(said) if heading.is_some() => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&said);
                }
            }
            Event::Code(said) => {
                if let Some(Section(_, heading, code)) = sections.last_mut() {
                    let is_known =
                        code.split(' ').chain([heading.as_str()]).any(|word| word == &*said);
                    if !is_known && !said.contains(' ') && code.len() + said.len() < MAX_CODE {
                        code.push_str(if code.is_empty() { "" } else { " " });
                        code.push_str(&said);
                    }
                }
            }
            _ => {}
        }
    }
    sections
}

/// Operations of a reference: the summary is the heading, and method and path are further words.
fn operations(
    api: &api::Reference,
    document: &Value,
    is_shown: impl Fn(&str) -> bool,
) -> Vec<Section> {
    let mut sections = Vec::new();
    for (path, methods) in
        members(&document["paths"]).filter(|(path, _)| is_shown(&api.short(path)))
    {
        for (method, operation) in members(methods) {
            let words = format!("{} {}", method.to_uppercase(), api.short(path));
            sections.push(Section(
                text(&operation["operationId"]),
                text(&operation["summary"]),
                words,
            ));
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_section_has_its_heading_and_its_code_once() {
        let markdown = "# Title\n\n`no`\n\n## Text & `code`\n\n`a` `a` `two words` `b`\n\n### Third\n\n#### Fourth\n\n`c`\n";
        let section = |anchor: &str, heading: &str, code: &str| {
            Section(anchor.to_owned(), heading.to_owned(), code.to_owned())
        };
        let third = section("third", "Third", "c");
        assert_eq!(sections(markdown), [section("text--code", "Text & code", "a b"), third]);
    }

    #[test]
    fn operations_are_found_by_their_summary_and_their_path() {
        let operation = json!({ "operationId": "getMetrics", "summary": "Counters" });
        let document = json!({ "paths": { "/api/v1/metrics": { "get": operation } } });
        let Section(anchor, heading, words) = &operations(&api::PUBLIC, &document, |_| true)[0];
        assert_eq!((&**anchor, &**heading, &**words), ("getMetrics", "Counters", "GET /metrics"));
    }

    #[test]
    fn the_index_is_small() {
        let size = |pages: Vec<Page>| serde_json::to_string(&pages).unwrap().len();
        let public = size(public(&Value::Null, &[]));
        let operators = size(for_operators(&Value::Null));
        // Operations and codes add a little less than 3 kB.
        assert!(public <= 12_000, "{public}");
        assert!(operators <= 15_000, "{operators}");
    }
}
