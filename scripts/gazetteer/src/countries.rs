//! Position of each country, used if only the country is known.

use std::collections::HashMap;

use anyhow::{Context, Result};

use crate::atlas::polygons;
use crate::cities::City;
use crate::sources::{Country as Source, Geometry, Sources};
use crate::sphere::heart;
use geo::gazetteer::key::key;
use geo::places::country_key;

pub(crate) struct Country {
    pub(crate) code: [u8; 2],
    pub(crate) lat: f64,
    pub(crate) lng: f64,
}

/// Islands that have no city and are not in the atlas.
const UNINHABITED: &[(&str, f64, f64)] = &[
    // Bouvet Island.
    ("BV", -54.42, 3.36),
    // The United States' minor islands: Wake, which has most of their inhabitants.
    ("UM", 19.30, 166.63),
];

/// Dissolved countries that GeoNames still lists.
const DISSOLVED: [&str; 2] = ["AN", "CS"];

/// All countries, by code.
pub(crate) fn read(sources: &Sources, cities: &[City]) -> Result<Vec<Country>> {
    let atlas = sources.atlas()?;
    // A number may have several shapes: Australia's outer reefs are separate.
    let mut shapes: HashMap<String, Vec<&Geometry>> = HashMap::new();
    for geometry in atlas.objects.get("countries").map_or(&[][..], |all| &all.geometries) {
        // Kosovo has no number.
        let name = geometry.properties.name.as_deref().unwrap_or_default();
        let number = geometry.id.clone().unwrap_or_else(|| country_key(name));
        shapes.entry(number).or_default().push(geometry);
    }
    let mut countries = Vec::new();
    for (code, source) in sources.countries()? {
        if DISSOLVED.contains(&code.as_str()) {
            continue;
        }
        let number = format!("{:03}", source.isonumeric);
        let shape = shapes.get(&number).or_else(|| shapes.get(&code));
        let polygons = shape.into_iter().flatten().flat_map(|shape| polygons(&atlas, shape));
        let heart = heart(&polygons.collect::<Vec<_>>());
        let (lat, lng) = heart
            .map(|heart| (heart.lat, heart.lng))
            .or_else(|| capital(&code, &source, cities))
            .with_context(|| format!("{code} is nowhere"))?;
        countries.push(Country { code: code.as_bytes().try_into()?, lat, lng });
    }
    Ok(countries)
}

/// Position of the capital, else of the largest city.
fn capital(code: &str, source: &Source, cities: &[City]) -> Option<(f64, f64)> {
    let mut of_country = cities.iter().filter(|city| city.country == code.as_bytes());
    let largest = of_country.clone().next();
    let capital = of_country.find(|city| key(&city.name) == key(&source.capital));
    let island = UNINHABITED.iter().find(|(island, ..)| *island == code);
    capital
        .or(largest)
        .map(|city| (city.lat, city.lng))
        .or(island.map(|(_, lat, lng)| (*lat, *lng)))
}
