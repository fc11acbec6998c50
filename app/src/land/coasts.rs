//! Outlines of the land, for flat maps that the server draws. They are the globe's coastlines,
//! joined at the borders of countries, where the file divides them.

use crate::widgets::globe::lines::{Line, Lines};
use std::{collections::HashMap, sync::LazyLock};

static FILE: &[u8] = include_bytes!("../../../public/globe-lines.bin");

/// Outlines of land and lakes, and borders. Points are latitude and longitude in degrees. A line that
/// crosses the antimeridian continues beyond ±180.
pub struct Coasts {
    /// Closed lines, without the first point at the end. A point is on land if it is inside an odd
    /// number of them.
    pub outlines: Vec<Line>,
    pub borders: Vec<Line>,
}

/// The coasts of the world, to within 0.05°, without islands smaller than 0.25°.
pub fn coasts() -> &'static Coasts {
    static COASTS: LazyLock<Coasts> = LazyLock::new(|| {
        let Lines { coasts, borders } = Lines::decode(FILE).unwrap_or_default();
        Coasts { outlines: joined(coasts), borders }
    });
    &COASTS
}

/// Joins lines that begin where another one ends to closed ones.
fn joined(lines: Vec<Line>) -> Vec<Line> {
    let mut by_start: HashMap<(i32, i32), Vec<Line>> = HashMap::new();
    let mut starts = Vec::new();
    for line in lines {
        if let Some(first) = line.first().copied() {
            starts.push(first);
            by_start.entry(place(first)).or_default().push(line);
        }
    }
    let mut outlines = Vec::new();
    for start in starts {
        let mut outline = Line::new();
        let mut end = start;
        while let Some(line) = by_start.get_mut(&place(end)).and_then(Vec::pop) {
            // The next line may be given on the other side of the antimeridian.
            let shift = end[1] - line.first().map_or(end[1], |first| first[1]);
            outline.extend(line.iter().map(|point| [point[0], point[1] + shift]));
            end = outline.pop().unwrap_or(end);
        }
        if (end[1] - start[1]).abs() > 180.0 {
            // Antarctica, which encloses the pole.
            outline.extend([end, [-120.0, end[1]], [-120.0, start[1]]]);
        }
        if !outline.is_empty() {
            outlines.push(outline);
        }
    }
    outlines
}

/// A point as a key, the same on both sides of the antimeridian.
fn place([lat, lng]: [f32; 2]) -> (i32, i32) {
    let thousandths = |degrees: f32| (degrees * 1e3).round() as i32;
    (thousandths(lat), thousandths(lng).rem_euclid(360_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_land(lat: f32, lng: f32) -> bool {
        let crosses = |[from, to]: [[f32; 2]; 2]| {
            (from[0] > lat) != (to[0] > lat)
                && lng < from[1] + (lat - from[0]) / (to[0] - from[0]) * (to[1] - from[1])
        };
        let crossings = |outline: &Line| {
            let next = outline.iter().cycle().skip(1);
            outline.iter().zip(next).filter(|(from, to)| crosses([**from, **to])).count()
        };
        // Outlines may lie on either side of the antimeridian.
        coasts().outlines.iter().map(crossings).sum::<usize>() % 2 == 1
    }

    #[test]
    fn land_is_inside_the_outlines_and_water_is_not() {
        for (name, lat, lng) in [
            ("São Paulo", -23.4, -46.8),
            ("Nadi", -17.8, 177.7),
            ("Svalbard", 79.3, 17.3),
            ("Chukotka", 67.5, 175.0),
            ("the Sahara", 23.0, 5.0),
            ("the South Pole", -89.9, 10.0),
            ("Madrid", 40.4, -3.7),
        ] {
            assert!(is_land(lat, lng), "{name}");
        }
        for (name, lat, lng) in [
            ("the Atlantic", -25.0, -30.0),
            ("the Caspian Sea", 42.0, 50.5),
            ("the Mediterranean", 38.0, 5.0),
            ("the North Pole", 89.0, 0.0),
            ("the Pacific", 0.0, -150.0),
        ] {
            assert!(!is_land(lat, lng), "{name}");
        }
    }

    #[test]
    fn each_coastline_is_part_of_one_closed_outline() {
        let Lines { coasts: lines, .. } = Lines::decode(FILE).unwrap();
        let open = lines.iter().filter(|line| line.first() != line.last()).count();
        let outlines = joined(lines.clone());
        assert!(open > 100 && outlines.len() < lines.len() - open / 2, "{open}");
        let points = |lines: &[Line]| lines.iter().map(Vec::len).sum::<usize>();
        // Each line loses its last point, and Antarctica has three more.
        assert_eq!(points(&outlines), points(&lines) - lines.len() + 3);
    }
}
