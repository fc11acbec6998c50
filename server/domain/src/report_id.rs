//! Ids of reports. The API allows any string, so a new id may be any text that people can see and distinguish, even a
//! word that is also part of a path, such as `approve` or `..`.

use std::{fmt, ops::Deref};

use icu_properties::{CodePointSetData, props::DefaultIgnorableCodePoint};

use super::text::{self, TextError};

/// Maximum number of characters of a new id.
pub const MAX_CHARACTERS: usize = 128;

/// Id of a report.
#[derive(
    Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct ReportId(String);

impl ReportId {
    /// Checks the id of a new report, and removes white space at its ends.
    ///
    /// # Errors
    /// Reason for rejecting the id: it is empty or too long, or has characters that people cannot see.
    pub fn new(given: &str) -> Result<Self, TextError> {
        let id = given.trim();
        if id.is_empty() {
            return Err(TextError::Empty);
        }
        text::check(id, MAX_CHARACTERS)?;
        match id.chars().find(|char| is_invisible(*char)) {
            Some(char) => Err(TextError::Invisible(char)),
            None => Ok(Self(id.to_owned())),
        }
    }

    /// Id of a stored report. Not checked, because earlier releases may have accepted more.
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for ReportId {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// Formats like a string, because messages quote ids.
impl fmt::Debug for ReportId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for ReportId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether Unicode defines the character as invisible, or as a separator of lines or paragraphs.
fn is_invisible(char: char) -> bool {
    !char.is_ascii()
        && (matches!(char, '\u{2028}' | '\u{2029}')
            || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(char))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_that_can_be_seen_is_an_id() {
        let long = "é".repeat(MAX_CHARACTERS);
        for text in ["r-1", "approve", ".", "..", "a/b", "a b", "é", "नेपाल", long.as_str()]
        {
            assert_eq!(ReportId::new(text).as_deref(), Ok(text));
        }
        assert_eq!(ReportId::new(" r-1\t").as_deref(), Ok("r-1"));
    }

    #[test]
    fn what_cannot_be_seen_is_refused_and_the_reason_names_it() {
        for (text, reason) in [
            ("  ", "is empty"),
            (&"x".repeat(129), "is 129 characters long; the maximum is 128"),
            ("a\u{7}", "has a control character (U+0007)"),
            ("\u{200B}", "has an invisible character (U+200B)"),
            ("a\u{202E}b", "has an invisible character (U+202E)"),
            ("a\u{2028}b", "has an invisible character (U+2028)"),
            ("\u{3164}", "has an invisible character (U+3164)"),
            ("\u{E0041}", "has an invisible character (U+E0041)"),
        ] {
            assert_eq!(ReportId::new(text).unwrap_err().to_string(), reason, "{text:?}");
        }
    }
}
