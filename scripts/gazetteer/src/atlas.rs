//! Polygons from TopoJSON, which stores a border shared by two countries once, as an arc.

use crate::sources::{Geometry, Shape, Topology};
use crate::sphere::{Place, Polygon, Ring};

/// Polygons of a geometry, each as the rings of its outline and its holes.
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

/// Indices of the arcs of a shape, regardless of direction.
pub(crate) fn indices(shape: &Shape) -> Vec<usize> {
    let rings: Vec<&Vec<i32>> = match shape {
        Shape::Polygon(rings) => rings.iter().collect(),
        Shape::MultiPolygon(polygons) => polygons.iter().flatten().collect(),
    };
    let index = |index: &i32| usize::try_from(*index.max(&!index)).unwrap_or(0);
    rings.into_iter().flatten().map(index).collect()
}

/// Decodes an arc: positions are grid steps, each relative to the previous one.
pub(crate) fn decoded(topology: &Topology, arc: &[[i32; 2]]) -> Vec<Place> {
    let ([kx, ky], [dx, dy]) = (topology.transform.scale, topology.transform.translate);
    let steps = arc.iter().scan([0, 0], |at, [x, y]| {
        *at = [at[0] + x, at[1] + y];
        Some(*at)
    });
    steps.map(|[x, y]| Place { lng: f64::from(x) * kx + dx, lat: f64::from(y) * ky + dy }).collect()
}

/// Joins the arcs of a ring. Each arc starts at the end of the previous one, and the last ends at
/// the start.
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
