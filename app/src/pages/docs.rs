//! The documentation, one page a [`Page`]. Most are the Markdown files of `docs/`, so that what is
//! read there and what is read here cannot differ; the reference is made from the API's
//! description, and the list of errors from the codes.

mod api;
mod content;
mod errors;
mod field;
mod json;
mod layout;
mod page;
mod prose;
mod schema;

pub use self::page::Page;
use self::{
    content::Content,
    layout::layout,
    prose::{Prose, without},
};
use crate::{
    base_url::BaseUrl,
    request::PageRequest,
    source::{SharedSource, Source},
};
use leptos::prelude::*;
use serde_json::Value;

impl Page {
    fn content(self, source: &dyn Source, base_url: &BaseUrl) -> Content {
        match (self, self.markdown()) {
            (Page::Errors, Some(markdown)) => {
                let prose = Prose::read(&without(markdown, errors::CODES), base_url);
                errors::content(prose, source.problems())
            }
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
