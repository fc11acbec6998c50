//! The 5,000 cities of the demo data, whose coordinates are accurate to 0.01°.

use super::{Gazetteer, kilometres};
use crate::gazetteer::Precision;

/// Demo cities. `scripts/data/make-cities.py` documents the columns.
static CITIES: &str = include_str!("../../../data/cities.tsv");

/// Looks up cities by the names in these columns. Returns the number of cities, the share found within 25 km, and the
/// median error in kilometres.
fn recall(city: usize, region: Option<usize>, country: usize) -> (usize, f64, f64) {
    let mut off = Vec::new();
    for line in CITIES.lines() {
        let columns: Vec<_> = line.split('\t').collect();
        let Some(name) = columns.get(city) else { continue };
        let region = region.map_or("", |region| columns[region]);
        let found = Gazetteer::get().locate(columns[country], region, name).unwrap();
        let point = (columns[4].parse().unwrap(), columns[5].parse().unwrap());
        let is_city = found.precision == Precision::City;
        off.push(if is_city { kilometres(found, point) } else { f64::INFINITY });
    }
    off.sort_by(f64::total_cmp);
    let near = off.partition_point(|off| *off <= 25.0);
    (off.len(), near as f64 / off.len() as f64, off[off.len() / 2])
}

#[test]
fn with_their_region_all_are_found() {
    let (cities, share, median) = recall(0, Some(1), 2);
    assert_eq!(cities, 5_000);
    assert!(share >= 0.999 && median < 0.6, "{share}, {median} km");
}

#[test]
fn without_a_region_all_but_namesakes_are_found() {
    let (cities, share, median) = recall(0, None, 2);
    assert_eq!(cities, 5_000);
    assert!(share >= 0.99 && median < 0.6, "{share}, {median} km");
}

#[test]
fn as_they_are_written_at_home_all_are_found() {
    let (cities, share, median) = recall(6, Some(7), 8);
    assert!(cities >= 50, "{cities}");
    assert!(share == 1.0 && median < 0.6, "{share}, {median} km");
}
