//! The 5,000 largest cities of the world, with at least a few of every country, in their usual spelling.

use std::{collections::HashMap, sync::LazyLock};

use crate::places::{country_key, country_name, fold};

/// Made from GeoNames by `scripts/data/make-cities.py`, which documents the columns.
static DATA: &str = include_str!("../data/cities.tsv");

static CITIES: LazyLock<Vec<City>> = LazyLock::new(|| DATA.lines().filter_map(parse).collect());

/// Folded names of the cities, in the same order.
static FOLDED: LazyLock<Vec<String>> =
    LazyLock::new(|| cities().iter().map(|city| fold(city.name)).collect());

/// Spellings by country code and folded name.
static SPELLINGS: LazyLock<HashMap<(&str, String), &str>> = LazyLock::new(|| {
    let mut spellings = HashMap::new();
    for City { name, code, local, .. } in cities() {
        for name in [Some(*name), local.map(|[name, ..]| name)].into_iter().flatten() {
            // Of two cities with the same name, the first is larger.
            spellings.entry((*code, fold(name))).or_insert(name);
        }
    }
    spellings
});

/// A city in its usual international spelling.
#[derive(Debug)]
pub struct City {
    pub name: &'static str,
    pub region: &'static str,
    pub country: &'static str,
    /// ISO 3166-1 alpha-2.
    pub code: &'static str,
    /// Latitude and longitude in degrees.
    pub point: (f64, f64),
    pub population: u64,
    /// City, region and country in the local spelling.
    pub local: Option<[&'static str; 3]>,
}

/// Returns all cities, the largest first.
pub fn cities() -> &'static [City] {
    &CITIES
}

/// Returns the cities whose folded name begins with `start`, the largest first.
pub fn beginning_with(start: &str) -> impl Iterator<Item = &'static City> {
    let named = cities().iter().zip(&*FOLDED);
    named.filter(move |(_, name)| name.starts_with(start)).map(|(city, _)| city)
}

/// Returns the usual spelling of a city whose name is given in capitals or in small letters only. `None` if the name
/// has both, or the city is unknown.
pub fn usual_spelling(country: &str, city: &str) -> Option<&'static str> {
    let is_one_case =
        !city.chars().any(char::is_lowercase) || !city.chars().any(char::is_uppercase);
    if !is_one_case {
        return None;
    }
    let code = country_key(country);
    SPELLINGS.get(&(code.as_str(), fold(city))).copied()
}

/// Parses a line; `None` if it is malformed, which a test rules out.
fn parse(line: &'static str) -> Option<City> {
    let columns: Vec<&str> = line.split('\t').collect();
    let (name, region, code, population, lat, lng, local) = match columns[..] {
        [name, region, code, population, lat, lng] => {
            (name, region, code, population, lat, lng, None)
        }
        [name, region, code, population, lat, lng, city, local_region, country] => {
            (name, region, code, population, lat, lng, Some([city, local_region, country]))
        }
        _ => return None,
    };
    Some(City {
        name,
        region,
        country: country_name(code)?,
        code,
        point: (lat.parse().ok()?, lng.parse().ok()?),
        population: population.parse().ok()?,
        local,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::places::tidy;

    #[test]
    fn every_line_of_the_data_is_a_city_that_is_somewhere() {
        let cities = cities();
        assert_eq!(cities.len(), DATA.lines().count());
        for city in cities {
            let (lat, lng) = city.point;
            assert!(
                (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng),
                "{}",
                city.name
            );
            for text in [city.name, city.region].into_iter().chain(city.local.into_iter().flatten())
            {
                assert_eq!(tidy(text), text);
            }
            assert!(!fold(city.name).is_empty());
            assert_eq!(country_key(city.country), city.code);
            if let Some([name, _, country]) = city.local {
                assert!(!fold(name).is_empty());
                assert_eq!(country_key(country), city.code);
            }
        }
    }

    #[test]
    fn no_two_cities_are_one_place() {
        let cities = cities();
        let places: HashSet<_> =
            cities.iter().map(|city| (city.code, fold(city.region), fold(city.name))).collect();
        assert_eq!(places.len(), cities.len());
    }

    #[test]
    fn a_name_in_one_case_has_a_usual_spelling() {
        for (country, city, usual) in [
            ("Brazil", "SAO PAULO", "São Paulo"),
            ("BR", "são josé dos campos", "São José dos Campos"),
            ("Deutschland", "bochum", "Bochum"),
            ("Russia", "МОСКВА", "Москва"),
            ("China", "北京", "北京"),
        ] {
            assert_eq!(usual_spelling(country, city), Some(usual), "{city}");
        }
        for (country, city) in [
            ("Brazil", "Sao Paulo"),
            ("Germany", "BOchum"),
            ("France", "bochum"),
            ("Germany", "QWXYZSTADT"),
            ("Germany", ""),
            ("Atlantis", "bochum"),
        ] {
            assert_eq!(usual_spelling(country, city), None, "{city}");
        }
    }
}
