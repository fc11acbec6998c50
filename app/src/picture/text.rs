/// Directional isolates (Unicode Standard Annex 9). They keep words of another direction from
/// moving the text around them. The first detects the direction; the second is right-to-left.
const FIRST_STRONG: char = '\u{2068}';
const RIGHT_TO_LEFT: char = '\u{2067}';
const END: char = '\u{2069}';

/// Escapes words for XML. Removes characters that XML forbids, line breaks, and characters that
/// would change the direction of the surrounding text.
pub(crate) fn escaped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}' => {}
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            c if c.is_control() => {}
            c => text.push(c),
        }
    }
    text
}

/// Escapes words of unknown direction.
pub(crate) fn foreign(words: &str) -> String {
    // Plain words cannot disturb the text around them.
    if words.chars().all(|c| c.is_ascii_alphanumeric() || c == ' ') {
        return escaped(words);
    }
    format!("{FIRST_STRONG}{}{END}", escaped(words))
}

/// Marks XML as right-to-left.
pub(crate) fn right_to_left(xml: &str) -> String {
    format!("{RIGHT_TO_LEFT}{xml}{END}")
}

/// Size of letters in pixels, and their weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    Regular(u32),
    Bold(u32),
}

impl Face {
    /// The words if they fit into `width` pixels, else as many characters from the start as fit,
    /// and "…".
    pub(crate) fn fitted(self, words: &str, width: u32) -> String {
        if self.width_of(words) <= width {
            return words.to_owned();
        }
        let mut short = String::new();
        for c in words.chars() {
            short.push(c);
            if self.width_of(&short) + self.width_of("…") > width {
                short.pop();
                break;
            }
        }
        format!("{}…", short.trim_end())
    }

    /// Estimated maximum width of words, in pixels. The reader's font is unknown, so this is the
    /// width in DejaVu Sans, the widest of the common system fonts.
    pub(crate) fn width_of(self, words: &str) -> u32 {
        let width = words.chars().map(hundredths).sum::<u32>();
        match self {
            Self::Regular(size) => (width * size * 9).div_ceil(1_000),
            Self::Bold(size) => (width * size).div_ceil(100),
        }
    }
}

/// Width of a bold character, in hundredths of the font size.
fn hundredths(c: char) -> u32 {
    match c {
        'i' | 'j' | 'l' | ' ' | '\u{a0}' | '\u{202f}' | '.' | ',' | ':' | ';' | '\'' | '’'
        | '|' | 'I' | '·' => 40,
        'f' | 't' | 'r' | '(' | ')' | '-' | '/' | '!' => 50,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' | '—' => 110,
        '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{200b}'..='\u{200f}' => 0,
        '0'..='9' | 'a'..='z' => 70,
        'A'..='Z' | '\u{c0}'..='\u{24f}' => 80,
        '\u{600}'..='\u{6ff}' => 75,
        // Ideographs, emoji and all other characters.
        _ => 110,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_strangers_write_is_markup_or_forbidden_in_xml() {
        let hostile = "</text><script>\"&'\u{0}\u{1b}\u{2029}\u{ffff}\u{202e}\u{2069}é";
        assert_eq!(escaped(hostile), "&lt;/text&gt;&lt;script&gt;&quot;&amp;'é");
    }

    #[test]
    fn words_that_may_be_of_another_direction_stay_among_themselves() {
        assert_eq!(foreign("Cairo"), "Cairo");
        assert_eq!(foreign("القاهرة"), "\u{2068}القاهرة\u{2069}");
    }

    #[test]
    fn words_that_do_not_fit_are_cut_and_say_so() {
        let face = Face::Bold(14);
        assert_eq!(face.fitted("Campinas", 200), "Campinas");
        assert_eq!(face.fitted("San Cristóbal de las Casas", 120), "San Cristób…");
        for width in 0..300 {
            let short = face.fitted("San Cristóbal de las Casas", width);
            assert!(short == "…" || face.width_of(&short) <= width, "{width}: {short}");
        }
    }
}
