//! The documentation, one page a [`PublicPage`], and for operators one a [`Guide`](guide::Guide). Most pages are the
//! Markdown files of `docs/`, so that there is one text for both; the references are made from the APIs' descriptions,
//! and the list of errors from the codes.

mod api;
mod content;
mod errors;
mod field;
mod guide;
mod json;
mod layout;
mod overview;
mod prose;
mod public_page;
mod receivers;
mod request;
mod schema;
pub mod search;
mod tabs;
mod widgets;

pub(super) use self::prose::inline;
use self::{
    content::Content,
    layout::layout,
    prose::{EXAMPLE, FOR_OPERATORS, LIVE_WIDGETS, Links, Prose, cut},
};
pub use self::{
    guide::GUIDES,
    public_page::PublicPage,
    receivers::{Receiver, receivers},
};
use crate::{
    base_url::BaseUrl,
    page_data::{PageData, SharedPageData},
    request::PageRequest,
};
use leptos::prelude::*;
use serde_json::Value;

impl PublicPage {
    fn content(self, source: &dyn PageData, base_url: &BaseUrl) -> Content {
        let links = Links { page: self.path(), base_url, has_page: PublicPage::is_at };
        let read =
            |markdown: &str| Prose::read(&markdown.replace(EXAMPLE, base_url.as_str()), &links);
        match (self, self.markdown()) {
            (PublicPage::Errors, Some(markdown)) => {
                errors::content(markdown, read, source.problems())
            }
            (_, Some(markdown)) => {
                let mut prose = read(&cut(markdown, FOR_OPERATORS).1);
                if prose.html.contains(LIVE_WIDGETS) {
                    prose.html = prose.html.replace(LIVE_WIDGETS, &widgets::live(base_url));
                }
                prose.into()
            }
            (PublicPage::Api, None) => overview::content(source.openapi()),
            (part, None) => api::part(part, source.openapi(), base_url),
        }
    }
}

/// The document of a page. It is complete without JavaScript; `public/copy.js` adds the copy
/// buttons, and `public/docs.js` shows in place what the API answers.
#[component]
pub(crate) fn Docs(page: PublicPage) -> impl IntoView {
    let PageRequest { base_url, .. } = expect_context();
    let content = page.content(&*expect_context::<SharedPageData>(), &base_url);
    layout(page, content)
}

/// Document of a page for operators. `reference` is the description of their API, `public_url` the URL of the public
/// address, if it is set.
///
/// Needs the context of [`provide_page_context`](crate::shell::provide_page_context).
pub fn operators(reference: &Value, public_url: Option<&str>) -> impl IntoView + use<> {
    let (title, content) = guide::content(reference, public_url.unwrap_or(EXAMPLE));
    let page = layout::for_operators(title, content);
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
        for page in PublicPage::ALL {
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
