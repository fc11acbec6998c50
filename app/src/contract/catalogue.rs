//! Widget options for the snippet builder, and the snippets. A new option is one line in
//! [`OPTIONS`].

use super::{Background, EmbedOptions, Limit};
use crate::widgets::registry::{WIDGETS, Widget};
use kit::lang::Lang;
use serde::Deserialize;

/// An option in the builder.
#[derive(Debug)]
pub struct Choice {
    /// Name in the query; in the script form, the attribute is `data-` followed by it.
    pub name: &'static str,
    pub label: &'static str,
    /// The only widget with this option; `None` if all widgets have it.
    pub only: Option<&'static str>,
    pub input: Input,
}

/// Input for an option. Each value comes with its label.
#[derive(Debug)]
pub enum Input {
    /// Exactly one of these values. The first is the default, and snippets leave it out.
    One(&'static [(&'static str, &'static str)]),
    /// Any of these values. The default is all; choosing none is the same.
    Any(&'static [(&'static str, &'static str)]),
    /// A colour as hexadecimal digits; empty by default.
    Colour,
    /// A name; empty by default.
    Name,
    /// A date as `YYYY-MM-DD`; empty by default.
    Date,
    /// An integer from 1 to `most`.
    Number { most: u32, default: u32 },
}

pub static OPTIONS: [Choice; 17] = [
    Choice {
        name: "theme",
        label: "Theme",
        only: None,
        input: Input::One(&[("auto", "Automatic"), ("light", "Light"), ("dark", "Dark")]),
    },
    Choice {
        name: "bg",
        label: "Background",
        only: None,
        input: Input::One(&[("surface", "Solid"), ("none", "Transparent")]),
    },
    Choice {
        name: "types",
        label: "Types",
        only: None,
        input: Input::Any(&[("spirit", "Spirit"), ("water", "Water"), ("both", "Both")]),
    },
    Choice {
        name: "lang",
        label: "Language",
        only: None,
        input: Input::One(&[
            ("", "The visitor’s"),
            ("en", "English"),
            ("pt", "Português"),
            ("es", "Español"),
            ("fr", "Français"),
            ("de", "Deutsch"),
            ("ar", "العربية"),
        ]),
    },
    Choice { name: "accent", label: "Accent", only: None, input: Input::Colour },
    Choice { name: "country", label: "Country", only: None, input: Input::Name },
    Choice { name: "region", label: "Region", only: None, input: Input::Name },
    Choice { name: "city", label: "City", only: None, input: Input::Name },
    Choice { name: "from", label: "From", only: None, input: Input::Date },
    Choice { name: "to", label: "To", only: None, input: Input::Date },
    Choice {
        name: "limit",
        label: "Rows",
        only: Some("feed"),
        input: Input::Number { most: Limit::MAX, default: Limit::DEFAULT.get() },
    },
    Choice {
        name: "dates",
        label: "Times",
        only: Some("feed"),
        input: Input::One(&[("reported", "When it was reported"), ("event", "Day of the event")]),
    },
    Choice { name: "title", label: "Title", only: None, input: Input::Name },
    Choice {
        name: "start",
        label: "Start at latitude, longitude",
        only: Some("globe"),
        input: Input::Name,
    },
    Choice {
        name: "rotate",
        label: "Rotation",
        only: Some("globe"),
        input: Input::One(&[("off", "Off"), ("on", "On")]),
    },
    Choice {
        name: "labels",
        label: "Labels",
        only: Some("globe"),
        input: Input::One(&[("off", "Off"), ("on", "On")]),
    },
    Choice {
        name: "cluster",
        label: "Clustering",
        only: Some("globe"),
        input: Input::One(&[("on", "On"), ("off", "Off")]),
    },
];

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
        self.options.title.as_deref().unwrap_or(name)
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
        let scheme = match self.options.background {
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

/// Escapes a text for an HTML attribute in double quotes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_one_that_the_widgets_know() {
        for Choice { name, input, .. } in &OPTIONS {
            let read = |value: &str| EmbedOptions::from_query(&format!("{name}={value}"));
            let (default, others) = match input {
                Input::One([(default, _), others @ ..]) => (*default, others.to_vec()),
                Input::One([]) => panic!("{name} has no values"),
                Input::Any(values) => ("", values.to_vec()),
                Input::Colour => ("", vec![("c2410c", "")]),
                Input::Name if *name == "start" => ("", vec![("48.85,2.35", "")]),
                Input::Name => ("", vec![("São Paulo", "")]),
                Input::Date => ("", vec![("2026-03-31", "")]),
                Input::Number { .. } => ("20", vec![("1", ""), ("100", "")]),
            };
            assert_eq!(read(default), EmbedOptions::default(), "{name}");
            assert!(!others.is_empty(), "{name}");
            for (value, _) in others {
                assert_eq!(read(value).chosen(name).as_deref(), Some(value), "{name}={value}");
            }
        }
    }

    #[test]
    fn no_option_is_left_out_of_the_builder() {
        let every = "theme=dark&bg=none&accent=c0ffee&lang=pt&country=a&region=b&city=c&types=both\
                     &title=t&from=2026-01-01&to=2026-01-02&limit=5&dates=event\
                     &start=1,2&rotate=on&labels=on&cluster=off";
        let mut known: Vec<_> =
            EmbedOptions::from_query(every).pairs().into_iter().map(|(name, _)| name).collect();
        let mut offered: Vec<_> = OPTIONS.iter().map(|option| option.name).collect();
        known.sort_unstable();
        offered.sort_unstable();
        assert_eq!(offered, known);
    }

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
