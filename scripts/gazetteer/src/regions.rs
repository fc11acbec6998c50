//! The regions of GeoNames, with additional names from Unicode CLDR and `regions.tsv`.
//!
//! GeoNames has its own codes and CLDR those of ISO 3166-2, so their regions are matched by name.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result, ensure};

use crate::cities::City;
use crate::sources::Sources;
use geo::gazetteer::key::{key, stem};

/// Manually added names in other languages: country, name at GeoNames, additional names.
static BY_HAND: &str = include_str!("../regions.tsv");

pub(crate) struct Regions {
    /// Regions in the order of their ids.
    pub(crate) all: Vec<Region>,
    ids: HashMap<([u8; 2], String), u16>,
}

pub(crate) struct Region {
    pub(crate) country: [u8; 2],
    /// Position of the largest city.
    pub(crate) lat: f64,
    pub(crate) lng: f64,
    pub(crate) keys: Vec<String>,
}

impl Regions {
    /// Id of the region of the city.
    pub(crate) fn of(&self, city: &City) -> Option<u16> {
        self.ids.get(&(city.country, city.region.clone())).copied()
    }
}

/// Region of each name, by country.
type Keys = BTreeMap<([u8; 2], String), u16>;

/// All regions with at least one city.
pub(crate) fn read(sources: &Sources, cities: &[City]) -> Result<Regions> {
    let mut regions = Regions { all: Vec::new(), ids: HashMap::new() };
    let mut names = Vec::new();
    let mut named: HashMap<String, String> =
        sources.regions()?.into_iter().map(|region| (region.code, region.name)).collect();
    // Cities are sorted by population, so the first of a region is its largest.
    for city in cities {
        let code = format!("{}.{}", String::from_utf8_lossy(&city.country), city.region);
        if let Some(name) = named.remove(&code) {
            let id = u16::try_from(regions.all.len())?;
            regions.ids.insert((city.country, city.region.clone()), id);
            let (lat, lng) = (city.lat, city.lng);
            regions.all.push(Region { country: city.country, lat, lng, keys: Vec::new() });
            names.push(name);
        }
    }
    for ((_, key), id) in keys(sources, &regions.all, &names)? {
        regions.all[usize::from(id)].keys.push(key);
    }
    Ok(regions)
}

/// Adds the more certain names first, because the first meaning of a key is kept: "Moscow" is the
/// city and not the surrounding oblast. Among equals, the region with the larger city comes first.
fn keys(sources: &Sources, regions: &[Region], names: &[String]) -> Result<Keys> {
    let mut keys = Keys::new();
    let own = || regions.iter().zip(names).zip(0u16..);
    for ((region, name), id) in own() {
        keys.entry((region.country, key(name))).or_insert(id);
    }
    by_hand(&mut keys)?;
    for ((region, name), id) in own() {
        if let Some(stem) = stem(name) {
            keys.entry((region.country, stem)).or_insert(id);
        }
    }
    subdivisions(sources, &mut keys)?;
    keys.retain(|(_, key), _| !key.is_empty());
    Ok(keys)
}

fn by_hand(keys: &mut Keys) -> Result<()> {
    for line in BY_HAND.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let country = columns.next().unwrap_or_default().as_bytes().try_into()?;
        let name = columns.next().with_context(|| format!("regions.tsv: {line}"))?;
        let id = keys.get(&(country, key(name))).copied();
        let id = id.with_context(|| format!("regions.tsv: no region {line}"))?;
        for further in columns {
            let was = keys.insert((country, key(further)), id);
            ensure!(was.is_none_or(|was| was == id), "regions.tsv: {further} is another region");
            if let Some(stem) = stem(further) {
                keys.entry((country, stem)).or_insert(id);
            }
        }
    }
    Ok(())
}

/// Adds CLDR's names, and the ISO 3166-2 codes, of regions found by one of their names.
fn subdivisions(sources: &Sources, keys: &mut Keys) -> Result<()> {
    let mut codes = Vec::new();
    for (code, name) in sources.subdivisions()? {
        let Some((country, code)) = code.split_at_checked(2) else { continue };
        let country: [u8; 2] = country.to_ascii_uppercase().as_bytes().try_into()?;
        let known = |key: String| keys.get(&(country, key)).copied();
        let Some(id) = known(key(&name)).or_else(|| known(stem(&name)?)) else { continue };
        for further in [Some(key(&name)), stem(&name)].into_iter().flatten() {
            keys.entry((country, further)).or_insert(id);
        }
        let full = format!("{}{code}", String::from_utf8_lossy(&country).to_ascii_lowercase());
        codes.push(((country, code.to_owned()), id));
        codes.push(((country, full), id));
    }
    // Last, because codes are the least certain names.
    for (key, id) in codes {
        keys.entry(key).or_insert(id);
    }
    Ok(())
}
