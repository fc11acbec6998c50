use super::{
    api,
    content::Content,
    errors,
    prose::{EXAMPLE, FOR_OPERATORS, Links, Prose, cut},
    public_page::PublicPage,
};
use crate::{page_data::SharedPageData, request::PageRequest};
use leptos::prelude::*;
use serde_json::Value;

/// Path of the reference of the operators' API.
pub(super) const REFERENCE: &str = "/docs/operator";
/// Path of the index: the section for operators of the overview.
const INDEX: &str = "/docs/operate";

/// A page for operators. It is where their API is.
#[derive(Clone, Copy, Debug)]
pub struct Guide {
    /// The URL's path.
    pub path: &'static str,
    /// Name in the index.
    pub(super) label: &'static str,
    markdown: &'static str,
}

impl Guide {
    /// Markdown of the page, in the index without its heading, which is the title.
    pub(super) fn section(&self) -> String {
        match self.path {
            INDEX => cut(self.markdown, FOR_OPERATORS).0.replace("## For operators\n", ""),
            _ => self.markdown.to_owned(),
        }
    }
}

macro_rules! guides {
    ($($label:literal: $path:literal from $file:literal,)*) => {
        [$(Guide {
            path: $path,
            label: $label,
            markdown: include_str!(concat!("../../../../docs/", $file)),
        }),*]
    };
}

/// All pages for operators but the reference, in the order of the index.
pub const GUIDES: [Guide; 16] = guides! {
    "For operators": "/docs/operate" from "README.md",
    "Install": "/docs/operate/install" from "operate/install.md",
    "Configure": "/docs/operate/configure" from "operate/configure.md",
    "Proxies and TLS": "/docs/proxies" from "proxies.md",
    "Back up": "/docs/operate/back-up" from "operate/back-up.md",
    "Monitor": "/docs/operate/monitor" from "operate/monitor.md",
    "Several nodes": "/docs/operate/several-nodes" from "operate/several-nodes.md",
    "A million visitors": "/docs/scale" from "scale.md",
    "Troubleshoot": "/docs/operate/troubleshoot" from "operate/troubleshoot.md",
    "Webhooks for operators": "/docs/webhooks-operate" from "webhooks-operate.md",
    "Keys": "/docs/keys" from "keys.md",
    "Import": "/docs/import" from "import.md",
    "Desk": "/docs/desk" from "desk.md",
    "Moderation": "/docs/moderation" from "moderation.md",
    "Reports from the public": "/docs/intake" from "intake.md",
    "Performance": "/docs/performance" from "performance.md",
};

/// Title and content of the requested page: a guide, the reference, or on an address of the operators' own a public
/// page.
pub(super) fn content(reference: &Value, public_url: &str) -> (&'static str, Content) {
    let PageRequest { path, base_url, .. } = expect_context();
    let guide = GUIDES.iter().find(|guide| guide.path == path);
    let page = PublicPage::ALL.into_iter().find(|page| page.path() == path);
    let markdown = match (guide, page) {
        (Some(guide), _) => guide.markdown,
        // Requests cannot be tried out here.
        (_, Some(PublicPage::Api)) => include_str!("../../../../docs/api.md"),
        (_, page) => match page.and_then(PublicPage::markdown) {
            Some(markdown) => markdown,
            None => {
                let content = api::content(&api::OPERATORS, reference, &base_url);
                return ("The operators\u{2019} API", content);
            }
        },
    };
    let links = Links { page: &path, base_url: &base_url, has_page: is_at };
    let read = |markdown: &str| Prose::read(&markdown.replace(EXAMPLE, public_url), &links);
    let title = markdown.lines().next().unwrap_or_default().trim_start_matches("# ");
    match page {
        _ if path == INDEX => (FOR_OPERATORS, read(&cut(markdown, FOR_OPERATORS).0).into()),
        Some(PublicPage::Errors) => {
            let source: SharedPageData = expect_context();
            (title, errors::content(markdown, read, source.problems()))
        }
        _ => (title, read(markdown).into()),
    }
}

/// Whether operators have a page at this path.
fn is_at(path: &str) -> bool {
    path == REFERENCE || PublicPage::is_at(path) || GUIDES.iter().any(|guide| guide.path == path)
}
