use std::sync::LazyLock;

use geo::places::country_name;

use super::rng::Rng;

/// Made from GeoNames by `scripts/data/make-cities.py`, which documents the columns.
static DATA: &str = include_str!("../../geo/data/cities.tsv");

static CITIES: LazyLock<Cities> = LazyLock::new(|| Cities::new(DATA));

/// A city in its usual international spelling.
pub(super) struct City {
    pub(super) name: &'static str,
    pub(super) region: &'static str,
    pub(super) country: &'static str,
    /// ISO 3166-1 alpha-2.
    pub(super) code: &'static str,
    /// Latitude and longitude in degrees.
    pub(super) point: (f64, f64),
    population: u64,
    /// City, region and country in the local spelling.
    pub(super) local: Option<[&'static str; 3]>,
}

pub(super) struct Cities {
    all: Vec<City>,
    /// For each city, the sum of the weights up to and including it.
    sums: Vec<u64>,
}

impl Cities {
    pub(super) fn get() -> &'static Self {
        &CITIES
    }

    fn new(data: &'static str) -> Self {
        let all: Vec<City> = data.lines().filter_map(parse).collect();
        let sums = all
            .iter()
            .scan(0, |sum, city| {
                // The square root of the population, so that a few giants don't get most of the reports.
                *sum += city.population.isqrt().max(1);
                Some(*sum)
            })
            .collect();
        Self { all, sums }
    }

    pub(super) fn all(&self) -> &[City] {
        &self.all
    }

    /// Returns the index of a random city; larger ones are more likely.
    pub(super) fn pick(&self, rng: &mut Rng) -> usize {
        let point = rng.below(self.sums.last().copied().unwrap_or(0));
        self.sums.partition_point(|sum| *sum <= point)
    }
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

    use geo::places::{country_key, fold, tidy};

    use super::{Cities, DATA};

    #[test]
    fn every_line_of_the_data_is_a_city_that_is_somewhere() {
        let cities = Cities::get().all();
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
        let cities = Cities::get().all();
        let places: HashSet<_> =
            cities.iter().map(|city| (city.code, fold(city.region), fold(city.name))).collect();
        assert_eq!(places.len(), cities.len());
    }
}
