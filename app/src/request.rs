//! The parameters that determine a page.

use crate::{
    base_url::BaseUrl,
    contract::{EmbedOptions, snippets::Embed},
    widgets::registry::{WIDGETS, Widget},
};
use kit::lang::Lang;

/// A request for a page, reduced to the parts that the page depends on. Equal requests get equal
/// bytes while the data stay the same, so it can be a cache key. Pages find it in their context.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PageRequest {
    pub kind: PageKind,
    /// Path of the URL.
    pub path: String,
    /// The widget and its options: the one shown at `/embed/…`, or on other pages the one chosen in
    /// the snippet builder.
    pub embed: Embed,
    /// Language of the page.
    pub lang: Lang,
    /// Whether the query chose the language. Otherwise it is the visitor's, or the only one of the page.
    pub is_lang_chosen: bool,
    /// Public base URL of the service.
    pub base_url: BaseUrl,
}

/// Kind of page. Determines its headers and its caching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PageKind {
    /// `/embed/…`: shows data on other sites, in the visitor's language.
    Widget,
    /// `/docs…`: independent of data and query.
    Docs,
    /// Any other page: shows data, and reads widget options from its query.
    Page,
    /// The page for unknown paths; `framed` if below `/embed/`.
    NotFound { framed: bool },
}

impl PageKind {
    /// Whether other sites may show the page in a frame.
    pub fn is_framed(self) -> bool {
        matches!(self, Self::Widget | Self::NotFound { framed: true })
    }

    /// Whether the page changes with the data. Such a page is in the visitor's language.
    pub fn has_data(self) -> bool {
        matches!(self, Self::Widget | Self::Page)
    }
}

impl PageRequest {
    /// Reads a request. Returns `None` if the path names an unknown widget.
    ///
    /// `accept_language` is the header of that name. The documentation is in English only. The language of the home
    /// page is `language=`, because `lang=` is the widget's in the snippet builder.
    pub fn new(
        path: &str,
        query: &str,
        accept_language: Option<&str>,
        base_url: BaseUrl,
    ) -> Option<Self> {
        let path = path.to_owned();
        let accepted = || Lang::accepted(accept_language?);
        if let Some(name) = path.strip_prefix("/embed/") {
            let embed =
                Embed { widget: Widget::named(name)?, options: EmbedOptions::from_query(query) };
            let chosen = embed.options.lang;
            let lang = chosen.or_else(accepted).unwrap_or_default();
            let is_lang_chosen = chosen.is_some();
            let kind = PageKind::Widget;
            return Some(Self { kind, path, embed, lang, is_lang_chosen, base_url });
        }
        if path == "/docs" || path.starts_with("/docs/") {
            return Some(Self::in_english(PageKind::Docs, path, base_url));
        }
        let languages =
            form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "language");
        let chosen = languages.filter_map(|(_, tag)| Lang::from_tag(&tag)).last();
        let lang = chosen.or_else(accepted).unwrap_or_default();
        let (is_lang_chosen, embed) = (chosen.is_some(), Embed::from_query(query));
        Some(Self { kind: PageKind::Page, path, embed, lang, is_lang_chosen, base_url })
    }

    /// A request for an unknown path. There are only two such pages, because the number of unknown
    /// paths is unlimited and each would take a place in the cache.
    pub fn not_found(path: &str, base_url: BaseUrl) -> Self {
        let kind = PageKind::NotFound { framed: path.starts_with("/embed/") };
        // No route matches this path, so the router uses its fallback.
        Self::in_english(kind, "/404".to_owned(), base_url)
    }

    fn in_english(kind: PageKind, path: String, base_url: BaseUrl) -> Self {
        let embed = Embed { widget: &WIDGETS[0], options: EmbedOptions::default() };
        Self { kind, path, embed, lang: Lang::En, is_lang_chosen: false, base_url }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(path: &str, query: &str, accept_language: &str) -> Option<PageRequest> {
        PageRequest::new(path, query, Some(accept_language), BaseUrl::default())
    }

    #[test]
    fn a_widget_is_in_the_language_asked_for_else_in_the_visitors() {
        for (query, accepted, lang) in [
            ("lang=de", "fr", Lang::De),
            ("lang=xx", "fr", Lang::Fr),
            ("lang=page", "fr", Lang::Fr),
            ("", "fr;q=0.5, ar", Lang::Ar),
            ("", "ja", Lang::En),
        ] {
            assert_eq!(request("/embed/feed", query, accepted).unwrap().lang, lang, "{query}");
        }
    }

    #[test]
    fn the_home_page_has_a_language_besides_the_one_in_its_snippets() {
        for (query, accepted, lang) in [
            ("language=de&lang=ar", "fr", Lang::De),
            ("lang=ar", "fr", Lang::Fr),
            ("language=xx", "pt-BR, en;q=0.5", Lang::Pt),
            ("", "ja", Lang::En),
        ] {
            let request = request("/", query, accepted).unwrap();
            assert_eq!(request.lang, lang, "{query}");
            assert_eq!(request.is_lang_chosen, query.starts_with("language=de"), "{query}");
        }
        assert_eq!(request("/docs", "language=de", "fr").unwrap().lang, Lang::En);
    }

    #[test]
    fn what_a_page_does_not_depend_on_makes_no_difference() {
        let same = |path, query, accepted| {
            assert_eq!(request(path, query, accepted), request(path, "", "en"), "{path}");
        };
        same("/embed/metrics", "theme=auto&unknown=1", "ja");
        same("/", "theme=auto&unknown=1", "ja");
        same("/docs/api", "theme=dark&lang=de", "fr");
    }

    #[test]
    fn an_unknown_widget_has_no_page() {
        for path in ["/embed/nothing", "/embed/", "/embed/metrics/"] {
            assert_eq!(request(path, "", "en"), None, "{path}");
        }
    }
}
