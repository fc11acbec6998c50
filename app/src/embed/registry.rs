//! The widgets there are. Everything that knows about widgets reads [`WIDGETS`]: the routes of the
//! pages and pictures, the snippet builder, oEmbed, and the loader `embed.js`.

use super::{
    feed::FeedWidget,
    globe::GlobeWidget,
    metrics::MetricsWidget,
    picture::{self, Draw},
    trend::TrendWidget,
};
use crate::{
    lang::Lang,
    words::dictionary::{Dictionary, dictionary},
};
use leptos::prelude::*;
use std::{
    fmt,
    hash::{Hash, Hasher},
};

/// A widget, at `/embed/<name>`.
pub struct Widget {
    pub name: &'static str,
    /// In the builder.
    pub label: &'static str,
    /// What the widget is called, in the words of a language.
    title: fn(&Dictionary) -> &'static str,
    /// The height it is made for, in pixels.
    pub height: u32,
    /// The file in `style/`, without its extension.
    pub(crate) style: &'static str,
    /// The island's name in snake case.
    pub(crate) island: &'static str,
    /// The component.
    pub(crate) view: fn() -> AnyView,
    /// Draws it where no iframe is allowed, at `/embed/<name>.svg` and `.png`.
    pub(crate) picture: Option<Draw>,
}

/// All of them. The first is shown where none is chosen.
pub static WIDGETS: [Widget; 4] = [
    Widget {
        name: "metrics",
        label: "Counters",
        title: |words| words.metrics,
        height: 120,
        style: "metrics",
        island: "metrics_board",
        view: || MetricsWidget().into_any(),
        picture: Some(picture::metrics::draw),
    },
    Widget {
        name: "feed",
        label: "Feed",
        title: |words| words.feed,
        height: 320,
        style: "feed",
        island: "feed_board",
        view: || FeedWidget().into_any(),
        picture: Some(picture::feed::draw),
    },
    Widget {
        name: "globe",
        label: "Globe",
        title: |words| words.globe,
        height: 400,
        style: "globe",
        island: "globe_board",
        view: || GlobeWidget().into_any(),
        picture: Some(picture::globe::draw),
    },
    Widget {
        name: "trend",
        label: "Trend",
        title: |words| words.trend,
        height: 240,
        style: "trend",
        island: "trend_board",
        view: || TrendWidget().into_any(),
        picture: Some(picture::trend::draw),
    },
];

impl Widget {
    /// The widget of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        WIDGETS.iter().find(|widget| widget.name == name)
    }

    /// What the widget is called in a language.
    pub fn title(&self, lang: Lang) -> &'static str {
        (self.title)(dictionary(lang))
    }

    /// Whether there are pictures of it.
    pub fn has_picture(&self) -> bool {
        self.picture.is_some()
    }

    /// The URL's path.
    pub fn path(&self) -> String {
        format!("/embed/{}", self.name)
    }
}

// Names are unique, which a test holds.
impl PartialEq for Widget {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Widget {}

impl Hash for Widget {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for Widget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Widget").field(&self.name).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_widget_is_found_by_its_name_and_by_no_other() {
        for widget in &WIDGETS {
            assert!(std::ptr::eq(Widget::named(widget.name).unwrap(), widget));
        }
        for name in ["", "Metrics", "metrics.svg", "metrics/", "nothing"] {
            assert_eq!(Widget::named(name), None, "{name}");
        }
    }

    #[test]
    fn names_fit_a_url_and_an_attribute() {
        for Widget { name, .. } in &WIDGETS {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{name}");
        }
    }
}
