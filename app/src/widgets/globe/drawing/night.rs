use super::{
    super::{
        sphere::{Sphere, point},
        sun::overhead,
    },
    path::drawn,
};
use std::fmt::Write;

/// Cosines of the angle to the sun where the night is complete and where it begins, as in
/// `painter/shaders.rs`.
const DUSK: [f32; 2] = [-0.2, 0.14];
/// Number of layers of the shade, which begin one after the other at dusk.
const LAYERS: u8 = 8;
/// Number of edges of the line between day and night.
const EDGES: u8 = 10;

/// Shades the night at an instant (RFC 3339); nothing if it cannot be parsed.
pub(super) fn night(svg: &mut String, sphere: &Sphere, instant: &str) {
    let Some(sun) = sun(instant) else { return };
    let sun = sphere.project(point(sun.0, sun.1));
    svg.push_str(r#"<g class="night">"#);
    for layer in 0..LAYERS {
        let [complete, begins] = DUSK;
        let cosine = complete + (begins - complete) * (f32::from(layer) + 0.5) / f32::from(LAYERS);
        beyond(svg, sun, cosine);
    }
    svg.push_str("</g>");
}

/// Position at which the sun is overhead.
fn sun(instant: &str) -> Option<(f32, f32)> {
    let number = |at: usize| instant.get(at..at + 2)?.parse::<f32>().ok();
    let (month, day, hour, minute) = (number(5)?, number(8)?, number(11)?, number(14)?);
    let year = (month - 1.0) / 12.0 + (day - 1.0) / 365.0;
    let sun = overhead(year, (hour + minute / 60.0) / 24.0);
    Some((sun.lat, sun.lng))
}

/// Draws the visible part of the ground where the angle to the sun has a smaller cosine.
fn beyond(svg: &mut String, [x, y, z]: [f32; 3], cosine: f32) {
    // Direction of the sun in the picture, and how far from it the line meets the edge.
    let length = x.hypot(y).max(0.001);
    let (ux, uy) = (x / length, y / length);
    let meets = cosine / length;
    if meets.abs() >= 1.0 {
        // The line is entirely on one side of the globe.
        if z < 0.0 {
            svg.push_str(r#"<circle r="500"/>"#);
        }
        return;
    }
    // The line is a circle around the sun's direction; its first axis is perpendicular in the picture.
    let radius = (1.0 - cosine * cosine).sqrt();
    let start = (-cosine * z / (radius * length)).clamp(-1.0, 1.0).asin();
    let mut joint = 'M';
    for edge in 0..=EDGES {
        let angle =
            start + (std::f32::consts::PI - 2.0 * start) * f32::from(edge) / f32::from(EDGES);
        let (along, across) = (radius * angle.cos(), radius * angle.sin());
        // The second axis is the cross product of the sun's direction and the first.
        let at =
            (cosine * x - along * uy - across * z * ux, cosine * y + along * ux - across * z * uy);
        let (x, y) = drawn(at.0, at.1);
        _ = write!(svg, r#"{}{x} {y}"#, if joint == 'M' { r#"<path d="M"# } else { "L" });
        joint = 'L';
    }
    let large = u8::from(meets > 0.0);
    let (x, y) = drawn(
        meets * ux - (1.0 - meets * meets).sqrt() * uy,
        meets * uy + (1.0 - meets * meets).sqrt() * ux,
    );
    _ = write!(svg, r#"A500 500 0 {large} 1 {x} {y}"/>"#);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn_at(lat: f32, lng: f32, instant: &str) -> String {
        let mut svg = String::new();
        night(&mut svg, &Sphere::facing(lat, lng), instant);
        svg
    }

    #[test]
    fn the_day_has_no_shade_and_the_night_is_all_shade() {
        let noon = "2026-06-21T12:00:00.000Z";
        assert_eq!(drawn_at(23.4, 0.0, noon), r#"<g class="night"></g>"#);
        let midnight = drawn_at(-23.4, 180.0, noon);
        assert_eq!(midnight.matches(r#"<circle r="500"/>"#).count(), usize::from(LAYERS));
        assert_eq!(drawn_at(0.0, 0.0, ""), "");
    }

    #[test]
    fn in_the_evening_the_east_is_in_the_shade() {
        let svg = drawn_at(0.0, 0.0, "2026-03-20T18:00:00.000Z");
        assert_eq!(svg.matches("<path").count(), usize::from(LAYERS), "{svg}");
        // From the south pole along the line of dusk to the north pole, and back along the eastern edge.
        for path in svg.split("M").skip(1) {
            let (_, from) = path.split_once(' ').unwrap();
            let south: i32 = from.split('L').next().unwrap().parse().unwrap();
            assert!(south > 450 && path.contains(" 1 "), "{path}");
        }
    }
}
