//! Lists of all widgets: those with live data, and the one with a form. [`WIDGETS`] is the source for the routes of pages
//! and pictures, the home page, the snippet builder, oEmbed, the loader `embed.js`, and the browser tests.

use super::{feed, globe, metrics, report, trend};
use crate::{contract::options::Limit, picture::Draw, words::Word};
use kit::lang::Lang;
use leptos::prelude::*;
use std::{
    fmt,
    hash::{Hash, Hasher},
};

/// A widget, at `/embed/<name>`, with the stylesheet `style/<name>.css`, and, if it has live data, an island of its name.
pub struct Widget {
    pub name: &'static str,
    /// Name in the snippet builder.
    pub(crate) label: Word,
    /// Title of the widget.
    pub(crate) title: Word,
    /// Design height, in pixels.
    pub height: u32,
    pub content_height: ContentHeight,
    pub(crate) home: HomeCell,
    /// Component of the widget.
    pub(crate) view: fn() -> AnyView,
    /// Draws the widget as a picture, at `/embed/<name>.svg` and `.png`.
    pub(crate) picture: Option<Draw>,
}

/// Cell of a widget on the home page. `style/page.css` lays out the cells by the name of the class, so it names no
/// widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HomeCell {
    /// Beside the headline, as a square.
    Headline,
    /// Across the page below the headline.
    Strip,
    /// Half of a row, or all of it if no other widget follows.
    Half,
}

impl HomeCell {
    /// Whether the widget is on the dark ground of the headline.
    pub(crate) const fn is_dark(self) -> bool {
        matches!(self, Self::Headline | Self::Strip)
    }

    /// Class of the cell in `style/page.css`.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Headline => "headline",
            Self::Strip => "strip",
            Self::Half => "half",
        }
    }
}

/// Height of the whole content, in pixels. The loader reserves it for `data-height="auto"`, and
/// nothing moves if it is right within 2 px: see `end2end/tests/shift.spec.ts`.
#[derive(Clone, Copy, Debug)]
pub enum ContentHeight {
    /// By the width of the frame: the height below each width, and that from the last width on.
    Steps(&'static [(u32, u32)], u32),
    /// A header, and as many rows as the option `limit` permits.
    Rows { header: u32, row: u32 },
    /// The width of the frame and more, up to a maximum.
    Square { more: u32, most: u32 },
}

impl ContentHeight {
    /// The height as a JavaScript function of the width and the limit, which is undefined by default.
    pub fn script(self) -> String {
        match self {
            Self::Steps(steps, last) => {
                let steps = steps.iter().map(|(width, height)| format!("w<{width}?{height}:"));
                format!("w=>{}{last}", steps.collect::<String>())
            }
            Self::Rows { header, row } => {
                format!("(w,n)=>{header}+{row}*(n||{})", Limit::DEFAULT.get())
            }
            Self::Square { more, most } => format!("w=>Math.min(w+{more},{most})"),
        }
    }

    /// Attribute of the document's `main` element, for `frontend/host.js`: a list with rows is
    /// measured, a square calculated. Others are as high as their element.
    pub(crate) fn attribute(self) -> Option<String> {
        match self {
            Self::Steps(..) => None,
            Self::Rows { .. } => Some("rows".to_owned()),
            Self::Square { more, most } => Some(format!("{more} {most}")),
        }
    }
}

/// All widgets with live data, in the order of the home page. The first one is the default.
pub static WIDGETS: &[Widget] = &[metrics::WIDGET, globe::WIDGET, feed::WIDGET, trend::WIDGET];

/// The widget with a form, for reports from the public. Not on the home page.
pub static FORM: &Widget = &report::FORM;

/// All widgets.
pub fn all_widgets() -> impl Iterator<Item = &'static Widget> {
    WIDGETS.iter().chain([FORM])
}

impl Widget {
    /// Returns the widget with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        all_widgets().find(|widget| widget.name == name)
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
        for widget in all_widgets() {
            assert!(std::ptr::eq(Widget::named(widget.name).unwrap(), widget));
        }
        for name in ["", "Metrics", "metrics.svg", "metrics/", "nothing"] {
            assert_eq!(Widget::named(name), None, "{name}");
        }
    }

    #[test]
    fn names_fit_a_url_and_a_function() {
        for Widget { name, .. } in all_widgets() {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase()), "{name}");
        }
    }
}
