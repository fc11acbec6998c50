//! Text of the beginning of a response. Receivers send anything: it becomes text that every database stores, and that
//! terminals and pages show as it is.

/// Maximum number of bytes that are kept of a response.
pub const MAX_KEPT: usize = 1_024;

/// Returns the text of these bytes, at most [`MAX_KEPT`] bytes without blanks around it; `None` if nothing is left. Invalid
/// UTF-8, and control characters other than line breaks and tabs, are replaced by U+FFFD.
pub(super) fn shown(bytes: &[u8]) -> Option<String> {
    let replaced = |character: char| match character {
        '\n' | '\r' | '\t' => character,
        control if control.is_control() => char::REPLACEMENT_CHARACTER,
        character => character,
    };
    let mut text = String::new();
    for character in String::from_utf8_lossy(bytes).chars().map(replaced) {
        // A replacement may be longer than the bytes in its place.
        if text.len() + character.len_utf8() > MAX_KEPT {
            break;
        }
        text.push(character);
    }
    // The end of a long response may be in the middle of a character.
    if bytes.len() >= MAX_KEPT && bytes.utf8_chunks().last().is_some_and(is_cut) {
        text.truncate(text.trim_end_matches(char::REPLACEMENT_CHARACTER).len());
    }
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Whether the invalid end of a chunk is the start of a character.
fn is_cut(chunk: std::str::Utf8Chunk<'_>) -> bool {
    std::str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_kept_as_it_is_without_blanks_around_it() {
        let html = "<script>alert(1)</script>\r\n\tnot found: \"São Paulo\" 😀";
        assert_eq!(shown(format!(" \n{html}\n\n").as_bytes()).as_deref(), Some(html));
        for nothing in ["", " \r\n\t "] {
            assert_eq!(shown(nothing.as_bytes()), None);
        }
    }

    #[test]
    fn invalid_bytes_and_control_characters_are_replaced() {
        let bytes = b"a\xff\xfeb\x00c\x1b[31md\xc2\x9be\x7f";
        assert_eq!(
            shown(bytes).as_deref(),
            Some("a\u{fffd}\u{fffd}b\u{fffd}c\u{fffd}[31md\u{fffd}e\u{fffd}")
        );
    }

    #[test]
    fn at_most_1024_bytes_are_kept_and_no_part_of_a_character() {
        let long = ["a", &"ä".repeat(MAX_KEPT)].concat();
        let text = shown(&long.as_bytes()[..MAX_KEPT]).unwrap();
        assert_eq!(text, ["a", &"ä".repeat(511)].concat());
        let text = shown(&[0xff; MAX_KEPT]).unwrap();
        assert_eq!(text, "\u{fffd}".repeat(MAX_KEPT / 3));
        assert_eq!(shown("ä".repeat(512).as_bytes()).unwrap().len(), MAX_KEPT);
    }
}
