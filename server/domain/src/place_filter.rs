use geo::places::{country_key, fold};

/// Where: each part that is set narrows. Parts are keys, so that spellings of one place are one
/// filter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlaceFilter {
    pub country: Option<String>,
    pub region: Option<String>,
    pub city: Option<String>,
}

impl PlaceFilter {
    /// Parts as they are spelled by whoever asks; blank ones do not narrow.
    pub fn new(country: Option<&str>, region: Option<&str>, city: Option<&str>) -> Self {
        let part = |text: Option<&str>, key: fn(&str) -> String| {
            text.map(str::trim).filter(|text| !text.is_empty()).map(key)
        };
        Self {
            country: part(country, country_key),
            region: part(region, fold),
            city: part(city, fold),
        }
    }

    /// Whether a report is from here, by the keys of its country, region and city, separated by line feeds.
    pub fn selects(&self, place: &str) -> bool {
        let mut keys = place.split('\n');
        [&self.country, &self.region, &self.city].into_iter().all(|wanted| {
            let key = keys.next().unwrap_or_default();
            wanted.as_deref().is_none_or(|wanted| wanted == key)
        })
    }

    /// What its texts take in memory.
    pub fn bytes(&self) -> usize {
        [&self.country, &self.region, &self.city].into_iter().flatten().map(String::len).sum()
    }

    /// Whether it narrows nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
