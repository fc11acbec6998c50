//! The cities, and the selection of their names.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::sources::{self, Sources};
use geo::gazetteer::key::key;

/// Weight of a city's main name compared with an alternative name of another city. For example,
/// "Frisco" means the city in Texas, although it is also a name of San Francisco.
const OWN_NAME: u64 = 20;
/// A district of a city is less likely to be meant than a separate city of the same name and size.
/// For example, "Salamanca" does not mean the district of Madrid. A place counts as a district if a
/// city with at least [`CITY_OF_DISTRICTS`] inhabitants and [`TIMES_ITS_DISTRICT`] times the
/// place's size is within [`DISTRICT_WITHIN`] degrees of latitude.
const DISTRICT: u64 = 4;
const DISTRICT_WITHIN: f64 = 0.12;
const CITY_OF_DISTRICTS: u32 = 500_000;
const TIMES_ITS_DISTRICT: u32 = 8;
/// Minimum population of a city whose airport code counts as a name, such as NYC for New York.
const KNOWN_BY_CODE: u32 = 1_000_000;

pub(crate) struct City {
    pub(crate) name: String,
    /// Alpha-2 code.
    pub(crate) country: [u8; 2],
    /// Code at GeoNames: "02" of "DE.02".
    pub(crate) region: String,
    pub(crate) lat: f64,
    pub(crate) lng: f64,
    pub(crate) keys: Vec<(String, Likelihood)>,
}

/// Likelihood that a name means this city rather than its namesakes.
pub(crate) type Likelihood = u64;

/// All cities by country, sorted by population, largest first.
pub(crate) fn read(sources: &Sources) -> Result<Vec<City>> {
    let mut cities = sources.cities()?;
    cities.sort_by(|one, other| {
        let order = |city: &sources::City| (std::cmp::Reverse(city.population), city.geonameid);
        (&one.countrycode, order(one)).cmp(&(&other.countrycode, order(other)))
    });
    let large: Vec<_> = (cities.iter())
        .filter(|city| city.population >= CITY_OF_DISTRICTS)
        .map(|city| (city.latitude, city.longitude, city.population))
        .collect();
    let is_district = |city: &sources::City| {
        large.iter().any(|(lat, lng, population)| {
            let (north, east) = (city.latitude - lat, city.longitude - lng);
            let away = north.hypot(east * lat.to_radians().cos());
            *population / TIMES_ITS_DISTRICT >= city.population && away < DISTRICT_WITHIN
        })
    };
    let with_rank = |source: sources::City| {
        let rank = u64::from(source.population.max(1)) * DISTRICT;
        let rank = if is_district(&source) { rank / DISTRICT } else { rank };
        city(source, rank)
    };
    cities.into_iter().map(with_rank).collect()
}

fn city(source: sources::City, rank: Likelihood) -> Result<City> {
    let keys = keys(&source, rank);
    Ok(City {
        country: source.countrycode.as_bytes().try_into()?,
        name: source.name,
        region: source.admin1code,
        lat: source.latitude,
        lng: source.longitude,
        keys,
    })
}

fn keys(city: &sources::City, rank: Likelihood) -> Vec<(String, Likelihood)> {
    let own = key(&city.name);
    let further: BTreeSet<String> = city
        .alternatenames
        .iter()
        .filter(|name| is_written_so(name) && !is_code(name, city.population))
        .map(|name| key(name))
        .filter(|key| !key.is_empty() && *key != own)
        .collect();
    std::iter::once((own, rank * OWN_NAME))
        .chain(further.into_iter().map(|key| (key, rank)))
        .collect()
}

/// Whether a name is in use. GeoNames also contains machine-made transliterations that nobody
/// writes, such as "mi wnik" for Munich; these are Latin letters without a capital.
fn is_written_so(name: &str) -> bool {
    let is_latin = name.chars().any(|c| c.is_ascii_alphabetic());
    !is_latin || name.chars().any(char::is_uppercase)
}

fn is_code(name: &str, population: u32) -> bool {
    population < KNOWN_BY_CODE && name.len() <= 3 && name.bytes().all(|b| b.is_ascii_uppercase())
}
