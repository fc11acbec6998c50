//! The coastlines and borders of the globe.

use std::collections::HashMap;

use anyhow::{Context, Result, ensure};

use crate::atlas::{decoded, indices};
use crate::format::{Line, Lines, STEPS};
use crate::sources::Sources;
use crate::sphere::{Place, distance, turn, vector};

/// Maximum error of a line, in degrees: a pixel at maximum zoom.
const TOLERANCE: f64 = 0.05;
/// Islands smaller than this in both directions, in degrees, are left out.
const ISLAND: f64 = 0.25;

/// The file of coasts and borders. An arc shared by two countries is a border.
pub(crate) fn lines(sources: &Sources) -> Result<Vec<u8>> {
    let atlas = sources.atlas()?;
    let countries = atlas.objects.get("countries").context("no countries")?;
    let mut uses: HashMap<usize, usize> = HashMap::new();
    for index in countries.geometries.iter().flat_map(|geometry| indices(&geometry.shape)) {
        *uses.entry(index).or_default() += 1;
    }
    let mut packed = Lines::default();
    for (index, arc) in atlas.arcs.iter().enumerate() {
        let lines = match uses.get(&index) {
            None => continue,
            Some(1) => &mut packed.coasts,
            Some(_) => &mut packed.borders,
        };
        lines.extend(pieces(&decoded(&atlas, arc)).iter().filter_map(|piece| simple(piece)));
    }
    let bytes = encode(&packed);
    ensure!(Lines::decode(&bytes) == Some(packed), "the lines are not read as they were written");
    Ok(bytes)
}

/// Splits an arc at the edges where flat maps are cut: the antimeridian and the South Pole. Returns
/// the remaining pieces.
fn pieces(arc: &[Place]) -> Vec<Vec<Place>> {
    let is_cut = |one: Place, other: Place| {
        let at_edge = |place: Place| place.lng.abs() > 179.99;
        (at_edge(one) && at_edge(other)) || (one.lat < -89.0 && other.lat < -89.0)
    };
    let mut pieces = vec![Vec::new()];
    for (index, place) in arc.iter().copied().enumerate() {
        if index > 0 && is_cut(arc[index - 1], place) {
            pieces.push(Vec::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(place);
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

/// Simplifies a line to the points that its shape needs. `None` if it is too small to be visible.
fn simple(piece: &[Place]) -> Option<Line> {
    let (first, last) = (piece.first()?, piece.last()?);
    let wide = |place: &Place| turn(place.lng - first.lng).abs() * place.lat.to_radians().cos();
    let is_small =
        piece.iter().all(|place| wide(place).max((place.lat - first.lat).abs()) < ISLAND);
    if is_small && first == last {
        return None;
    }
    let mut kept = vec![*first];
    keep(piece, &mut kept);
    let mut line = Line::new();
    let mut lng = first.lng;
    for (index, place) in kept.iter().enumerate() {
        if index > 0 {
            lng += turn(place.lng - kept[index - 1].lng);
        }
        let point = [place.lat, lng].map(|value| (value as f32 * STEPS).round() / STEPS);
        if line.last() != Some(&point) {
            line.push(point);
        }
    }
    (line.len() > 1).then_some(line)
}

/// Douglas–Peucker algorithm: keeps the point with the largest distance, and recurses on both sides
/// of it.
fn keep(piece: &[Place], kept: &mut Vec<Place>) {
    let (Some(first), Some(last)) = (piece.first(), piece.last()) else { return };
    let chord = (vector(*first), vector(*last));
    let off = |index: &usize| distance(vector(piece[*index]), chord);
    let farthest = (1..piece.len() - 1).max_by(|one, other| off(one).total_cmp(&off(other)));
    if let Some(farthest) = farthest.filter(|index| off(index).sqrt() > TOLERANCE.to_radians()) {
        keep(&piece[..=farthest], kept);
        keep(&piece[farthest..], kept);
    } else {
        kept.push(*last);
    }
}

fn encode(lines: &Lines) -> Vec<u8> {
    let mut bytes = Vec::new();
    for section in [&lines.coasts, &lines.borders] {
        varint(section.len() as u32, &mut bytes);
        for line in section {
            varint(line.len() as u32, &mut bytes);
            let mut at = [0; 2];
            for point in line {
                let to = point.map(|value| (value * STEPS).round() as i32);
                for (to, from) in to.iter().zip(at) {
                    let step = to - from;
                    varint((step << 1 ^ step >> 31) as u32, &mut bytes);
                }
                at = to;
            }
        }
    }
    bytes
}

fn varint(mut value: u32, bytes: &mut Vec<u8>) {
    while value > 127 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}
