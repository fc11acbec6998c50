//! Texts in reports.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Returns the text in quotation marks for a message: shortened, and without characters that could confuse a terminal.
pub fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    let mut short: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push('…');
    }
    format!("{short:?}")
}

/// Reason for rejecting a text. Formats as the predicate of a sentence about the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextError {
    Empty,
    TooLong {
        characters: usize,
        max: usize,
    },
    /// Quoted text in which a program has replaced a character.
    Replaced(String),
    Control(char),
    Invisible(char),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty"),
            Self::TooLong { characters, max } => {
                write!(f, "is {characters} characters long; the maximum is {max}")
            }
            Self::Replaced(text) => write!(
                f,
                "{text} has a character in it that another program could not read (U+FFFD)"
            ),
            Self::Control(char) => write!(f, "has a control character ({})", code_point(*char)),
            Self::Invisible(char) => {
                write!(f, "has an invisible character ({})", code_point(*char))
            }
        }
    }
}

/// Formats a character by its number: `U+0007`.
pub fn code_point(char: char) -> String {
    format!("U+{:04X}", u32::from(char))
}

/// Checks that a text has at most `max` characters, and none that a spreadsheet or a browser could not display.
///
/// # Errors
/// Reason for rejecting the text.
pub fn check(text: &str, max: usize) -> Result<(), TextError> {
    // Fast path for the usual text.
    if text.len() <= max && text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Ok(());
    }
    let characters = text.chars().count();
    if characters > max {
        return Err(TextError::TooLong { characters, max });
    }
    match text.chars().find(|char| char.is_control() || *char == char::REPLACEMENT_CHARACTER) {
        Some(char::REPLACEMENT_CHARACTER) => Err(TextError::Replaced(quote(text))),
        Some(control) => Err(TextError::Control(control)),
        None => Ok(()),
    }
}
