//! Writes the file for `server/geo/src/gazetteer/packed.rs`, which documents the format.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

use crate::cities::City;
use crate::countries::Country;
use crate::regions::Regions;
use geo::gazetteer::packed::{BUCKET_BITS, EntryKind, ID_BITS, MAGIC, NO_REGION, Packed, Slot};

/// A name in a country.
type Name = (EntryKind, [u8; 2], String);
/// Ids of the places with each name, the likeliest first.
type Names = BTreeMap<Name, Vec<u32>>;

pub(crate) fn pack(cities: &[City], regions: &Regions, countries: &[Country]) -> Result<Vec<u8>> {
    let names = names(cities, regions)?;
    let (seed, entries) = (0..100)
        .find_map(|seed| Some((seed, entries(&names, seed)?)))
        .context("names collide under every seed")?;

    let mut data = MAGIC.to_vec();
    let counts = [countries.len(), regions.all.len(), cities.len(), entries.len()];
    data.extend(seed.to_le_bytes());
    for count in counts {
        data.extend(u32::try_from(count)?.to_le_bytes());
    }
    for country in countries {
        data.extend(country.code);
        data.extend(point(country.lat, country.lng));
    }
    for region in &regions.all {
        data.extend(point(region.lat, region.lng));
    }
    for city in cities {
        data.extend(point(city.lat, city.lng));
        data.extend(regions.of(city).unwrap_or(NO_REGION).to_le_bytes());
    }
    for bucket in 0..=1 << BUCKET_BITS {
        let start = entries.partition_point(|(slot, _)| slot.bucket < bucket);
        data.extend(&u32::try_from(start)?.to_le_bytes()[..3]);
    }
    for (slot, id) in &entries {
        let entry = (u64::from(slot.print) << ID_BITS) | u64::from(*id);
        data.extend(&entry.to_le_bytes()[..5]);
    }
    check(&data, &names, cities, regions)?;
    println!("{} names, {} entries, seed {seed}, {counts:?}", names.len(), entries.len());
    Ok(data)
}

fn names(cities: &[City], regions: &Regions) -> Result<Names> {
    let mut likely: BTreeMap<Name, Vec<(u64, u32)>> = BTreeMap::new();
    for (city, id) in cities.iter().zip(0..) {
        for (key, likelihood) in &city.keys {
            let name = (EntryKind::City, city.country, key.clone());
            likely.entry(name).or_default().push((*likelihood, id));
        }
    }
    let mut names = Names::new();
    for (name, mut meant) in likely {
        meant.sort_by_key(|(likelihood, id)| (std::cmp::Reverse(*likelihood), *id));
        // Of namesakes in the same region, only the first can ever be found.
        let mut homes = Vec::new();
        let ids = meant.into_iter().map(|(_, id)| id).filter(|id| {
            let home = cities.get(*id as usize).and_then(|city| regions.of(city));
            let is_new = !homes.contains(&home);
            homes.push(home);
            is_new
        });
        names.insert(name, ids.collect());
    }
    for (region, id) in regions.all.iter().zip(0..) {
        for key in &region.keys {
            names.insert((EntryKind::Region, region.country, key.clone()), vec![id]);
        }
    }
    ensure!(cities.len() < 1 << ID_BITS && regions.all.len() < usize::from(NO_REGION), "too many");
    Ok(names)
}

/// Entries in order; `None` if two names have the same slot.
fn entries(names: &Names, seed: u32) -> Option<Vec<(Slot, u32)>> {
    let mut slots: Vec<_> = names
        .iter()
        .map(|((kind, country, key), ids)| (Slot::new(seed, *kind, *country, key), ids))
        .collect();
    slots.sort_by_key(|(slot, _)| *slot);
    let collide = slots.windows(2).any(|pair| matches!(pair, [(a, _), (b, _)] if a == b));
    let entries = slots.into_iter().flat_map(|(slot, ids)| ids.iter().map(move |id| (slot, *id)));
    (!collide).then(|| entries.collect())
}

fn point(lat: f64, lng: f64) -> [u8; 4] {
    let part =
        |degrees: f64, of: f64| ((degrees / of * f64::from(i16::MAX)).round() as i16).to_le_bytes();
    let ([a, b], [c, d]) = (part(lat, 90.0), part(lng, 180.0));
    [a, b, c, d]
}

/// Looks up every name like the server.
fn check(data: &[u8], names: &Names, cities: &[City], regions: &Regions) -> Result<()> {
    let packed = Packed::new(data).context("unreadable")?;
    for ((kind, country, key), ids) in names {
        let first = ids.first().copied().unwrap_or_default();
        if *kind == EntryKind::Region {
            ensure!(packed.region(*country, key).map(u32::from) == Some(first), "region {key}");
            continue;
        }
        let found: Vec<_> = packed.cities(*country, key).collect();
        ensure!(found.len() == ids.len(), "{key} is found {} times", found.len());
        for ((at, home), id) in found.iter().zip(ids) {
            let city = cities.get(*id as usize).context("no such city")?;
            let off =
                (f64::from(at.lat) - city.lat).abs().max((f64::from(at.lng) - city.lng).abs());
            let is_home = *home == regions.of(city).unwrap_or(NO_REGION);
            ensure!(is_home && off < 0.003, "{} is found at {at:?}", city.name);
        }
    }
    Ok(())
}
