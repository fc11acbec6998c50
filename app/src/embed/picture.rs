//! Widgets as pictures, for where no iframe is allowed: a README, a mail.
//!
//! A widget's entry in the [registry](super::registry) names the function that draws it, as SVG. The
//! server also makes a PNG of the same drawing. So it uses only what browsers, mail gateways and the
//! server's renderer agree on: colours are written out instead of being variables, what reads from right
//! to left is placed there instead of being left to `direction`, and nothing has to be measured.
//!
//! [`sheet`] is what all are drawn on, [`colours`] are the themes, [`text`] makes strangers' words fit.

mod colours;
pub(super) mod feed;
pub(super) mod globe;
pub(super) mod metrics;
mod sheet;
mod social;
mod text;
pub(super) mod trend;

pub use social::social;

use super::{EmbedOptions, catalogue::Embed};
use crate::{
    lang::Lang,
    source::{Read, Source},
    words::Words,
};

/// A picture that refers to nothing outside of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub svg: String,
    /// Pixels, of CSS.
    pub width: u32,
    pub height: u32,
}

/// Draws a widget with these options. A theme that is `Auto` follows the reader's preference.
pub(super) type Draw = for<'a> fn(&'a Embed, &'a dyn Source) -> Read<'a, Picture>;

/// The picture of a widget, if it has one.
pub fn draw<'a>(embed: &'a Embed, source: &'a dyn Source) -> Option<Read<'a, Picture>> {
    embed.widget.picture.map(|picture| picture(embed, source))
}

/// The language of a picture: whoever loads it may be a proxy, so what the request says of languages
/// means nothing.
fn lang(options: &EmbedOptions) -> Lang {
    options.lang.unwrap_or_default()
}

/// What pictures say, with the operator's labels.
fn words(options: &EmbedOptions, source: &dyn Source) -> Words {
    source.brand().words(lang(options))
}

/// See [`document::label`](super::document::label).
fn label(options: &EmbedOptions, source: &dyn Source) -> String {
    super::document::label(options, source, lang(options))
}

/// The same for those who do not see it, with the widget's own name where no title was chosen.
fn heading(embed: &Embed, label: &str) -> String {
    match &embed.options.title {
        None if !label.is_empty() => [embed.title(), " · ", label].concat(),
        _ => embed.title().to_owned(),
    }
}
