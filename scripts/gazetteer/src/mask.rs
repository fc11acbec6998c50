//! The land mask of the dotted globe.

use anyhow::{Context, Result, ensure};

use crate::atlas::polygons;
use crate::grid::grid;
use crate::sources::Sources;
use crate::sphere::{Place, Polygon, Shape};

/// One bit for each point of the grid, starting with the lowest bit of a byte. Set for land.
pub(crate) fn land(sources: &Sources) -> Result<Vec<u8>> {
    let topology = sources.land()?;
    let land = topology.objects.get("land").context("no land")?;
    let pieces: Vec<Polygon> =
        land.geometries.iter().flat_map(|geometry| polygons(&topology, geometry)).collect();
    let shape = Shape::new(&pieces);
    let is_land: Vec<bool> = grid()
        .into_iter()
        .map(|(lat, lng)| shape.contains(Place { lat: lat.into(), lng: lng.into() }))
        .collect();
    let share = is_land.iter().filter(|land| **land).count() as f64 / is_land.len() as f64;
    ensure!((0.285..0.291).contains(&share), "{share} of the Earth is land");
    println!("{} points, {:.2} % of them land", is_land.len(), share * 100.0);
    let bits =
        |byte: &[bool]| (0..).zip(byte).fold(0, |bits, (at, land)| bits | u8::from(*land) << at);
    Ok(is_land.chunks(8).map(bits).collect())
}
