//! Reasons of decisions.

use std::fmt;

use crate::text;

/// Maximum number of characters in a reason.
pub const MAX_CHARACTERS: usize = 500;

/// Reason of a decision, in the words of the person who makes it: one line without surrounding blanks, never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// Reads a reason; returns `None` if the text is blank.
    ///
    /// # Errors
    /// Reason for refusing the text, as a sentence.
    pub fn parse(text: &str) -> Result<Option<Self>, String> {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        text::check(&line, MAX_CHARACTERS).map_err(|fault| format!("The reason {fault}."))?;
        Ok((!line.is_empty()).then_some(Self(line)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_one_line_of_up_to_500_characters() {
        let read = |text: &str| Reason::parse(text).map(|reason| reason.map(|reason| reason.0));
        assert_eq!(read("  \n"), Ok(None));
        assert_eq!(read(" Not\n credible "), Ok(Some("Not credible".to_owned())));
        assert_eq!(read(&"é".repeat(500)), Ok(Some("é".repeat(500))));
        let long = "The reason is 501 characters long; the maximum is 500.";
        assert_eq!(read(&"é".repeat(501)), Err(long.to_owned()));
        assert_eq!(read("a\u{7}"), Err("The reason has a control character (U+0007).".to_owned()));
    }
}
