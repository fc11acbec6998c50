//! Keys that make different spellings of a place name equal.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc, is_nfc_quick};

/// Returns the text as it is stored and displayed: trimmed, in NFC, with every run of inner white space (Unicode's) as
/// one space. Invisible characters at the ends, such as those copied from a web page, are removed. Inner ones are kept,
/// because Persian and the Indic scripts use them.
pub fn tidy(text: &str) -> String {
    let composed = if text.is_ascii() || is_nfc(text) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    };
    let trimmed = composed.trim_matches(|c: char| c.is_whitespace() || is_invisible(c));
    let mut out = String::with_capacity(trimmed.len());
    for word in trimmed.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Returns the key of a place name. Texts have the same key if they differ only in case, accents, the form of an
/// apostrophe, hyphen or quotation mark, white space or invisible marks.
///
/// Letters with a stroke or a hook, ligatures and the like become the plain letters that people type without them on
/// the keyboard (`ø` → `o`, `ß` → `ss`, `ı` → `i`). Only the marks U+0300–036F count as accents: marks of other scripts
/// are vowels, and distinct Indic names would be equal without them. A hyphen stays distinct from a space, and an
/// apostrophe from none.
///
/// Idempotent. The key is lower-case, NFC and tidy. It is empty if no visible character is left.
pub fn fold(text: &str) -> String {
    if text.is_ascii() { fold_ascii(text) } else { fold_unicode(text) }
}

fn fold_ascii(text: &str) -> String {
    let mut key = FoldKey::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' | b'\t'..=b'\r' => key.space(),
            b'`' => key.push('\''),
            _ => key.push(char::from(byte.to_ascii_lowercase())),
        }
    }
    key.text
}

fn fold_unicode(text: &str) -> String {
    let mut key = FoldKey::with_capacity(text.len());
    for c in text.nfd() {
        if c.is_ascii_graphic() {
            key.push(plain(c.to_ascii_lowercase()));
        } else if c.is_whitespace() {
            key.space();
        } else if !is_accent(c) && !is_invisible(c) {
            // Per character, because `str::to_lowercase` chooses between σ and ς by their position in the word, and
            // here both are equal.
            c.to_lowercase().for_each(|lower| key.push_plain(lower));
        }
    }
    match is_nfc_quick(key.text.chars()) {
        IsNormalized::Yes => key.text,
        _ => key.text.nfc().collect(),
    }
}

/// Key under construction. It keeps white space only between two other characters.
struct FoldKey {
    text: String,
    space_due: bool,
}

impl FoldKey {
    fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes), space_due: false }
    }

    fn space(&mut self) {
        self.space_due = !self.text.is_empty();
    }

    fn push(&mut self, c: char) {
        if self.space_due {
            self.text.push(' ');
            self.space_due = false;
        }
        self.text.push(c);
    }

    /// Adds a lower-case letter as the plain letters typed in its place.
    fn push_plain(&mut self, c: char) {
        let pair = match c {
            'ß' => "ss",
            'æ' => "ae",
            'œ' => "oe",
            'þ' => "th",
            'ĳ' => "ij",
            _ => return self.push(plain(c)),
        };
        pair.chars().for_each(|c| self.push(c));
    }
}

/// Returns the plain form of a lower-case character that has no canonical decomposition.
fn plain(c: char) -> char {
    match c {
        'ø' | 'ɔ' | 'ɵ' => 'o',
        'đ' | 'ð' | 'ɖ' | 'ɗ' => 'd',
        'ł' | 'ƚ' => 'l',
        'ı' | 'ɨ' => 'i',
        'ħ' | 'ɦ' => 'h',
        'ŋ' | 'ɲ' => 'n',
        'ŧ' | 'ƭ' => 't',
        'ƀ' | 'ɓ' => 'b',
        'ǥ' | 'ɠ' | 'ɣ' => 'g',
        'ĸ' => 'q',
        'ƙ' => 'k',
        'ƒ' => 'f',
        'ƥ' => 'p',
        'ɍ' => 'r',
        'ʉ' | 'ʊ' => 'u',
        'ʋ' => 'v',
        'ƴ' | 'ɏ' => 'y',
        'ƶ' => 'z',
        // Azerbaijani Gəncə is written Gence, and Ewe and Akan ɛ is written e, if the letter is not available.
        'ə' | 'ɛ' | 'ǝ' => 'e',
        // The final form depends on the position, not on the spelling.
        'ς' => 'σ',
        '`' | '´' | 'ʹ' | 'ʻ' | 'ʼ' | 'ʽ' | 'ʾ' | 'ʿ' | 'ˈ' | 'ˊ' | 'ˋ' | 'ꞌ' | '‘' | '’' | '‛'
        | '′' | '‵' | '՚' | '׳' | '＇' => '\'',
        '“' | '”' | '״' => '"',
        '‐' | '‑' | '‒' | '–' | '−' | '－' => '-',
        // Full-width Latin, as produced by East Asian input methods.
        'ａ'..='ｚ' | '０'..='９' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}')
}

/// Soft hyphen, zero-width characters, direction marks and the byte-order mark.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{00AD}' | '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests;
