//! Map of a report's surroundings, about 2,700 km wide: land, borders, and the report's place with
//! its name. The server crops it, so that it has few kilobytes.

use crate::model::Position;
use crate::words::{list::MAP, with};
use app::land;
use leptos::prelude::*;
use std::fmt::Write;

/// Units per degree of latitude, as in the data.
const SCALE: f64 = 40.0;
/// Half of the width and of the height, in units.
const REACH: (f64, f64) = (480.0, 288.0);
/// Distance beyond the edges at which land is cropped, so that the cuts are invisible.
const MARGIN: f64 = 8.0;

/// Map of the surroundings of a place.
#[component]
pub(super) fn Surroundings(position: Position, name: String) -> impl IntoView {
    let Position { lat, lng } = position;
    let values = [("lat", &*lat.to_string()), ("lng", &*lng.to_string())];
    let label = with(MAP, &values);
    let plane = Plane::around(position);
    let (land, borders) = (plane.land(), plane.borders());
    let (across, down) = REACH;
    let view_box = format!("{} {} {} {}", -across, -down, 2.0 * across, 2.0 * down);
    view! {
        <div class="surroundings">
            <svg viewBox=view_box role="img" aria-label=label>
                <path class="land" d=land fill-rule="evenodd" />
                <path class="borders" d=borders />
                <circle r="12" />
            </svg>
            <p>
                <bdi>{name}</bdi>
            </p>
        </div>
    }
}

type Point = (f64, f64);

/// Flat map with a position in its centre. Distances are true near the centre.
struct Plane {
    centre: Position,
    /// Units per degree of longitude.
    across: f64,
}

impl Plane {
    fn around(centre: Position) -> Self {
        // Near the poles, a degree of longitude would otherwise have no width.
        Self { across: SCALE * centre.lat.to_radians().cos().max(0.1), centre }
    }

    /// Places a line on the map, once for each side of the antimeridian on which it may be visible.
    fn placed(&self, line: &[[f32; 2]]) -> impl Iterator<Item = Vec<Point>> {
        [-360.0, 0.0, 360.0].into_iter().filter_map(move |turn| {
            let place = |point: &[f32; 2]| {
                let [lat, lng] = point.map(f64::from);
                ((lng + turn - self.centre.lng) * self.across, (self.centre.lat - lat) * SCALE)
            };
            let points: Vec<Point> = line.iter().map(place).collect();
            let reaches = |along: fn(&Point) -> f64, reach: f64| {
                points.iter().any(|point| along(point) > -reach)
                    && points.iter().any(|point| along(point) < reach)
            };
            (reaches(|point| point.0, REACH.0) && reaches(|point| point.1, REACH.1))
                .then_some(points)
        })
    }

    fn land(&self) -> String {
        let mut path = String::new();
        for outline in land::coasts().outlines.iter().flat_map(|line| self.placed(line)) {
            if draw(&mut path, &cropped(outline)) {
                path.push('z');
            }
        }
        path
    }

    fn borders(&self) -> String {
        let mut path = String::new();
        for line in land::coasts().borders.iter().flat_map(|line| self.placed(line)) {
            draw(&mut path, &line);
        }
        path
    }
}

/// The part of an area inside the map, by the algorithm of Sutherland and Hodgman.
fn cropped(area: Vec<Point>) -> Vec<Point> {
    let (right, bottom) = (REACH.0 + MARGIN, REACH.1 + MARGIN);
    // Depth of a point inside each of the four edges.
    let edges: [&dyn Fn(Point) -> f64; 4] =
        [&|(x, _)| right - x, &|(x, _)| right + x, &|(_, y)| bottom - y, &|(_, y)| bottom + y];
    edges.into_iter().fold(area, |area, depth| {
        let mut inside = Vec::new();
        let before = area.iter().cycle().skip(area.len().saturating_sub(1));
        for (from, to) in before.zip(&area) {
            let (from_depth, to_depth) = (depth(*from), depth(*to));
            if (from_depth < 0.0) != (to_depth < 0.0) {
                let part = from_depth / (from_depth - to_depth);
                inside.push((from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part));
            }
            if to_depth >= 0.0 {
                inside.push(*to);
            }
        }
        inside
    })
}

/// Appends a line in whole units to a path. Returns `false` for a line without length, which is left
/// out.
fn draw(path: &mut String, line: &[Point]) -> bool {
    let mut points: Vec<(i64, i64)> =
        line.iter().map(|(x, y)| (x.round() as i64, y.round() as i64)).collect();
    points.dedup();
    let mut points = points.into_iter();
    let (Some(mut at), 1..) = (points.next(), points.len()) else { return false };
    // Writing to a text cannot fail.
    _ = write!(path, "M{} {}l", at.0, at.1);
    for (x, y) in points {
        _ = write!(path, "{} {} ", x - at.0, y - at.1);
        at = (x, y);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(lat: f64, lng: f64) -> Plane {
        Plane::around(Position { lat, lng })
    }

    /// Corners of an area in a path.
    fn corners(path: &str) -> usize {
        path.split('z').filter(|part| !part.is_empty()).count()
    }

    #[test]
    fn a_map_has_the_land_around_a_place_and_few_bytes() {
        for (name, lat, lng) in [
            ("São Paulo", -23.55, -46.63),
            ("Suva", -18.14, 178.44),
            ("beyond the antimeridian", -16.8, -179.9),
            ("Longyearbyen", 78.22, 15.65),
            ("Singapore", 1.29, 103.85),
            ("Bergen", 60.39, 5.32),
            ("the South Pole", -90.0, 0.0),
        ] {
            let plane = around(lat, lng);
            let (land, borders) = (plane.land(), plane.borders());
            assert!(corners(&land) > 0, "{name}");
            assert!(land.len() + borders.len() < 24_000, "{name}: {}", land.len() + borders.len());
        }
        assert_eq!(around(-40.0, -130.0).land(), "", "the Pacific");
        // Inside a continent, the whole map is land.
        let inland = around(56.0, 75.0).land();
        assert_eq!(inland, "M-488 296l0 -592 976 0 0 592 z");
    }

    #[test]
    fn an_area_is_cropped_at_the_edges_of_the_map() {
        let square = |from: f64, to: f64| vec![(from, from), (to, from), (to, to), (from, to)];
        assert_eq!(cropped(square(-10.0, 10.0)), square(-10.0, 10.0));
        assert!(cropped(square(1_000.0, 2_000.0)).is_empty());
        let whole = cropped(square(-5_000.0, 5_000.0));
        assert!(whole.iter().all(|(x, y)| x.abs() == 488.0 && y.abs() == 296.0), "{whole:?}");
        assert!(cropped(Vec::new()).is_empty());
    }

    #[test]
    fn a_line_is_written_as_steps_without_repeated_points() {
        let mut path = String::new();
        draw(&mut path, &[(0.4, 0.0), (0.3, 0.2), (5.0, -2.0), (5.1, -2.0), (4.0, 0.0)]);
        draw(&mut path, &[(7.0, 7.0), (7.1, 7.0)]);
        draw(&mut path, &[]);
        assert_eq!(path, "M0 0l5 -2 -1 2 ");
    }
}
