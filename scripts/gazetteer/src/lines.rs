//! The coastlines and borders of the globe.

use std::collections::HashMap;

use anyhow::{Context, Result, ensure};

use crate::atlas::{decoded, indices};
use crate::format::{Line, Lines, STEPS};
use crate::sources::Sources;
use crate::sphere::{Place, distance, turn, vector};

/// How far a line may be off, in degrees: two pixels from as near as one can come.
const TOLERANCE: f64 = 0.12;
/// An island that is smaller in both directions, in degrees, is left out.
const ISLAND: f64 = 0.25;

/// The file of coasts and borders: an arc that two countries share is a border.
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

/// What is left of an arc without the edges along which flat maps are cut: the antimeridian, and
/// the South Pole.
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

/// A line with as few points as its shape needs; `None` for what is too small to be seen.
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

/// Douglas and Peucker's: the point that is farthest off is kept, and so on on both sides of it.
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
