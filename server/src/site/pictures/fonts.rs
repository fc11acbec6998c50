//! The font of PNGs. It is in the binary, because a machine may have none or others: Inter for Latin, Greek and
//! Cyrillic, and Noto Sans Arabic, merged by `scripts/data/make-fonts.py`.

use std::{
    borrow::Cow,
    collections::HashSet,
    sync::{Arc, LazyLock},
};

use resvg::usvg::{
    FontResolver, ImageHrefResolver, Options,
    fontdb::{Database, Source},
};
use skrifa::{FontRef, MetadataProvider};

const REGULAR: &[u8] = include_bytes!("../../../data/fonts/regular.ttf");
const BOLD: &[u8] = include_bytes!("../../../data/fonts/bold.ttf");
/// Minimum weight of bold text.
const BOLD_FROM: u16 = 550;
/// Replacement for letters that the font does not have.
const UNKNOWN: char = '\u{fffd}';

/// The letters of the font.
static LETTERS: LazyLock<HashSet<u32>> = LazyLock::new(|| letters(REGULAR));

fn letters(font: &[u8]) -> HashSet<u32> {
    match FontRef::new(font) {
        Ok(font) => font.charmap().mappings().map(|(letter, _)| letter).collect(),
        // A test checks that the font can be read.
        Err(_) => HashSet::new(),
    }
}

/// Returns options for SVG rendering: this font and no other, and no files.
pub(super) fn options() -> Options<'static> {
    let mut fonts = Database::new();
    let mut load = |font: &'static [u8]| {
        fonts.load_font_source(Source::Binary(Arc::new(font))).first().copied()
    };
    let (regular, bold) = (load(REGULAR), load(BOLD));
    Options {
        fontdb: Arc::new(fonts),
        font_resolver: FontResolver {
            // Used for every font family: the reader's fonts are not on this machine.
            select_font: Box::new(
                move |font, _| {
                    if font.weight() >= BOLD_FROM { bold } else { regular }
                },
            ),
            select_fallback: Box::new(|_, _, _| None),
        },
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    }
}

/// Replaces letters that the font does not have: the renderer would omit them, and log a warning each time.
pub(super) fn with_known_letters(svg: &str) -> Cow<'_, str> {
    let is_known = |letter: char| letter.is_ascii() || LETTERS.contains(&u32::from(letter));
    if svg.chars().all(is_known) {
        return Cow::Borrowed(svg);
    }
    Cow::Owned(svg.chars().map(|letter| if is_known(letter) { letter } else { UNKNOWN }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    use skrifa::instance::{LocationRef, Size};

    #[test]
    fn both_weights_are_there_with_the_same_letters() {
        assert_eq!(
            options().fontdb.faces().map(|face| face.weight.0).collect::<Vec<_>>(),
            [400, 600]
        );
        assert!(LETTERS.len() > 800, "{}", LETTERS.len());
        assert_eq!(letters(BOLD), *LETTERS);
    }

    #[test]
    fn the_letters_of_all_languages_are_known_and_others_are_replaced() {
        for known in [
            "São Paulo, Ação, Ñandú, ¿qué?, Où, Œuvre, Straße, Łódź, Ερμής, Київ, 1\u{202f}234 …·’",
            "\u{2067}القاهرة، المملكة العربية السعودية، گچپژ\u{2069}",
        ] {
            assert_eq!(with_known_letters(known), known);
        }
        assert_eq!(with_known_letters("東京 🔥 <b>"), "\u{fffd}\u{fffd} \u{fffd} <b>");
    }

    #[test]
    fn figures_are_all_of_one_width() {
        for font in [REGULAR, BOLD] {
            let font = FontRef::new(font).unwrap();
            let widths = font.glyph_metrics(Size::unscaled(), LocationRef::default());
            let figures: HashSet<_> = ('0'..='9')
                .map(|figure| font.charmap().map(figure).unwrap())
                .map(|glyph| widths.advance_width(glyph).unwrap() as u32)
                .collect();
            assert_eq!(figures.len(), 1, "{figures:?}");
        }
    }
}
