use super::{
    Picture, colours, lang,
    text::{Face, escaped, right_to_left},
};
use crate::{
    contract::options::{Background, EmbedOptions},
    glyph,
};
use std::fmt::Write;

/// Drawing surface of a picture: a card in the colours of the options.
///
/// Horizontal positions are measured from the side where the language starts, which is the right
/// side in Arabic. All sizes are in pixels.
pub(crate) struct Sheet<'a> {
    options: &'a EmbedOptions,
    width: u32,
    height: u32,
    is_rtl: bool,
    body: String,
}

impl<'a> Sheet<'a> {
    pub(crate) fn new(options: &'a EmbedOptions, width: u32, height: u32) -> Self {
        let is_rtl = lang(options).direction() == "rtl";
        Self { options, width, height, is_rtl, body: String::new() }
    }

    /// Adds a line of text that starts at `x`, in a named colour. `xml` must be escaped.
    pub(crate) fn text(&mut self, colour: &str, face: Face, x: u32, y: u32, xml: &str) {
        self.line_of_text(colour, face, (x, y), xml, false);
    }

    /// Adds a line of text that ends at `x`.
    pub(crate) fn text_to(&mut self, colour: &str, face: Face, x: u32, y: u32, xml: &str) {
        self.line_of_text(colour, face, (x, y), xml, true);
    }

    fn line_of_text(&mut self, colour: &str, face: Face, (x, y): (u32, u32), xml: &str, to: bool) {
        let anchor = if to == self.is_rtl { "" } else { " text-anchor=\"end\"" };
        let x = if self.is_rtl { self.width - x } else { x };
        let xml = if self.is_rtl { right_to_left(xml) } else { xml.to_owned() };
        let (bold, size) = match face {
            Face::Regular(size) => ("", size),
            Face::Bold(size) => (" strong", size),
        };
        _ = write!(
            self.body,
            "<text class=\"{colour}{bold}\" font-size=\"{size}\" x=\"{x}\" y=\"{y}\"{anchor}>{xml}</text>"
        );
    }

    /// Adds a glyph, by name, on a square.
    pub(crate) fn glyph(&mut self, name: &str, x: u32, y: u32, size: u32) {
        let x = self.left(x, size);
        _ = write!(
            self.body,
            "<use href=\"#{name}\" class=\"{name}\" x=\"{x}\" y=\"{y}\" width=\"{size}\" \
             height=\"{size}\"/>"
        );
    }

    /// Adds a glyph on a disc of its colour, 24 pixels wide.
    pub(crate) fn glyph_on_disc(&mut self, name: &str, x: u32, y: u32) {
        let left = self.left(x, 24);
        _ = write!(
            self.body,
            "<circle class=\"{name}\" fill-opacity=\".1\" cx=\"{}\" cy=\"{}\" r=\"12\"/>",
            left + 12,
            y + 12
        );
        self.glyph(name, x + 4, y + 4, 16);
    }

    /// Adds the faint outline of a text that is not there yet.
    pub(crate) fn outline(&mut self, x: u32, y: u32, (width, height): (u32, u32)) {
        let (x, radius) = (self.left(x, width), height / 2);
        _ = write!(
            self.body,
            "<rect class=\"muted\" fill-opacity=\".3\" x=\"{x}\" y=\"{y}\" width=\"{width}\" \
             height=\"{height}\" rx=\"{radius}\"/>"
        );
    }

    /// Adds a line that is drawn on an area of this size, from right to left in right-to-left languages.
    pub(crate) fn stroke(&mut self, x: u32, y: u32, (width, height): (u32, u32), path: &str) {
        let left = self.left(x, width);
        let mirror = if self.is_rtl {
            format!(" transform=\"matrix(-1 0 0 1 {width} 0)\"")
        } else {
            String::new()
        };
        _ = write!(
            self.body,
            "<svg x=\"{left}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">\
             <path class=\"spark\" d=\"{path}\"{mirror}/></svg>"
        );
    }

