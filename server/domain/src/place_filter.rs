use geo::places::{country_key, fold};

/// Filter by place. Each part that is set narrows the selection. Parts are keys, so all spellings of a place give the
/// same filter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlaceFilter {
    pub country: Option<String>,
    pub region: Option<String>,
    pub city: Option<String>,
}

impl PlaceFilter {
    /// Creates a filter from parts in any spelling; blank parts do not narrow.
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

    /// Whether a report is from a selected place, given the keys of its country, region and city, separated by line
    /// feeds.
    pub fn selects(&self, place: &str) -> bool {
        let mut keys = place.split('\n');
        [&self.country, &self.region, &self.city].into_iter().all(|wanted| {
            let key = keys.next().unwrap_or_default();
            wanted.as_deref().is_none_or(|wanted| wanted == key)
        })
    }

    /// Memory that the texts take, in bytes.
    pub fn bytes(&self) -> usize {
        [&self.country, &self.region, &self.city].into_iter().flatten().map(String::len).sum()
    }

    /// Whether the filter selects everything.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
