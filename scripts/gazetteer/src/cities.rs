//! The cities, and which of their many names are kept.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::sources::{self, Sources};
use geo::gazetteer::key::key;

/// How much more a city is meant by its own name than another by a further name of its own: Frisco
/// is the one in Texas, though people also call San Francisco so.
const OWN_NAME: u64 = 20;
/// A district of a city is meant less often than a city of its own that has its name and is as
/// large: Salamanca is not the one in Madrid. A district is what is nearer to a city than this, in
/// degrees of latitude, that is so many times as large as itself.
const DISTRICT: u64 = 4;
const DISTRICT_WITHIN: f64 = 0.12;
const CITY_OF_DISTRICTS: u32 = 500_000;
const TIMES_ITS_DISTRICT: u32 = 8;
/// A code of an airport is taken for a name only of a city that is known by it, as New York is by
/// NYC.
const KNOWN_BY_CODE: u32 = 1_000_000;

pub(crate) struct City {
    pub(crate) name: String,
    /// Alpha-2.
    pub(crate) country: [u8; 2],
    /// The code of GeoNames, "02" of "DE.02".
    pub(crate) region: String,
    pub(crate) lat: f64,
    pub(crate) lng: f64,
    pub(crate) keys: Vec<(String, Likelihood)>,
}

/// How likely a city is the one that is meant by a name, against its namesakes.
pub(crate) type Likelihood = u64;

/// All cities, by country, the most populous first.
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

/// GeoNames also has transliterations made by machines, "mi wnik" for Munich: Latin letters without
/// any capital. Nobody writes them.
fn is_written_so(name: &str) -> bool {
    let is_latin = name.chars().any(|c| c.is_ascii_alphabetic());
    !is_latin || name.chars().any(char::is_uppercase)
}

fn is_code(name: &str, population: u32) -> bool {
    population < KNOWN_BY_CODE && name.len() <= 3 && name.bytes().all(|b| b.is_ascii_uppercase())
}
