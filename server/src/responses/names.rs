//! Names of countries and cities in the languages of the widgets.
//!
//! Only for pages and their data. The API, the stream and webhooks have names as reported. `scripts/data/make-names.py`
//! makes the tables, mostly from Unicode CLDR: all countries, and a few hundred cities that have other names elsewhere
//! or that time zones are named after. Cities in no table keep their reported name, except that a large city reported
//! in capitals or in small letters only gets its usual spelling.

use std::{collections::HashMap, sync::LazyLock};

use app::contract::Place;
use geo::{
    cities::usual_spelling,
    gazetteer::{Gazetteer, Position, Precision},
    places::country_key,
};
use kit::lang::Lang;
use model::Report;

static COUNTRIES: LazyLock<HashMap<&str, Names>> =
    LazyLock::new(|| lines(include_str!("../../data/country_names.tsv")).collect());

static CITIES: LazyLock<Vec<(&str, Names)>> =
    LazyLock::new(|| lines(include_str!("../../data/city_names.tsv")).collect());

/// Cities by their position in the gazetteer, which is the same for all spellings.
static CITIES_BY_POSITION: LazyLock<HashMap<(u32, u32), City>> = LazyLock::new(|| {
    let located = |(index, (country, names)): (usize, &(&str, Names))| {
        Some((locate(country, "", names.get(Lang::En))?, City(index)))
    };
    CITIES.iter().enumerate().filter_map(located).collect()
});

/// A name in every language, in the order of [`Lang::ALL`]. An empty one means the English name.
struct Names([&'static str; Lang::ALL.len()]);

impl Names {
    fn get(&self, lang: Lang) -> &'static str {
        let [english, ..] = self.0;
        let name = Lang::ALL.into_iter().zip(self.0).find(|(known, _)| *known == lang);
        name.map(|(_, name)| name).filter(|name| !name.is_empty()).unwrap_or(english)
    }
}

/// Returns the code and the names of each line.
fn lines(table: &'static str) -> impl Iterator<Item = (&'static str, Names)> {
    table.lines().filter_map(|line| {
        let (code, names) = line.split_once('\t')?;
        let mut columns = names.split('\t');
        Some((code, Names(std::array::from_fn(|_| columns.next().unwrap_or_default()))))
    })
}

/// Returns the name of a country that is given by any name or code. `None` if it is unknown.
pub fn country_name(given: &str, lang: Lang) -> Option<&'static str> {
    Some(COUNTRIES.get(country_key(given).as_str())?.get(lang))
}

/// Returns the ISO 3166 alpha-2 code of a country that is given by any name or code. `None` if it is unknown.
pub fn country_code(given: &str) -> Option<&'static str> {
    Some(COUNTRIES.get_key_value(country_key(given).as_str())?.0)
}

/// A city with names in every language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct City(usize);

impl City {
    /// Finds the city with these names in any spelling; the region may be empty.
    pub fn find(country: &str, region: &str, city: &str) -> Option<Self> {
        // "Berlin (Mitte)" has the position of Berlin, but is more specific than its name.
        if city.contains([',', '(', '/', ';']) {
            return None;
        }
        CITIES_BY_POSITION.get(&locate(country, region, city)?).copied()
    }

    fn name(self, lang: Lang) -> Option<&'static str> {
        Some(CITIES.get(self.0)?.1.get(lang))
    }
}

fn locate(country: &str, region: &str, city: &str) -> Option<(u32, u32)> {
    let Position { lat, lng, precision } = Gazetteer::get().locate(country, region, city)?;
    (precision == Precision::City).then_some((lat.to_bits(), lng.to_bits()))
}

/// Returns the name of a city. `None` if the tables have no name for it, and `city` isn't in capitals or in small
/// letters only or has no [usual spelling](usual_spelling).
pub fn city_name(country: &str, region: &str, city: &str, lang: Lang) -> Option<&'static str> {
    found_city_name(City::find(country, region, city), country, city, lang)
}

/// [`city_name`] of a city that was looked up before.
pub fn found_city_name(
    found: Option<City>,
    country: &str,
    city: &str,
    lang: Lang,
) -> Option<&'static str> {
    found.and_then(|found| found.name(lang)).or_else(|| usual_spelling(country, city))
}

