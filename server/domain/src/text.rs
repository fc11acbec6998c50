//! Texts in reports.

/// Returns the text in quotation marks for a message: shortened, and without characters that could confuse a terminal.
pub fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut short: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push('…');
    }
    format!("{short:?}")
}

/// Checks that a text has at most `max` characters, and none that a spreadsheet or a browser could not display.
///
/// # Errors
/// Reason for rejecting the text.
pub fn check(text: &str, max: usize) -> Result<(), String> {
    // Fast path for the usual text.
    if text.len() <= max && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Ok(());
    }
    let length = text.chars().count();
    if length > max {
        return Err(format!("is {length} characters long; the maximum is {max}"));
    }
    match text.chars().find(|char| char.is_control() || *char == char::REPLACEMENT_CHARACTER) {
        Some(char::REPLACEMENT_CHARACTER) => Err(format!(
            "{} has a character in it that another program could not read (U+FFFD)",
            quote(text)
        )),
        Some(control) => Err(format!("has a control character (U+{:04X})", u32::from(control))),
        None => Ok(()),
    }
}
