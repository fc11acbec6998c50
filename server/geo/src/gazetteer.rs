//! Where a place is, by its names alone: (country, region, city) → latitude, longitude, precision.
//!
//! `server/geo/data/gazetteer.bin`, made from GeoNames by `scripts/gazetteer`, is part of the binary and
//! is read where it lies: there is nothing to load or to unpack, and only the pages touched take
//! memory. `packed` tells its format, `key` when two spellings are one name.
//!
//! The region leads: where it is known and has no such city, the answer is the region. Namesakes
//! are common (a Springfield in half of the states), and a marker in the wrong state is worse than
//! a rough one. Hence the [`Precision`], which says how much of the report was found. Among
//! namesakes of one country, where no region decides, the most populous is meant.

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

/// Damaged data make a gazetteer that knows no place; a test holds that they are sound.
static GAZETTEER: LazyLock<Gazetteer<'static>> = LazyLock::new(|| Gazetteer::new(DATA));

/// Knows where 170,000 cities, their regions and all countries are.
#[derive(Debug)]
pub struct Gazetteer<'a> {
    places: Packed<'a>,
}

/// What a [`Position`] is the position of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Precision {
    /// The city, to 0.4 km.
    City,
    /// The region: where its largest city is.
    Region,
    /// The country: the point of its largest piece of land that is farthest from the border.
    Country,
}

/// A point on Earth in degrees; north and east are positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    pub lat: f32,
    pub lng: f32,
    pub precision: Precision,
}

/// What the region says about where the city is.
enum Home {
    /// It is a region of the country: in it.
    In(u16),
    /// It is a town of the country, as provinces are often named after one: here, if there is any.
    Around(Point, u16),
    /// Nothing.
    Anywhere,
}

impl Gazetteer<'static> {
    /// The embedded one. There is nothing to wait for, also the first time.
    pub fn get() -> &'static Self {
        &GAZETTEER
    }
}

impl<'a> Gazetteer<'a> {
    fn new(data: &'a [u8]) -> Self {
        Self { places: Packed::new(data).unwrap_or_default() }
    }

    /// Where the place is, by its names in any spelling; region and city may be empty. None where
    /// the country is unknown.
    pub fn locate(&self, country: &str, region: &str, city: &str) -> Option<Position> {
        let code = country_key(country);
        let mut territories = territories(&code);
        let code = code.as_bytes().try_into().ok()?;
        let whole = self.places.country(code)?;
        // San Juan in "Puerto Rico, United States" is not the one in Texas.
        let named = country_key(region);
        if let Some(territory) = territories.clone().find(|code| named.as_bytes() == code) {
            return self
                .find(territory, "", city)
                .or_else(|| Some(at(self.places.country(territory)?, Precision::Country)));
        }
        self.find(code, region, city)
            .or_else(|| territories.find_map(|territory| self.find(territory, "", city)))
            .or(Some(at(whole, Precision::Country)))
    }

    /// Whether a place has these names, in any spelling. Without a country, in any of them.
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

    /// The city or the region.
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
        // The whole name first: the State of México is around the capital, Ciudad de México.
        named(key(region)).or_else(|| named(stem(region)?)).unwrap_or(Home::Anywhere)
    }

    fn city(&self, country: [u8; 2], key: &str, home: &Home) -> Option<Point> {
        let cities = || self.places.cities(country, key);
        let in_region = |wanted: u16| cities().find(|(_, region)| *region == wanted);
        let (point, _) = match *home {
            // GeoNames knows no region of a few hundred cities: any can be theirs.
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