/// Translates the names in a report.
pub fn name_report(report: &mut Report, lang: Lang) {
    if let Some(city) = city_name(&report.country, "", &report.city, lang) {
        report.city = city.to_owned();
    }
    if let Some(country) = country_name(&report.country, lang) {
        report.country = country.to_owned();
    }
}

/// Returns the place of a widget with its names in a language.
pub fn named_place(place: &Place, lang: Lang) -> Place {
    let Place { country, region, city } = place;
    let part = |part: &Option<String>| part.clone().unwrap_or_default();
    let named = |given: &Option<String>, name: &dyn Fn(&str) -> Option<&'static str>| {
        given.as_deref().map(|given| name(given).unwrap_or(given).to_owned())
    };
    Place {
        country: named(country, &|given| country_name(given, lang)),
        region: region.clone(),
        city: named(city, &|given| city_name(&part(country), &part(region), given, lang)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_is_recognised_however_it_was_given() {
        for (given, lang, name) in [
            ("BR", Lang::De, "Brasilien"),
            ("bra", Lang::Fr, "Brésil"),
            ("Brasil", Lang::En, "Brazil"),
            ("Brazil", Lang::Pt, "Brasil"),
            ("U.S.A.", Lang::De, "Vereinigte Staaten"),
            ("Deutschland", Lang::Es, "Alemania"),
            ("مصر", Lang::En, "Egypt"),
            ("Egypt", Lang::Ar, "مصر"),
            ("Hong Kong", Lang::De, "Hongkong"),
        ] {
            assert_eq!(country_name(given, lang), Some(name), "{given}");
        }
        assert_eq!(["Brasil", "DEU", "مصر"].map(country_code), ["BR", "DE", "EG"].map(Some));
        for unknown in ["Atlantis", "", "?"] {
            assert_eq!(country_name(unknown, Lang::De), None, "{unknown}");
            assert_eq!(country_code(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn a_city_is_recognised_in_any_spelling_within_its_country() {
        for (country, region, city, lang, name) in [
            ("AT", "", "Vienna", Lang::De, "Wien"),
            ("Österreich", "Wien", "WIEN", Lang::Fr, "Vienne"),
            ("Russia", "", "Москва", Lang::De, "Moskau"),
            ("Portugal", "", "Lisboa", Lang::Ar, "لشبونة"),
            ("Germany", "", "Köln", Lang::En, "Cologne"),
            ("US", "", "New York City", Lang::Pt, "Nova York"),
            ("Germany", "", "BOCHUM", Lang::Fr, "Bochum"),
        ] {
            assert_eq!(city_name(country, region, city, lang), Some(name), "{city}");
        }
        for (country, region, city) in [
            ("US", "Virginia", "Vienna"),
            ("US", "Texas", "Paris"),
            ("Germany", "", "Berlin (Mitte)"),
            ("Brazil", "", "Salvador"),
            ("Brazil", "", "Qwxyzstadt"),
            ("Atlantis", "", "Vienna"),
            ("", "", "Vienna"),
        ] {
            assert_eq!(city_name(country, region, city, Lang::De), None, "{city}");
        }
    }

    #[test]
    fn the_tables_are_whole() {
        assert_eq!(COUNTRIES.len(), 250);
        assert!(COUNTRIES.values().all(|names| names.0.iter().all(|name| !name.is_empty())));
        assert!(CITIES.iter().all(|(_, names)| !names.0[0].is_empty()));
        // Two cities with the same position would be confused.
        assert_eq!(CITIES_BY_POSITION.len(), CITIES.len());
    }

    #[test]
    fn a_place_has_all_its_names_in_the_language() {
        let part = |name: &str| Some(name.to_owned());
        let place = Place { country: part("AUT"), region: part("Wien"), city: part("Vienna") };
        let named =
            Place { country: part("Österreich"), region: part("Wien"), city: part("Wien") };
        assert_eq!(named_place(&place, Lang::De), named);
        assert_eq!(named_place(&Place::default(), Lang::De), Place::default());
        let elsewhere = Place { country: part("Atlantis"), ..Place::default() };
        assert_eq!(named_place(&elsewhere, Lang::De), elsewhere);
    }
}
