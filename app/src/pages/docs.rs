//! The documentation, one page a [`Page`]. Most are the Markdown files of `docs/`, so that what is
//! read there and what is read here cannot differ; the reference is made from the API's
//! description, and the errors from the codes.

mod api;
mod errors;
mod field;
mod layout;
mod prose;
mod schema;

pub use self::errors::Explained;
use self::{layout::layout, prose::Prose};
use crate::shell::{Assets, render};
use serde_json::Value;

/// A page of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Page {
    Overview,
    Api,
    Stream,
    Webhooks,
    Embed,
    Limits,
    Errors,
}

/// What pages are made of.
#[derive(Clone, Copy, Debug)]
pub struct Material<'a> {
    /// Where the service is reached from outside, without a slash at its end.
    pub base_url: &'a str,
    /// The API's OpenAPI document.
    pub openapi: &'a Value,
    pub problems: &'a [Explained],
    pub assets: &'a Assets,
}

/// What of a page's content is on it, for the index.
pub(crate) struct Heading {
    id: String,
    text: String,
}

/// A page's content.
struct Content {
    html: String,
    headings: Vec<Heading>,
}

impl Page {
    /// All pages, in the order of the index.
    pub const ALL: [Page; 7] = [
        Page::Overview,
        Page::Api,
        Page::Stream,
        Page::Webhooks,
        Page::Embed,
        Page::Limits,
        Page::Errors,
    ];

    /// The URL's path.
    pub const fn path(self) -> &'static str {
        match self {
            Page::Overview => "/docs",
            Page::Api => "/docs/api",
            Page::Stream => "/docs/stream",
            Page::Webhooks => "/docs/webhooks",
            Page::Embed => "/docs/embed",
            Page::Limits => "/docs/limits",
            Page::Errors => "/docs/errors",
        }
    }

    /// The page at this path.
    pub fn at(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|page| page.path() == path)
    }

    /// In the index.
    const fn label(self) -> &'static str {
        match self {
            Page::Overview => "Overview",
            Page::Api => "API",
            Page::Stream => "Stream",
            Page::Webhooks => "Webhooks",
            Page::Embed => "Embedding",
            Page::Limits => "Limits",
            Page::Errors => "Errors",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Page::Overview => "Documentation",
            Page::Api => "API reference",
            Page::Stream => "The stream",
            Page::Webhooks => "Webhooks",
            Page::Embed => "Embedding",
            Page::Limits => "Keys, limits and caching",
            Page::Errors => "Errors of the API",
        }
    }

    /// The Markdown that the page is, if it is one.
    const fn markdown(self) -> Option<&'static str> {
        match self {
            Page::Overview => Some(include_str!("../../../docs/README.md")),
            Page::Stream => Some(include_str!("../../../docs/stream.md")),
            Page::Webhooks => Some(include_str!("../../../docs/webhooks.md")),
            Page::Embed => Some(include_str!("../../../docs/embed.md")),
            Page::Limits => Some(include_str!("../../../docs/limits.md")),
            Page::Api | Page::Errors => None,
        }
    }

    fn content(self, material: &Material<'_>) -> (String, Content) {
        match (self, self.markdown()) {
            (Page::Errors, _) => errors::content(material.problems, material.openapi),
            (_, Some(markdown)) => {
                let Prose { lead, content } = Prose::read(markdown, material.base_url);
                (lead, content)
            }
            _ => api::content(material.openapi, material.base_url),
        }
    }
}

/// The document of a page. It is complete without JavaScript; `public/copy.js` adds the copy
/// buttons, and `public/docs.js` shows in place what the API answers.
pub fn page(page: Page, material: &Material<'_>) -> String {
    let (lead, content) = page.content(material);
    render(|| layout(page, lead, content, material.base_url, material.assets))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_found_at_its_path_and_nowhere_else() {
        for page in Page::ALL {
            assert_eq!(Page::at(page.path()), Some(page));
        }
        assert_eq!(Page::at("/docs/"), None);
    }

    #[test]
    fn pages_say_where_this_service_is_and_have_nothing_inline_that_runs() {
        let openapi = serde_json::json!({});
        let assets = Assets::default();
        let base_url = "https://reports.example.net";
        let material = Material { base_url, openapi: &openapi, problems: &[], assets: &assets };
        for one in Page::ALL {
            let html = page(one, &material);
            assert!(html.starts_with("<!DOCTYPE html>"), "{html}");
            assert!(!html.contains("svc.example.org"), "{one:?}");
            assert!(!html.contains(" style=") && !html.contains("<style"), "{one:?}");
            assert_eq!(html.matches("<h1>").count(), 1, "{one:?}");
        }
    }
}
