//! Removes secrets from text that others read: the log, traces, and problems. People paste keys and webhook secrets into
//! paths and queries, where they do not belong, and from there they reach whatever is written about the request.

use std::{borrow::Cow, ops::Range};

/// What stands in place of a secret.
const MASK: char = '…';

const KEY_MARK: &str = "svc_";
const SECRET_MARK: &str = "whsec_";

/// Number of characters after the mark of a key that are no secret: with the mark, they are its prefix.
const PUBLIC_CHARACTERS: usize = 8;
/// Up to this number of characters after a mark nothing is a secret: too much of it is missing. Names such as
/// `svc_connections` are shorter.
const MAX_HARMLESS: usize = 16;

/// Returns the text without API keys, of which the prefix remains, and without webhook secrets. Finds them
/// percent-encoded, too, as they may be in a path or a query.
pub(crate) fn redacted(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut shown = String::new();
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        match secret(&bytes[at..]) {
            Some(Range { start, end }) => {
                shown.push_str(&text[copied..at + start]);
                shown.push(MASK);
                copied = at + end;
                at = copied;
            }
            None => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    shown.push_str(&text[copied..]);
    Cow::Owned(shown)
}

/// Where the bytes to hide are, if a key or a webhook secret begins here.
fn secret(bytes: &[u8]) -> Option<Range<usize>> {
    // Nearly all text is none.
    if !matches!(bytes.first(), Some(b's' | b'w' | b'%')) {
        return None;
    }
    if let Some(mark) = after_mark(bytes, KEY_MARK) {
        let prefix =
            characters(&bytes[mark..], |byte| byte.is_ascii_alphanumeric()).take(PUBLIC_CHARACTERS);
        let start = mark + prefix.sum::<usize>();
        return hidden(bytes, mark, start, |byte| byte.is_ascii_alphanumeric());
    }
    let mark = after_mark(bytes, SECRET_MARK)?;
    // Standard base64, and the alphabet for URLs.
    hidden(bytes, mark, mark, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
    })
}

/// From `start` to the end of the characters after a mark, if they are enough for a secret.
fn hidden(
    bytes: &[u8],
    mark: usize,
    start: usize,
    is_part: fn(u8) -> bool,
) -> Option<Range<usize>> {
    let (mut count, mut end) = (0, mark);
    for length in characters(&bytes[mark..], is_part) {
        count += 1;
        end += length;
    }
    (count > MAX_HARMLESS).then_some(start..end)
}

/// Where what follows a mark begins, if the bytes begin with it.
fn after_mark(bytes: &[u8], mark: &str) -> Option<usize> {
    mark.bytes().try_fold(0, |at, expected| {
        let (byte, length) = character(&bytes[at..])?;
        (byte == expected).then_some(at + length)
    })
}

/// The encoded lengths of the characters at the beginning that `is_part` accepts.
fn characters(bytes: &[u8], is_part: fn(u8) -> bool) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (byte, length) = character(&bytes[at..])?;
        at += length;
        is_part(byte).then_some(length)
    })
}

/// The first byte, percent-decoded, and how long it is encoded.
fn character(bytes: &[u8]) -> Option<(u8, usize)> {
    let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    match (bytes.first()?, digit(1), digit(2)) {
        (b'%', Some(high), Some(low)) => Some((u8::try_from(high << 4 | low).ok()?, 3)),
        (byte, ..) => Some((*byte, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "svc_4fT0aQx9BcDeFgHiJkLmNoPqRsTuVwXyZ01234";
    const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

    #[test]
    fn of_a_key_the_prefix_is_left_and_of_a_secret_its_mark() {
        for (text, shown) in [
            (format!("/keys/{KEY}/x"), "/keys/svc_4fT0aQx9…/x"),
            (format!("?a={KEY}&b={KEY}"), "?a=svc_4fT0aQx9…&b=svc_4fT0aQx9…"),
            (format!("{{\"secret\":\"{SECRET}\"}}"), "{\"secret\":\"whsec_…\"}"),
            (format!("ä{KEY}ö {SECRET}"), "äsvc_4fT0aQx9…ö whsec_…"),
            // A key with a character too many or too few is as good as a key to whoever guesses the rest.
            (format!("{KEY}5"), "svc_4fT0aQx9…"),
            (KEY[..40].to_owned(), "svc_4fT0aQx9…"),
        ] {
            assert_eq!(redacted(&text), shown, "{text}");
        }
    }

    #[test]
    fn percent_encoding_hides_no_secret() {
        let key = KEY.replace('_', "%5F").replace('D', "%44");
        assert_eq!(redacted(&format!("/{key}?")), "/svc%5F4fT0aQx9…?");
        let early = KEY.replace("4f", "%34f").replace('s', "%73");
        assert_eq!(redacted(&early), "%73vc_%34fT0aQx9…");
        let secret = SECRET.replace('_', "%5f").replace('=', "%3D");
        assert_eq!(redacted(&format!("s={secret}&t=1")), "s=whsec%5f…&t=1");
        // What is no encoding is a text like any other.
        assert_eq!(redacted("100 %, %5, %zz, svc%5"), "100 %, %5, %zz, svc%5");
    }

    #[test]
    fn prefixes_names_and_all_other_text_stay_as_they_are() {
        for text in [
            "",
            "svc_4fT0aQx9",
            "svc_4fT0aQx9…",
            "svc_http_requests_total svc_connections_refused",
            "begins with whsec_, and whsec_…",
            "svc_ whsec_ svc serves s w %",
            "Ünïcödé svc_ñ",
        ] {
            assert!(matches!(redacted(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }
}
