//! Encoding of a text: UTF-8, or UTF-16 with a byte order mark, as written by Excel.

use std::{io::Read, str::Utf8Error};

use domain::text::quote;
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use encoding_rs_io::DecodeReaderBytesBuilder;

use super::{Decoded, HEAD, with_head};
use crate::{Error, FileError, Remedy, RowError, reading, reasons::Wrong};

/// Decodes the text that consists of `head` and `input`.
/// `chosen` counts only if there is no byte order mark.
pub(super) fn to_utf8<'i>(
    head: Vec<u8>,
    input: impl Read + 'i,
    chosen: reading::Encoding,
) -> Result<Decoded<'i>, Error> {
    Ok(match head.as_slice() {
        [0xEF, 0xBB, 0xBF, rest @ ..] => {
            Decoded::text(Box::new(with_head(rest.to_vec(), input)), true)
        }
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => {
            return Err(Error::Source(FileError::Utf32));
        }
        [0xFF, 0xFE, rest @ ..] => decoded(UTF_16LE, rest, input),
        [0xFE, 0xFF, rest @ ..] => decoded(UTF_16BE, rest, input),
        // Only the first bytes are checked, because the others may not have been read yet.
        head if head.iter().take(HEAD).any(|byte| *byte == 0) => {
            return Err(Error::Source(FileError::NotText));
        }
        head if chosen == reading::Encoding::Windows1252 => decoded(WINDOWS_1252, head, input),
        _ => Decoded::text(Box::new(with_head(head, input)), false),
    })
}

fn decoded<'i>(encoding: &'static Encoding, head: &[u8], input: impl Read + 'i) -> Decoded<'i> {
    let input = with_head(head.to_vec(), input);
    let decoder = DecodeReaderBytesBuilder::new().encoding(Some(encoding)).build(input);
    Decoded::text(Box::new(decoder), true)
}

/// Reason for refusing a text that is not UTF-8.
pub(crate) fn not_utf8(bytes: &[u8], error: Utf8Error) -> Wrong {
    if let Some(text) = windows_1252(bytes) {
        let remedy = Remedy::Encoding(reading::Encoding::Windows1252);
        return Wrong::from(RowError::LooksLikeWindows1252(quote(&text))).with([remedy]);
    }
    let at = error.valid_up_to();
    let byte = bytes.get(at).copied().unwrap_or_default();
    RowError::NotUtf8 { byte, at }.into()
}

/// Decodes the bytes as Windows-1252, if they look like it: they contain only its letters and common signs, and no
/// multi-byte UTF-8. Other single-byte encodings look alike, so nothing is converted unless a
/// person chooses it.
fn windows_1252(bytes: &[u8]) -> Option<String> {
    const NAMES: usize = 1 << 10;
    let bytes = &bytes[..bytes.len().min(NAMES)];
    let has_utf8 = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    let text = WINDOWS_1252.decode_without_bom_handling(bytes).0;
    let fits = |char: char| {
        char.is_ascii() || char.is_alphabetic() || "’‘“”–—…€£°ºª·\u{a0}".contains(char)
    };
    (!has_utf8 && text.chars().all(fits)).then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(bytes: &[u8]) -> String {
        not_utf8(bytes, std::str::from_utf8(bytes).unwrap_err()).reason.to_string()
    }

    #[test]
    fn windows_1252_is_recognised_and_other_damage_is_not_taken_for_it() {
        for (bytes, text) in [
            (&b"M\xFCnchen"[..], "München"),
            (b"S\xE3o Jos\xE9 dos Campos", "São José dos Campos"),
            (b"L\x92Aquila", "L’Aquila"),
        ] {
            assert_eq!(
                reason(bytes),
                format!(
                    "is not UTF-8: the file looks like Windows-1252 (it would read {text:?}); save \
                     it as UTF-8, in Excel as \"CSV UTF-8\""
                )
            );
        }
        let cut = "Łódź".as_bytes().split_last().map(|(_, rest)| rest).unwrap_or_default();
        for (bytes, place) in [
            // A byte without a character in Windows-1252; a sign that does not occur in names.
            (&b"M\x81nchen"[..], "byte 0x81 after 1 bytes"),
            (b"M\xA7nchen", "byte 0xA7 after 1 bytes"),
            (cut, "byte 0xC5 after 5 bytes"),
        ] {
            assert_eq!(reason(bytes), format!("is not UTF-8 ({place}): save the file as UTF-8"));
        }
    }
}
