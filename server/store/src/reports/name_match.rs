//! Conditions of a selection on names, which SQL cannot check: names are folded.

use std::{collections::HashMap, sync::Arc};

use geo::places::{country_key, fold};

use super::selection::Selection;
use crate::filter::PlaceFilter;

/// Conditions of a selection on the names of a report's place, and on its id.
pub(super) struct NameMatch<'s> {
    place: &'s PlaceFilter,
    text: Option<Text>,
    /// Folded names and keys of countries. The same few names occur many times.
    folded: HashMap<String, Arc<str>>,
    countries: HashMap<String, Arc<str>>,
}

/// Text of a selection.
struct Text {
    folded: String,
    /// Key of the country with this name, if it is one.
    country: String,
    /// The text as the beginning of an id: as written, and in lower and upper case.
    ids: Vec<String>,
}

/// Results for a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlaceMatch {
    /// Whether the place filter selects it.
    pub is_selected: bool,
    /// Whether one of its names contains the text, or there is no text.
    pub has_text: bool,
}

impl PlaceMatch {
    pub(super) fn is_both(self) -> bool {
        self.is_selected && self.has_text
    }
}

impl<'s> NameMatch<'s> {
    pub(super) fn of(selection: &'s Selection) -> Self {
        let text = selection.text.as_deref().map(str::trim).and_then(|text| {
            let folded = fold(text);
            let mut ids = vec![text.to_owned(), text.to_lowercase(), text.to_uppercase()];
            ids.sort_unstable();
            ids.dedup();
            (!folded.is_empty()).then(|| Text { folded, country: country_key(text), ids })
        });
        Self { place: &selection.place, text, folded: HashMap::new(), countries: HashMap::new() }
    }

    /// Whether there is a condition.
    pub(super) fn is_asked(&self) -> bool {
        !self.place.is_empty() || self.text.is_some()
    }

    pub(super) fn place_filter(&self) -> &'s PlaceFilter {
        self.place
    }

    /// The beginnings of ids that match the text.
    pub(super) fn ids(&self) -> &[String] {
        self.text.as_ref().map_or(&[], |text| &text.ids)
    }

    /// Whether the conditions hold for the report with this id and these names of its country,
    /// region and city.
    pub(super) fn matches(&mut self, id: &str, names: [&str; 3]) -> bool {
        if !self.is_asked() {
            return true;
        }
        let place = self.place(names);
        place.is_selected
            && (place.has_text || self.ids().iter().any(|start| id.starts_with(start)))
    }

    /// The results for a country, region and city.
    pub(super) fn place(&mut self, [country, region, city]: [&str; 3]) -> PlaceMatch {
        let place = self.place;
        let is =
            |wanted: &Option<String>, key: &str| wanted.as_deref().is_none_or(|one| one == key);
        let is_selected = (place.country.is_none()
            || is(&place.country, &self.country_key(country)))
            && (place.region.is_none() || is(&place.region, &self.fold(region)))
            && (place.city.is_none() || is(&place.city, &self.fold(city)));
        let has_text = match self.text.take() {
            None => true,
            Some(text) => {
                let names = [city, region, country];
                let has_text = names.iter().any(|name| self.fold(name).contains(&text.folded))
                    || *self.country_key(country) == text.country;
                self.text = Some(text);
                has_text
            }
        };
        PlaceMatch { is_selected, has_text }
    }

    pub(super) fn fold(&mut self, name: &str) -> Arc<str> {
        remembered(&mut self.folded, name, fold)
    }

    pub(super) fn country_key(&mut self, name: &str) -> Arc<str> {
        remembered(&mut self.countries, name, country_key)
    }
}

fn remembered(
    known: &mut HashMap<String, Arc<str>>,
    name: &str,
    convert: fn(&str) -> String,
) -> Arc<str> {
    if let Some(known) = known.get(name) {
        return known.clone();
    }
    let converted: Arc<str> = convert(name).into();
    known.insert(name.to_owned(), converted.clone());
    converted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selection(country: Option<&str>, text: &str) -> Selection {
        Selection {
            place: PlaceFilter::new(country, None, None),
            text: Some(text.to_owned()),
            ..Selection::default()
        }
    }

    #[test]
    fn text_is_found_in_folded_names_names_of_countries_and_at_the_start_of_ids() {
        let sao_paulo = ["Brazil", "SP", "São Paulo"];
        for (country, text, id, expected) in [
            (None, "sao pa", "r-1", true),
            (None, " PAULO ", "r-1", true),
            (None, "brasil", "r-1", true),
            (None, "R-1", "r-17", true),
            (None, "r-1", "R-17", true),
            (None, "17", "r-17", false),
            (None, "oslo", "r-1", false),
            (Some("BR"), "paulo", "r-1", true),
            (Some("BR"), "r-", "r-1", true),
            (Some("NO"), "paulo", "r-1", false),
            (Some("NO"), "r-1", "r-1", false),
            (None, " ", "r-1", true),
        ] {
            let selection = selection(country, text);
            let mut names = NameMatch::of(&selection);
            // The second result is remembered.
            for _ in 0..2 {
                assert_eq!(names.matches(id, sao_paulo), expected, "{country:?} {text:?} {id}");
            }
        }
    }
}
