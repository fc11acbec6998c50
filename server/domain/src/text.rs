//! Texts that reports consist of.

/// The text as a message shows it: short, and with nothing that upsets a terminal.
pub fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut short: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push('…');
    }
    format!("{short:?}")
}

/// Checks that a text has at most `max` characters, and none that a spreadsheet or a browser could not show.
///
/// # Errors
/// What is wrong with it.
pub fn check(text: &str, max: usize) -> Result<(), String> {
    // The usual text, at a glance.
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
