//! Snippets that embed a widget with its options.

use super::options::{Background, EmbedOptions, Name};
use crate::{
    html::escaped,
    widgets::registry::{WIDGETS, Widget},
};
use kit::lang::Lang;
use serde::Deserialize;

/// A released version of `embed.js`, whose bytes never change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Loader {
    /// Path of the URL, which contains a hash of the bytes.
    pub path: String,
    /// Value of the `integrity` attribute (Subresource Integrity).
    pub integrity: String,
}

/// A widget with its options, for embedding in a page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Embed {
    pub widget: &'static Widget,
    pub options: EmbedOptions,
}

impl Embed {
    /// Reads `widget=` and the options from a query. Unknown values fall back to the defaults.
    pub fn from_query(query: &str) -> Self {
        let asked = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "widget");
        let known = asked.filter_map(|(_, value)| Widget::named(&value)).last();
        Self { widget: known.unwrap_or(&WIDGETS[0]), options: EmbedOptions::from_query(query) }
    }

    /// Title of the widget: the chosen title, else the widget's name in the chosen language, else
    /// its English name.
    pub fn title(&self) -> &str {
        let name = self.widget.title(self.options.lang.unwrap_or(Lang::En));
        self.options.title.as_ref().map(Name::as_ref).unwrap_or(name)
    }

    /// Title of the widget's page, in the language of the page.
    pub(crate) fn heading(&self, lang: Lang) -> &str {
        self.options.title.as_ref().map_or(self.widget.title(lang), Name::as_ref)
    }

    /// The path, with the options that differ from their defaults.
    pub fn address(&self) -> String {
        self.address_of("")
    }

    /// Address of the PNG picture with the same options, if the widget has a picture.
    pub fn png(&self) -> Option<String> {
        self.widget.has_picture().then(|| self.address_of(".png"))
    }

    fn address_of(&self, ending: &str) -> String {
        let Self { widget, options } = self;
        let query = options.to_query();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{ending}{mark}{query}", widget.path())
    }

    /// HTML of the iframe, with `separator` between its attributes.
    pub fn iframe(&self, base_url: &str, width: &str, height: &str, separator: &str) -> String {
        let src = escaped(&format!("{base_url}{}", self.address()));
        let (width, height, title) = (escaped(width), escaped(height), escaped(self.title()));
        // If the colour schemes of a frame and its document differ, browsers paint an opaque
        // background behind the document. Without a background of its own, the document uses the
        // light scheme.
        let scheme = match self.options.bg {
            Background::None => "; color-scheme: light",
            Background::Surface => "",
        };
        // A style, because themes also style iframes and would override the attributes.
        let style = format!(
            "width: {}; height: {}; max-width: 100%; box-sizing: content-box;{}padding: 0; border: 0; \
             border-radius: 12px{scheme}",
            length(&width),
            length(&height),
            separator.replace("  ", "    "),
        );
        format!(
            "<iframe src=\"{src}\"{separator}width=\"{width}\" height=\"{height}\" \
             frameborder=\"0\"{separator}style=\"{style}\"{separator}title=\"{title}\"></iframe>"
        )
    }

    /// HTML of the loader script and the element that it replaces. The element's style reserves the space of the widget
    /// until the script runs.
    pub fn script(&self, base_url: &str) -> String {
        self.with_loader(base_url, "/embed.js")
    }

    /// Like [`Self::script`], with a fixed version of the script and its integrity hash.
    pub fn pinned_script(&self, base_url: &str, Loader { path, integrity }: &Loader) -> String {
        let loader = format!("{path}\"\n  integrity=\"{integrity}\"\n  crossorigin=\"anonymous");
        self.with_loader(base_url, &loader)
    }

    fn with_loader(&self, base_url: &str, loader: &str) -> String {
        let base = escaped(base_url);
        let Widget { name, height, .. } = self.widget;
        let options: String = self
            .options
            .pairs()
            .iter()
            .map(|(name, value)| format!("\n  data-{name}=\"{}\"", escaped(value)))
            .collect();
        format!(
            "<script src=\"{base}{loader}\"\n  data-base=\"{base}\" async></script>\n\n\
             <div data-svc=\"{name}\" style=\"min-height: {height}px\"\n  data-width=\"100%\" \
             data-height=\"{height}\"{options}></div>"
        )
    }
}

/// A size attribute as a CSS length: a bare number is in pixels.
fn length(size: &str) -> String {
    let bare = size.bytes().all(|byte| byte.is_ascii_digit());
    format!("{size}{}", if bare { "px" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_in_both_snippets_and_the_defaults_in_none() {
        let embed = Embed::from_query("widget=metrics&theme=dark&bg=none");
        assert_eq!(embed.address(), "/embed/metrics?theme=dark&bg=none");
        assert_eq!(
            embed.iframe("https://a.example", "100%", "120", " "),
            "<iframe src=\"https://a.example/embed/metrics?theme=dark&amp;bg=none\" width=\"100%\" \
             height=\"120\" frameborder=\"0\" style=\"width: 100%; height: 120px; max-width: 100%; \
             box-sizing: content-box; padding: 0; border: 0; border-radius: 12px; color-scheme: light\" \
             title=\"Reports so far\"></iframe>"
        );
        let script = embed.script("https://a.example");
        assert!(
            script
                .ends_with("data-height=\"120\"\n  data-theme=\"dark\"\n  data-bg=\"none\"></div>")
        );
        let plain = Embed::from_query("theme=auto&bg=surface");
        assert_eq!(plain.address(), "/embed/metrics");
        assert!(!plain.script("https://a.example").contains("data-theme"));
    }

    #[test]
    fn what_is_not_known_falls_back() {
        for query in ["widget=%22%3E%3Cscript%3E", "widget=Metrics", "widget=&theme=pink", "&&="] {
            assert_eq!(Embed::from_query(query), Embed::from_query(""), "{query}");
        }
    }

    #[test]
    fn an_address_cannot_leave_its_attribute() {
        let html = Embed::from_query("").iframe("https://a.example/\"><script>", "\"", "1", " ");
        assert!(
            html.starts_with("<iframe src=\"https://a.example/&quot;&gt;&lt;script&gt;/embed/")
        );
        assert!(html.contains("width=\"&quot;\""));
    }
}
