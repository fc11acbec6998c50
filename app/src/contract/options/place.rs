/// Maximum length of a part in characters, as in the API.
const MAX_CHARACTERS: usize = 256;

/// `country=`, `region=`, `city=`: place of the shown reports, as in the API. Parts that are blank,
/// too long or contain control characters are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    pub country: Option<String>,
    pub region: Option<String>,
    pub city: Option<String>,
}

impl Place {
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let part = match name {
            "country" => &mut self.country,
            "region" => &mut self.region,
            "city" => &mut self.city,
            _ => return,
        };
        if let Some(value) = self::name(value) {
            *part = Some(value);
        }
    }

    /// The place for display: "Campinas, Brazil"; empty if no part is set.
    pub(crate) fn name(&self, comma: &str) -> String {
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

/// Trims a name. Returns `None` if it is blank, too long or contains control characters.
pub(super) fn name(value: &str) -> Option<String> {
    let value = value.trim();
    let sound = !value.is_empty()
        && value.chars().count() <= MAX_CHARACTERS
        // Invalid UTF-8 in a query arrives as this character.
        && !value.chars().any(|c| c.is_control() || c == char::REPLACEMENT_CHARACTER);
    sound.then(|| value.to_owned())
}
