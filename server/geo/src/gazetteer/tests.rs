//! Lookups in the embedded data.

mod damaged;
mod demo;
mod known;

use super::packed::{Packed, Point};
use super::{DATA, Gazetteer, Position};
use crate::places::{country_key, country_name};

/// Distance between two points on Earth, in kilometres.
fn kilometres(position: Position, (lat, lng): (f64, f64)) -> f64 {
    let (from, to) = (f64::from(position.lat).to_radians(), lat.to_radians());
    let turn = lng.to_radians() - f64::from(position.lng).to_radians();
    let half = |angle: f64| (angle / 2.0).sin().powi(2);
    let square = half(to - from) + from.cos() * to.cos() * half(turn);
    2.0 * 6371.0 * square.sqrt().asin()
}

#[test]
fn every_country_has_a_point_and_no_two_have_the_same() {
    let packed = Packed::new(DATA).unwrap();
    let mut points: Vec<Point> = Vec::new();
    for (first, second) in (b'A'..=b'Z').flat_map(|a| (b'A'..=b'Z').map(move |b| (a, b))) {
        let code = String::from_utf8(vec![first, second]).unwrap();
        let point = packed.country([first, second]);
        assert_eq!(point.is_some(), country_name(&code).is_some(), "{code}");
        let Some(point) = point else { continue };
        assert_eq!(country_key(&code), code);
        assert!(!points.contains(&point), "{code}");
        points.push(point);
    }
    assert_eq!(points.len(), 250);
}
