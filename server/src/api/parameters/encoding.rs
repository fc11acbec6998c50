//! Strict percent-decoding.

/// Returns the decoded bytes, with `None` for each broken escape.
fn bytes(encoded: &str) -> impl Iterator<Item = Option<u8>> {
    let mut rest = encoded.as_bytes();
    std::iter::from_fn(move || {
        let (byte, tail) = match rest {
            [] => return None,
            [b'%', high, low, tail @ ..] if let Some(byte) = hex_byte(*high, *low) => {
                (Some(byte), tail)
            }
            [b'%', tail @ ..] => (None, tail),
            [b'+', tail @ ..] => (Some(b' '), tail),
            [byte, tail @ ..] => (Some(*byte), tail),
        };
        rest = tail;
        Some(byte)
    })
}

fn hex_byte(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

/// Whether `encoded` is `name`.
pub(super) fn is(encoded: &str, name: &str) -> bool {
    bytes(encoded).eq(name.bytes().map(Some))
}

/// Decodes a text of at most `max` characters and without control characters, or returns the fault.
pub(super) fn decode(encoded: &str, max: usize) -> Result<String, String> {
    let bytes: Option<Vec<u8>> = bytes(encoded).collect();
    let bytes = bytes.ok_or("has a % that begins no escape: write %25")?;
    let text = String::from_utf8(bytes).map_err(|_| "is not UTF-8")?;
    check(&text, max)?;
    Ok(text)
}

/// Checks that a text has at most `max` characters and no control characters, or returns the fault.
pub(super) fn check(text: &str, max: usize) -> Result<(), String> {
    let length = text.chars().count();
    if length > max {
        return Err(format!("has {length} characters; the maximum is {max}"));
    }
    match text.chars().find(|character| character.is_control()) {
        Some(control) => Err(format!("has a control character (U+{:04X})", u32::from(control))),
        None => Ok(()),
    }
}
