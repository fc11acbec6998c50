use super::value::{Input, Parsed};
use std::fmt;

/// Maximum length of a name in characters, as in the API.
const MAX_CHARACTERS: usize = 256;

/// A name of a place or a title: not blank, not too long, without control characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name(String);

impl Parsed for Name {
    const INPUT: Input = Input::Text;

    fn parse(text: &str) -> Option<Self> {
        let name = text.trim();
        let is_sound = !name.is_empty()
            && name.chars().count() <= MAX_CHARACTERS
            // Invalid UTF-8 in a query arrives as this character.
            && !name.chars().any(|c| c.is_control() || c == char::REPLACEMENT_CHARACTER);
        is_sound.then(|| Self(name.to_owned()))
    }

    fn text(&self) -> String {
        self.0.clone()
    }
}

impl Name {
    /// Parses a name; `None` if it is not sound.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// `country=`, `region=`, `city=`: place of the shown reports, as in the API.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    pub country: Option<String>,
    pub region: Option<String>,
    pub city: Option<String>,
}

impl Place {
    /// The place for display: "Campinas, Brazil"; empty if no part is set.
    pub fn name(&self, comma: &str) -> String {
        let parts = [&self.city, &self.region, &self.country];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        parts.join(comma)
    }

    /// Whether no part is set.
    pub fn is_everywhere(&self) -> bool {
        *self == Self::default()
    }

    /// The parts as a query of the API.
    pub fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let parts = [("country", &self.country), ("region", &self.region), ("city", &self.city)];
        for (name, value) in parts {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
        query.finish()
    }
}
