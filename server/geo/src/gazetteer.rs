//! Position of a place from its names alone: (country, region, city) → latitude, longitude, precision.
//!
//! `server/geo/data/gazetteer.bin`, made from GeoNames by `scripts/gazetteer`, is part of the binary and is read in
//! place: nothing is loaded or unpacked, and only the pages that are read take memory. `packed` describes its format,
//! and `key` how names are compared.
//!
//! The region takes precedence: if it is known and has no such city, the result is the region. Many cities share a name
//! (there is a Springfield in half of the states), and a marker in the wrong state is worse than a rough one. Therefore
//! each result has a [`Precision`]: the level of place that was found. Among cities of the same name in a country, the
//! most populous one is chosen if no region decides.

pub mod key;
pub mod packed;
mod spellings;
mod territories;

use std::sync::LazyLock;

use crate::places::{country_codes, country_key};
use key::{key, stem};
use packed::{NO_REGION, Packed, Point};
use spellings::spellings;
use territories::territories;

static DATA: &[u8] = include_bytes!("../data/gazetteer.bin");

/// If the data are damaged, the gazetteer is empty. A test checks that they are sound.
static GAZETTEER: LazyLock<Gazetteer<'static>> = LazyLock::new(|| Gazetteer::new(DATA));

/// Positions of 170,000 cities, their regions and all countries.
#[derive(Debug)]
pub struct Gazetteer<'a> {
    places: Packed<'a>,
}

/// Precision of a [`Position`]: the kind of place that it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Precision {
    /// The city, accurate to 0.4 km.
    City,
    /// The region, at the position of its largest city.
    Region,
    /// The country, at the point of its largest land area that is farthest from the border.
    Country,
}

/// Point on Earth in degrees; north and east are positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    pub lat: f32,
    pub lng: f32,
    pub precision: Precision,
}

/// Constraint on the city's position, derived from the name of the region.
enum Home {
    /// In this region of the country.
    In(u16),
    /// Near this town, preferably in its region: provinces are often named after a town.
    Around(Point, u16),
    /// Anywhere in the country.
    Anywhere,
}

impl Gazetteer<'static> {
    /// Returns the embedded gazetteer. Even the first call does no loading.
    pub fn get() -> &'static Self {
        &GAZETTEER
    }
}

impl<'a> Gazetteer<'a> {
    fn new(data: &'a [u8]) -> Self {
        Self { places: Packed::new(data).unwrap_or_default() }
    }

    /// Returns the position of a place, by its names in any spelling. Region and city may be empty. `None` if the
    /// country is unknown.
    pub fn locate(&self, country: &str, region: &str, city: &str) -> Option<Position> {
        let code = country_key(country);
        let territories = territories(&code);
        let code = code.as_bytes().try_into().ok()?;
        let whole = self.places.country(code)?;
        if !territories.is_empty() && !region.is_empty() {
            // San Juan in "Puerto Rico, United States" is not the one in Texas.
            let named = country_key(region);
            if let Some(territory) = territories.iter().find(|code| named.as_bytes() == *code) {
                return self
                    .find(*territory, "", city)
                    .or_else(|| Some(at(self.places.country(*territory)?, Precision::Country)));
            }
        }
        self.find(code, region, city)
            .or_else(|| territories.iter().find_map(|territory| self.find(*territory, "", city)))
            .or(Some(at(whole, Precision::Country)))
    }

    /// Whether a place with these names exists, in any spelling. Without a country, all countries are searched.
    pub fn knows(&self, country: Option<&str>, region: Option<&str>, city: Option<&str>) -> bool {
        let is_in = |country: &str| match (region, city) {
            (None, None) => self.locate(country, "", "").is_some(),
            (Some(region), None) => {
                self.locate(country, region, "") != self.locate(country, "", "")
            }
            (region, Some(city)) => {
                let found = self.locate(country, region.unwrap_or_default(), city);
                found.is_some_and(|position| position.precision == Precision::City)
            }
        };
        match country {
            Some(country) => is_in(country),
            None => country_codes().any(is_in),
        }
    }

    /// Finds the city, or otherwise the region.
    fn find(&self, country: [u8; 2], region: &str, city: &str) -> Option<Position> {
        let home = self.home(country, region);
        let mut keys = spellings(country, city);
        if let Some(point) = keys.find_map(|key| self.city(country, &key, &home)) {
            return Some(at(point, Precision::City));
        }
        match home {
            Home::In(region) => Some(at(self.places.region_point(region)?, Precision::Region)),
            Home::Around(point, _) => Some(at(point, Precision::Region)),
            Home::Anywhere => None,
        }
    }

    fn home(&self, country: [u8; 2], region: &str) -> Home {
        let named = |name: String| {
            let town = || self.places.cities(country, &name).next();
            (self.places.region(country, &name).map(Home::In))
                .or_else(|| town().map(|(town, region)| Home::Around(town, region)))
        };
        // The whole name is tried first: the State of México surrounds the capital, Ciudad de México.
        named(key(region)).or_else(|| named(stem(region)?)).unwrap_or(Home::Anywhere)
    }

    fn city(&self, country: [u8; 2], key: &str, home: &Home) -> Option<Point> {
        let cities = || self.places.cities(country, key);
        let in_region = |wanted: u16| cities().find(|(_, region)| *region == wanted);
        let (point, _) = match *home {
            // GeoNames has no region for a few hundred cities; they may be in any region.
            Home::In(region) => in_region(region).or_else(|| in_region(NO_REGION)),
            Home::Around(_, region) => in_region(region).or_else(|| cities().next()),
            Home::Anywhere => cities().next(),
        }?;
        Some(point)
    }
}

fn at(Point { lat, lng }: Point, precision: Precision) -> Position {
    Position { lat, lng, precision }
}

#[cfg(test)]
mod tests;
