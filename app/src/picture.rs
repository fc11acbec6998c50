//! Pictures of widgets, for places that do not allow iframes, such as a README or an email.
//!
//! A widget's entry in the [registry](crate::widgets::registry) names the function that draws it as SVG. The
//! server also converts the drawing to PNG. The SVG therefore uses only features that browsers,
//! mail gateways and the server's renderer share: colours are literal values instead of variables,
//! right-to-left layout is explicit instead of using `direction`, and no text has to be measured.
//!
//! [`sheet`] is the drawing surface of all pictures, [`colours`] contains the themes, and [`text`]
//! escapes and shortens foreign texts.

mod colours;
pub(crate) mod sheet;
mod social;
pub(crate) mod text;

pub use social::social;

use crate::{
    brand::Brand,
    contract::{EmbedOptions, options::Theme, snippets::Embed},
    glyph,
    page_data::{PageData, Read},
    widgets::document,
    words::Words,
};
use kit::lang::Lang;

/// A picture without external references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub svg: String,
    /// Size in CSS pixels.
    pub width: u32,
    pub height: u32,
}

/// Draws a widget with these options. With the theme `Auto`, the picture follows the reader's
/// preference.
pub(crate) type Draw = for<'a> fn(&'a Embed, &'a dyn PageData) -> Read<'a, Picture>;

/// The picture of a widget, if the widget has one.
pub fn draw<'a>(embed: &'a Embed, source: &'a dyn PageData) -> Option<Read<'a, Picture>> {
    let drawn = embed.widget.picture?(embed, source);
    Some(Box::pin(async move { Ok(drawn.await?.branded(&source.brand(), embed.options.theme)) }))
}

impl Picture {
    /// Replaces the colours and icons of the types with the operator's.
    fn branded(mut self, brand: &Brand, theme: Theme) -> Self {
        let rules = brand.colours.rules(theme);
        if !rules.is_empty() {
            self.svg = self.svg.replacen("</style>", &[&rules, "</style>"].concat(), 1);
        }
        for (id, built_in) in glyph::SYMBOLS {
            if let Some(icon) = brand.icon(id) {
                self.svg = self.svg.replacen(built_in, &icon, 1);
            }
        }
        self
    }
}

/// Language of a picture. The request headers are ignored, because the client may be a proxy.
pub(crate) fn lang(options: &EmbedOptions) -> Lang {
    options.lang.unwrap_or_default()
}

/// Texts of pictures, with the operator's labels.
pub(crate) fn words(options: &EmbedOptions, source: &dyn PageData) -> Words {
    source.brand().words(lang(options))
}

/// See [`document::label`].
pub(crate) fn label(options: &EmbedOptions, source: &dyn PageData) -> String {
    document::label(options, source, lang(options))
}

/// Visible title of a picture: the label, else the widget's name.
pub(crate) fn title<'a>(embed: &'a Embed, label: &'a str) -> &'a str {
    if label.is_empty() { embed.title() } else { label }
}

/// Like [`label`], for screen readers, with the widget's own name if no title was chosen.
pub(crate) fn heading(embed: &Embed, label: &str) -> String {
    match &embed.options.title {
        None if !label.is_empty() => [embed.title(), " · ", label].concat(),
        _ => embed.title().to_owned(),
    }
}
