//! Texts and addresses of pages that exist in every language.

use super::docs::inline;
use crate::{request::PageRequest, words::Word};
use kit::lang::Lang;
use leptos::prelude::*;

/// A text in the language of the page.
pub(super) fn text(word: Word) -> &'static str {
    word.text(expect_context::<PageRequest>().lang)
}

/// A text with Markdown, as HTML.
pub(super) fn rich(word: Word) -> String {
    let base = expect_context::<PageRequest>().base_url;
    inline(&text(word).replace("](/", &["](", base.path(), "/"].concat()))
}

/// Address of this page in a language.
pub(super) fn address(lang: Lang) -> String {
    let PageRequest { path, .. } = expect_context();
    format!("{path}?language={}", lang.tag())
}

/// Addresses of the page in all languages, for search engines.
pub(super) fn alternates() -> impl IntoView {
    let PageRequest { base_url, .. } = expect_context();
    let alternate = |lang: Lang| {
        view! { <link rel="alternate" hreflang=lang.tag() href=format!("{base_url}{}", address(lang)) /> }
    };
    Lang::ALL.map(alternate).collect_view()
}
