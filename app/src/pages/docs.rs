//! The documentation, one page a [`Page`]. Most are the Markdown files of `docs/`, so that what is
//! read there and what is read here cannot differ; the reference is made from the API's
//! description, and the errors from the codes.

mod api;
mod errors;
mod field;
mod layout;
mod prose;
mod schema;

use self::{layout::layout, prose::Prose};
use crate::{
    base_url::BaseUrl,
    request::PageRequest,
    source::{SharedSource, Source},
};
use leptos::prelude::*;
use serde_json::Value;

/// A page of the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Page {
    Overview,
    Api,
    Stream,
    Mirroring,
    Webhooks,
    Embed,
    Recipes,
    Limits,
    Errors,
}

/// What of a page's content is on it, for the index.
pub(crate) struct Heading {
    id: String,
    text: String,
}

/// A page's content.
struct Content {
    /// The first paragraph, as HTML.
    lead: String,
    body: AnyView,
    headings: Vec<Heading>,
}

impl Page {
    /// All pages, in the order of the index.
    pub const ALL: [Page; 9] = [
        Page::Overview,
        Page::Api,
        Page::Stream,
        Page::Mirroring,
        Page::Webhooks,
        Page::Embed,
        Page::Recipes,
        Page::Limits,
        Page::Errors,
    ];

    /// The URL's path.
    pub const fn path(self) -> &'static str {
        match self {
            Page::Overview => "/docs",
            Page::Api => "/docs/api",
            Page::Stream => "/docs/stream",
            Page::Mirroring => "/docs/mirroring",
            Page::Webhooks => "/docs/webhooks",
            Page::Embed => "/docs/embed",
            Page::Recipes => "/docs/recipes",
            Page::Limits => "/docs/limits",
            Page::Errors => "/docs/errors",
        }
    }

    /// In the index.
    const fn label(self) -> &'static str {
        match self {
            Page::Overview => "Overview",
            Page::Api => "API",
            Page::Stream => "Stream",
            Page::Mirroring => "Mirroring",
            Page::Webhooks => "Webhooks",
            Page::Embed => "Embedding",
            Page::Recipes => "Recipes",
            Page::Limits => "Limits",
            Page::Errors => "Errors",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Page::Overview => "Documentation",
            Page::Api => "API reference",
            Page::Stream => "The stream",
            Page::Mirroring => "A copy of all reports",
            Page::Webhooks => "Webhooks",
            Page::Embed => "Embedding",
            Page::Recipes => "Recipes for embedding",
            Page::Limits => "Keys, limits and caching",
            Page::Errors => "Errors of the API",
        }
    }

    /// The Markdown that the page is, if it is one.
    const fn markdown(self) -> Option<&'static str> {
        match self {
            Page::Overview => Some(include_str!("../../../docs/README.md")),
            Page::Stream => Some(include_str!("../../../docs/stream.md")),
            Page::Mirroring => Some(include_str!("../../../docs/mirroring.md")),
            Page::Webhooks => Some(include_str!("../../../docs/webhooks.md")),
            Page::Embed => Some(include_str!("../../../docs/embed.md")),
            Page::Recipes => Some(include_str!("../../../docs/recipes.md")),
            Page::Limits => Some(include_str!("../../../docs/limits.md")),
            Page::Api | Page::Errors => None,
        }
    }

    fn content(self, source: &dyn Source, base_url: &BaseUrl) -> Content {
        match (self, self.markdown()) {
            (Page::Errors, _) => errors::content(source.problems(), source.openapi()),
            (_, Some(markdown)) => Prose::read(markdown, base_url).into(),
            _ => api::content(&api::PUBLIC, source.openapi(), base_url),
        }
    }
}

/// The document of a page. It is complete without JavaScript; `public/copy.js` adds the copy
/// buttons, and `public/docs.js` shows in place what the API answers.
#[component]
pub(crate) fn Docs(page: Page) -> impl IntoView {
    let PageRequest { base_url, .. } = expect_context();
    let content = page.content(&*expect_context::<SharedSource>(), &base_url);
    layout(page, content)
}

/// The document of the reference of the operators' API, which is where that is.
///
/// Needs what [`provide_page_context`](crate::shell::provide_page_context) provides.
pub fn operators(document: &Value) -> impl IntoView + use<> {
    let PageRequest { base_url, .. } = expect_context();
    let content = api::content(&api::OPERATORS, document, &base_url);
    let page = layout::for_operators("The operators\u{2019} API", content);
    view! {
        <!DOCTYPE html>
        {page}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, html};

    #[test]
    fn pages_say_where_this_service_is_and_have_nothing_inline_that_runs() {
        for page in Page::ALL {
            let html = html(page.path(), Fake::default());
            assert!(html.starts_with("<!DOCTYPE html>"), "{html}");
            assert!(!html.contains("svc.example.org"), "{page:?}");
            // In code to be copied, it is text.
            let mut tags = html.split('<').skip(1).map(|tag| tag.split('>').next().unwrap());
            assert!(!tags.any(|tag| tag.contains(" style=")), "{page:?}");
            assert!(!html.contains("<style"), "{page:?}");
            assert_eq!(html.matches("<h1>").count(), 1, "{page:?}");
        }
    }
}
