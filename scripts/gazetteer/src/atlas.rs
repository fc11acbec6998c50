//! Polygons out of TopoJSON, in which borders that two countries share are stored once, as arcs.

use crate::sources::{Geometry, Shape, Topology};
use crate::sphere::{Place, Polygon, Ring};

/// The polygons of a geometry: each the rings of its outline and its holes.
pub(crate) fn polygons(topology: &Topology, geometry: &Geometry) -> Vec<Polygon> {
    let arcs: Vec<Vec<Place>> = topology.arcs.iter().map(|arc| decoded(topology, arc)).collect();
    // Antarctica's first ring is the pole itself, where flat maps are cut.
    let is_pole = |ring: &Ring| ring.iter().all(|place| place.lat < -89.9);
    let polygon = |rings: &Vec<Vec<i32>>| {
        rings.iter().map(|ring| joined(&arcs, ring)).filter(|ring| !is_pole(ring)).collect()
    };
    match &geometry.shape {
        Shape::Polygon(rings) => vec![polygon(rings)],
        Shape::MultiPolygon(polygons) => polygons.iter().map(polygon).collect(),
    }
}

/// The arcs of a shape, whichever way it goes along them.
pub(crate) fn indices(shape: &Shape) -> Vec<usize> {
    let rings: Vec<&Vec<i32>> = match shape {
        Shape::Polygon(rings) => rings.iter().collect(),
        Shape::MultiPolygon(polygons) => polygons.iter().flatten().collect(),
    };
    let index = |index: &i32| usize::try_from(*index.max(&!index)).unwrap_or(0);
    rings.into_iter().flatten().map(index).collect()
}

/// Positions are steps of a grid, each relative to the one before.
pub(crate) fn decoded(topology: &Topology, arc: &[[i32; 2]]) -> Vec<Place> {
    let ([kx, ky], [dx, dy]) = (topology.transform.scale, topology.transform.translate);
    let steps = arc.iter().scan([0, 0], |at, [x, y]| {
        *at = [at[0] + x, at[1] + y];
        Some(*at)
    });
    steps.map(|[x, y]| Place { lng: f64::from(x) * kx + dx, lat: f64::from(y) * ky + dy }).collect()
}

/// The arcs of a ring in turn; each begins where the one before ends, and the last ends at the start.
fn joined(arcs: &[Vec<Place>], ring: &[i32]) -> Vec<Place> {
    let mut joined = Vec::new();
    for index in ring {
        let mut arc = arcs
            .get(usize::try_from(*index.max(&!index)).unwrap_or(0))
            .cloned()
            .unwrap_or_default();
        if *index < 0 {
            arc.reverse();
        }
        arc.pop();
        joined.append(&mut arc);
    }
    joined
}