    /// Adds a path of a class, whose coordinates are those of the card.
    pub(crate) fn path(&mut self, class: &str, path: &str) {
        _ = write!(self.body, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    /// Adds a hatched path in the colour of a class. Clips and opacity of whole elements would need a
    /// separate layer, see [`STYLE`].
    pub(crate) fn hatched(&mut self, class: &str, path: &str) {
        _ = write!(
            self.body,
            "<pattern id=\"hatched-{class}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
             patternTransform=\"rotate(-45)\"><path class=\"{class}\" fill-opacity=\".4\" d=\"M0 0h6v6H0z\"/>\
             <path class=\"{class}\" d=\"M0 0h6v3H0z\"/></pattern>\
             <path fill=\"url(#hatched-{class})\" d=\"{path}\"/>"
        );
    }

    /// Adds a nested square with its own drawing.
    pub(crate) fn square(
        &mut self,
        class: &str,
        x: u32,
        y: i32,
        size: u32,
        view_box: &str,
        drawing: &str,
    ) {
        let x = self.left(x, size);
        _ = write!(
            self.body,
            "<svg class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\" \
             viewBox=\"{view_box}\" overflow=\"visible\">{drawing}</svg>"
        );
    }

    /// Fills the background up to the edges, instead of drawing a card.
    pub(crate) fn fill(&mut self) {
        let Self { width, height, .. } = self;
        _ = write!(
            self.body,
            "<path class=\"ground\" stroke-width=\"0\" d=\"M0 0h{width}v{height}H0z\"/>"
        );
    }

    /// Adds a vertical hairline.
    pub(crate) fn line_down(&mut self, x: u32, y: u32, length: u32) {
        let x = self.left(x, 1);
        _ = write!(self.body, "<path class=\"line\" d=\"M{x}.5 {y}v{length}\"/>");
    }

    /// Adds a horizontal hairline across the card.
    pub(crate) fn line_across(&mut self, y: u32) {
        _ = write!(self.body, "<path class=\"line\" d=\"M1 {y}.5h{}\"/>", self.width - 2);
    }

    /// Adds a horizontal hairline of a given length.
    pub(crate) fn rule(&mut self, x: u32, y: u32, length: u32) {
        let x = self.left(x, length);
        _ = write!(self.body, "<path class=\"line\" d=\"M{x} {y}.5h{length}\"/>");
    }

    /// Distance from the left edge of something that starts at `x` and has this width.
    pub(crate) fn left(&self, x: u32, width: u32) -> u32 {
        if self.is_rtl { self.width - x - width } else { x }
    }

    /// Returns the picture, with a title and a description for screen readers.
    pub(crate) fn finish(self, title: &str, description: &str) -> Picture {
        let Self { options, width, height, body, .. } = self;
        let (title, description) = (escaped(title), escaped(description));
        let ground = match options.bg {
            Background::Surface => format!(
                "<rect class=\"ground\" x=\".5\" y=\".5\" width=\"{}\" height=\"{}\" rx=\"12\"/>",
                width - 1,
                height - 1
            ),
            Background::None => String::new(),
        };
        // Some renderers do not support variables, but all support classes.
        let symbols = [&*glyph::SYMBOLS.map(|(_, symbol)| symbol).concat(), glyph::TOTAL]
            .concat()
            .replace("stroke=\"var(--", "class=\"ring-")
            .replace(")\"", "\"");
        let rules = colours::rules(options);
        let lang = lang(options).tag();
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" lang=\"{lang}\" role=\"img\" \
             aria-labelledby=\"title desc\">\
             <title id=\"title\">{title}</title><desc id=\"desc\">{description}</desc>\
             <style>{STYLE}{rules}</style><defs>{symbols}</defs>{ground}{body}</svg>"
        );
        Picture { svg, width, height }
    }
}

/// All styles except the colours. Opacity of whole elements and clips are avoided: they would need
/// a separate layer in the server's renderer, and the globe takes half the time without them.
const STYLE: &str = "text{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",\
                     \"Noto Sans\",\"Noto Sans Arabic\",sans-serif;\
                     font-variant-numeric:tabular-nums}\
                     .strong{font-weight:600}\
                     .spark{fill:none;stroke-width:1.5;stroke-linejoin:round}\
                     .land{fill:none;stroke-width:9;stroke-linecap:round;stroke-opacity:.8}\
                     .side{stroke-width:6;stroke-opacity:.6}\
                     .night{fill-opacity:.11}.hot{stroke-opacity:.5}\
                     .lights path{fill:none;stroke-linecap:round}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_arabic_everything_is_where_a_mirror_would_show_it() {
        let drawn = |query: &str| {
            let options = EmbedOptions::from_query(query);
            let mut sheet = Sheet::new(&options, 100, 50);
            sheet.text("text", Face::Bold(14), 10, 20, "x");
            sheet.text_to("muted", Face::Regular(12), 90, 20, "y");
            sheet.glyph("water", 10, 5, 16);
            sheet.line_down(30, 0, 9);
            sheet.body
        };
        assert_eq!(
            drawn(""),
            "<text class=\"text strong\" font-size=\"14\" x=\"10\" y=\"20\">x</text>\
             <text class=\"muted\" font-size=\"12\" x=\"90\" y=\"20\" text-anchor=\"end\">y</text>\
             <use href=\"#water\" class=\"water\" x=\"10\" y=\"5\" width=\"16\" height=\"16\"/>\
             <path class=\"line\" d=\"M30.5 0v9\"/>"
        );
        assert_eq!(
            drawn("lang=ar"),
            "<text class=\"text strong\" font-size=\"14\" x=\"90\" y=\"20\" text-anchor=\"end\">\u{2067}x\u{2069}</text>\
             <text class=\"muted\" font-size=\"12\" x=\"10\" y=\"20\">\u{2067}y\u{2069}</text>\
             <use href=\"#water\" class=\"water\" x=\"74\" y=\"5\" width=\"16\" height=\"16\"/>\
             <path class=\"line\" d=\"M69.5 0v9\"/>"
        );
    }

    #[test]
    fn without_a_ground_there_is_no_card() {
        let drawn =
            |query: &str| Sheet::new(&EmbedOptions::from_query(query), 100, 50).finish("", "").svg;
        assert!(drawn("").contains("<rect class=\"ground\""));
        assert!(!drawn("bg=none").contains("<rect"));
    }
}
