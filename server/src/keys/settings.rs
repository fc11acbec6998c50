//! Settings of a key: the operator's note, its own limit, and the origins of the pages that use it.

use geo::places::tidy;
use store::KeySettings;
use url::Url;

/// Maximum number of characters of a note.
pub const MAX_NOTE: usize = 200;
/// Maximum number of requests per minute that a key's own limit may allow: each counted one takes memory.
pub const MAX_RATE: u32 = 100_000;
/// Maximum number of origins of a key.
pub const MAX_ORIGINS: usize = 20;
/// Maximum length of an origin.
const MAX_ORIGIN: usize = 300;

/// Reasons why a setting is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    #[error("it is {0} characters long; the maximum is {MAX_NOTE}")]
    LongNote(usize),
    #[error("it has a control character: remove it")]
    Control,
    #[error("give a number from 1 to {MAX_RATE}")]
    Rate,
    #[error(
        "{0:?} is not the origin of a page: write one like https://example.org, without a path"
    )]
    Origin(String),
    #[error("there are {0} origins; the maximum is {MAX_ORIGINS}")]
    ManyOrigins(usize),
}

/// Returns a note without needless spaces; `None` if it is blank.
///
/// # Errors
/// The note is too long, or has a control character.
pub fn note(text: &str) -> Result<Option<String>, SettingError> {
    let note = tidy(text);
    match note.chars().count() {
        0 => Ok(None),
        length if length > MAX_NOTE => Err(SettingError::LongNote(length)),
        _ if note.contains(char::is_control) => Err(SettingError::Control),
        _ => Ok(Some(note)),
    }
}

/// Parses the number of requests per minute.
///
/// # Errors
/// The text is not a number from 1 to [`MAX_RATE`].
pub fn rate(text: &str) -> Result<u32, SettingError> {
    text.trim().parse().ok().filter(is_rate).ok_or(SettingError::Rate)
}

/// Whether a key may have this limit.
pub fn is_rate(rate: &u32) -> bool {
    (1..=MAX_RATE).contains(rate)
}

/// Returns an origin in the form in which browsers send it.
///
/// # Errors
/// The text is not the origin of an HTTP page.
pub fn origin(text: &str) -> Result<String, SettingError> {
    let invalid = || SettingError::Origin(text.chars().take(MAX_ORIGIN).collect());
    let url = Url::parse(text.trim()).map_err(|_| invalid())?;
    let is_bare = matches!(url.path(), "" | "/")
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none();
    let is_origin = is_bare && matches!(url.scheme(), "http" | "https") && text.len() <= MAX_ORIGIN;
    is_origin.then(|| url.origin().ascii_serialization()).ok_or_else(invalid)
}

/// Returns several origins, each once.
///
/// # Errors
/// An origin is invalid, or there are too many.
pub fn origins<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Vec<String>, SettingError> {
    let mut origins = Vec::new();
    for text in texts {
        let origin = origin(text)?;
        if !origins.contains(&origin) {
            origins.push(origin);
        }
    }
    match origins.len() {
        count if count > MAX_ORIGINS => Err(SettingError::ManyOrigins(count)),
        _ => Ok(origins),
    }
}

/// Describes the settings in a line; empty if there are none.
pub fn in_words(KeySettings { note, rate, origins }: &KeySettings) -> String {
    let rate = rate.map(|rate| format!("{rate} requests a minute"));
    let parts = note.iter().chain(&rate).chain(origins).map(String::as_str);
    parts.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_in_the_form_that_browsers_send() {
        for (given, sent) in [
            ("https://example.org", "https://example.org"),
            (" HTTPS://Example.ORG:443/ ", "https://example.org"),
            ("http://localhost:8080", "http://localhost:8080"),
            ("https://bücher.example", "https://xn--bcher-kva.example"),
            ("http://[::1]:80", "http://[::1]"),
        ] {
            assert_eq!(origin(given).as_deref(), Ok(sent));
        }
        for wrong in [
            "",
            "*",
            "null",
            "example.org",
            "https://",
            "https://example.org/path",
            "https://example.org?a",
            "https://example.org/#",
            "https://me@example.org",
            "ftp://example.org",
            "https://*.example.org/",
        ] {
            let refused = origin(wrong);
            assert!(refused.is_err(), "{wrong} {refused:?}");
        }
    }

    #[test]
    fn origins_are_listed_once_and_are_not_too_many() {
        let given = ["https://a.example", "https://A.example/", "https://b.example"];
        assert_eq!(origins(given).unwrap(), ["https://a.example", "https://b.example"]);
        let many: Vec<String> = (0..21).map(|n| format!("https://{n}.example")).collect();
        let many = origins(many.iter().map(String::as_str));
        assert_eq!(many, Err(SettingError::ManyOrigins(21)));
    }

    #[test]
    fn a_note_is_a_line_and_a_rate_is_a_number() {
        assert_eq!(note("  the  wiki "), Ok(Some("the wiki".to_owned())));
        assert_eq!(note(" "), Ok(None));
        assert_eq!(note("a\u{7}"), Err(SettingError::Control));
        assert_eq!(note(&"x".repeat(201)), Err(SettingError::LongNote(201)));
        assert_eq!(rate(" 100000 "), Ok(100_000));
        for wrong in ["0", "100001", "-1", "1.5", "", "ten"] {
            assert_eq!(rate(wrong), Err(SettingError::Rate), "{wrong}");
        }
    }
}
