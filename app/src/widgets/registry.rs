//! List of all widgets. [`WIDGETS`] is the source for the routes of pages and pictures, the home page, the
//! snippet builder, oEmbed, the loader `embed.js`, and the browser tests.

use super::{feed, globe, metrics, trend};
use crate::{picture::Draw, words::Word};
use kit::lang::Lang;
use leptos::prelude::*;
use std::{
    fmt,
    hash::{Hash, Hasher},
};

/// A widget, at `/embed/<name>`, with the stylesheet `style/<name>.css` and the island `<Name>Board`.
pub struct Widget {
    pub name: &'static str,
    /// Label in the snippet builder.
    pub label: &'static str,
    /// Title of the widget.
    pub(crate) title: Word,
    /// Design height, in pixels.
    pub height: u32,
    /// Height of the whole content in pixels, as a JavaScript function of the frame's width and the option `limit`. The
    /// loader reserves it for `data-height="auto"`, and nothing moves if it is right within 2 px: see
    /// `end2end/tests/shift.spec.ts`.
    pub whole_height: &'static str,
    /// Component of the widget.
    pub(crate) view: fn() -> AnyView,
    /// Draws the widget as a picture, at `/embed/<name>.svg` and `.png`.
    pub(crate) picture: Option<Draw>,
}

/// All widgets, in the order of the home page. The first one is the default.
pub static WIDGETS: &[Widget] = &[metrics::WIDGET, globe::WIDGET, feed::WIDGET, trend::WIDGET];

impl Widget {
    /// Returns the widget with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        WIDGETS.iter().find(|widget| widget.name == name)
    }

    /// Title of the widget in a language.
    pub fn title(&self, lang: Lang) -> &'static str {
        self.title.text(lang)
    }

    /// Whether the widget has a picture.
    pub fn has_picture(&self) -> bool {
        self.picture.is_some()
    }

    /// Path of the widget's URL.
    pub fn path(&self) -> String {
        format!("/embed/{}", self.name)
    }
}

// Names are unique; a test checks this.
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
        for widget in WIDGETS {
            assert!(std::ptr::eq(Widget::named(widget.name).unwrap(), widget));
        }
        for name in ["", "Metrics", "metrics.svg", "metrics/", "nothing"] {
            assert_eq!(Widget::named(name), None, "{name}");
        }
    }

    #[test]
    fn names_fit_a_url_and_an_attribute() {
        for Widget { name, .. } in WIDGETS {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{name}");
        }
    }
}
