//! The options of widgets as the snippet builder offers them, and the snippets. A new option is a
//! line in [`OPTIONS`].

use super::{
    Background, EmbedOptions, Limit,
    registry::{WIDGETS, Widget},
};
use crate::lang::Lang;
use serde::Deserialize;

/// An option that the builder offers.
#[derive(Debug)]
pub struct Choice {
    /// In the query; in the script form it is an attribute, `data-` and this.
    pub name: &'static str,
    pub label: &'static str,
    /// The one widget that has it; `None`: all of them.
    pub only: Option<&'static str>,
    pub input: Input,
}

/// What an option is chosen with. A value comes with its label.
#[derive(Debug)]
pub enum Input {
    /// One of these; the first is the default, which snippets leave out.
    One(&'static [(&'static str, &'static str)]),
    /// Any of these; choosing all or none is the default.
    Any(&'static [(&'static str, &'static str)]),
    /// A colour by its digits; none is the default.
    Colour,
    /// A name; none is the default.
    Name,
    /// A date as `YYYY-MM-DD`; none is the default.
    Date,
    /// A whole number from 1 to this; the other is the default.
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
        input: Input::Number { most: Limit::MOST, default: Limit::DEFAULT.get() },
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
    /// The URL's path, which has a hash of the bytes in it.
    pub path: String,
    /// For the attribute of that name (Subresource Integrity).
    pub integrity: String,
}

/// A widget with its options, to be put on a page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Embed {
    pub widget: &'static Widget,
    pub options: EmbedOptions,
}

impl Embed {
    /// What a query asks for: `widget=` and the options. What is not known falls back.
    pub fn from_query(query: &str) -> Self {
        let asked = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "widget");
        let known = asked.filter_map(|(_, value)| Widget::named(&value)).last();
        Self { widget: known.unwrap_or(&WIDGETS[0]), options: EmbedOptions::from_query(query) }
    }

    /// What the widget is called: the title that was chosen, else its name in the language that was chosen,
    /// else in English.
    pub fn title(&self) -> &str {
        let name = self.widget.title(self.options.lang.unwrap_or(Lang::En));
        self.options.title.as_deref().unwrap_or(name)
    }

    /// The path and the options that are not the default.
    pub fn address(&self) -> String {
        self.address_of("")
    }

    /// The address of its picture as a PNG, with the same options, if it has one.
    pub fn png(&self) -> Option<String> {
        self.widget.has_picture().then(|| self.address_of(".png"))
    }

    fn address_of(&self, ending: &str) -> String {
        let Self { widget, options } = self;
        let query = options.to_query();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{}{ending}{mark}{query}", widget.path())
    }

    /// The iframe, as HTML to paste: `separator` between its attributes.
    pub fn iframe(&self, base_url: &str, width: &str, height: &str, separator: &str) -> String {
        let src = escaped(&format!("{base_url}{}", self.address()));
        let (width, height, title) = (escaped(width), escaped(height), escaped(self.title()));
        // Where frame and document disagree on the scheme, browsers paint a ground under both. Without a
        // ground of its own, the document is of the light one.
        let scheme = match self.options.background {
            Background::None => "; color-scheme: light",
            Background::Surface => "",
        };
        // Themes style iframes too, and would leave the attributes without effect.
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

    /// The script and the element that it replaces, as HTML to paste.
    pub fn script(&self, base_url: &str) -> String {
        self.with_loader(base_url, "/embed.js")
    }

    /// The same with a version of the script that never changes, which the browser checks.
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
             <div data-svc=\"{name}\"\n  data-width=\"100%\" data-height=\"{height}\"{options}></div>"
        )
    }
}

/// The value of a size attribute as CSS: a bare number is pixels.
fn length(size: &str) -> String {
    let bare = size.bytes().all(|byte| byte.is_ascii_digit());
    format!("{size}{}", if bare { "px" } else { "" })
}

/// Text as the value of an HTML attribute in double quotes.
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
