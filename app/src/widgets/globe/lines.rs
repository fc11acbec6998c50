//! Coastlines and borders for a close view of the globe, from `public/globe-lines.bin`.
//!
//! The browser fetches the file when a visitor zooms in for the first time. The file has two
//! sections, coasts and borders. A section starts with the number of its lines. A line starts with
//! the number of its points, followed by latitude and longitude of the first point and the
//! differences of each further point from the previous one, in steps of 1/40°. All numbers are
//! varints (seven bits per byte, lowest first), and signed numbers are zigzag-encoded.
//! `scripts/gazetteer` writes the file and reads it back with this code.

/// Latitude and longitude of the points of a line, in degrees. A line that crosses the antimeridian
/// continues beyond ±180.
pub(crate) type Line = Vec<[f32; 2]>;

/// See the [module](self).
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Lines {
    pub(crate) coasts: Vec<Line>,
    pub(crate) borders: Vec<Line>,
}

/// Steps per degree.
pub(crate) const STEPS: f32 = 40.0;

impl Lines {
    /// Decodes a file. Returns `None` unless the file is complete and well-formed.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut bytes = bytes.iter();
        let lines = Self { coasts: section(&mut bytes)?, borders: section(&mut bytes)? };
        bytes.next().is_none().then_some(lines)
    }
}

type Bytes<'a> = std::slice::Iter<'a, u8>;

fn section(bytes: &mut Bytes) -> Option<Vec<Line>> {
    let count = varint(bytes)?;
    // No capacity is reserved, because a broken file could claim gigabytes. It ends earlier.
    let mut lines = Vec::new();
    for _ in 0..count {
        lines.push(line(bytes)?);
    }
    Some(lines)
}

fn line(bytes: &mut Bytes) -> Option<Line> {
    let count = varint(bytes)?;
    let mut at = [0_i32; 2];
    let mut line = Vec::new();
    for _ in 0..count {
        for value in &mut at {
            *value = value.checked_add(signed(bytes)?)?;
        }
        line.push(at.map(|value| value as f32 / STEPS));
    }
    Some(line)
}

fn signed(bytes: &mut Bytes) -> Option<i32> {
    let value = varint(bytes)?;
    Some((value >> 1) as i32 ^ -((value & 1) as i32))
}

fn varint(bytes: &mut Bytes) -> Option<u32> {
    let mut value = 0;
    for shift in [0, 7, 14, 21] {
        let byte = *bytes.next()?;
        value |= u32::from(byte & 127) << shift;
        if byte < 128 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    static FILE: &[u8] = include_bytes!("../../../../public/globe-lines.bin");

    /// Whether a line passes within half a degree of this point.
    fn passes(lines: &[Line], lat: f32, lng: f32) -> bool {
        let near = |[from, to]: [[f32; 2]; 2]| {
            (0..=20).any(|part| {
                let along = |axis: usize| from[axis] + (to[axis] - from[axis]) * part as f32 / 20.0;
                let turn = (along(1) - lng + 540.0).rem_euclid(360.0) - 180.0;
                (along(0) - lat).hypot(turn * lat.to_radians().cos()) < 0.5
            })
        };
        lines.iter().flat_map(|line| line.windows(2)).any(|pair| near([pair[0], pair[1]]))
    }

    #[test]
    fn the_file_has_the_coasts_and_borders_of_the_world() {
        let Lines { coasts, borders } = Lines::decode(FILE).unwrap();
        for (name, lat, lng) in [
            ("Gibraltar", 36.1, -5.4),
            ("Cape Town", -34.0, 18.4),
            ("Cape Comorin", 8.1, 77.5),
            ("Bering Strait", 65.6, -168.0),
            ("Chukotka beyond the antimeridian", 66.1, -171.0),
            ("Taveuni", -16.8, 180.0),
        ] {
            assert!(passes(&coasts, lat, lng), "{name}");
            assert!(!passes(&borders, lat, lng), "{name}");
        }
        for (name, lat, lng) in
            [("Niagara", 43.1, -79.1), ("Mont Blanc", 45.8, 6.9), ("Everest", 28.0, 86.9)]
        {
            assert!(passes(&borders, lat, lng), "{name}");
        }
        for (name, lat, lng) in [
            ("the cut at the antimeridian", 68.0, 180.0),
            ("Antarctica's cut", -87.0, 180.0),
            ("the Pacific", 0.0, -150.0),
            ("the Sahara", 23.0, 5.0),
        ] {
            assert!(!passes(&coasts, lat, lng) && !passes(&borders, lat, lng), "{name}");
        }
    }

    #[test]
    fn no_line_leaps() {
        let Lines { coasts, borders } = Lines::decode(FILE).unwrap();
        for pair in coasts.iter().chain(&borders).flat_map(|line| line.windows(2)) {
            let [from, to] = [pair[0], pair[1]];
            assert!(from[0].abs() <= 90.0, "{from:?}");
            let width = (to[1] - from[1]) * from[0].to_radians().cos();
            assert!((to[0] - from[0]).hypot(width) < 15.0, "{from:?} to {to:?}");
        }
    }

    #[test]
    fn a_line_is_its_first_point_and_steps() {
        // One coast of two points and no border: 1°, -0.025°; then +0.025°, +5°.
        let bytes = [1, 2, 80, 1, 2, 0x90, 0x03, 0];
        let coasts = vec![vec![[1.0, -0.025], [1.025, 4.975]]];
        assert_eq!(Lines::decode(&bytes), Some(Lines { coasts, borders: vec![] }));
    }

    #[test]
    fn a_broken_file_has_no_lines() {
        for end in (0..FILE.len()).step_by(7).chain([FILE.len() - 1]) {
            assert_eq!(Lines::decode(&FILE[..end]), None, "{end}");
        }
        let long = [FILE, &[0]].concat();
        assert_eq!(Lines::decode(&long), None);
        for bytes in [&[255; 64][..], b"<!doctype html>", b"", &[0]] {
            assert_eq!(Lines::decode(bytes), None);
        }
    }
}
