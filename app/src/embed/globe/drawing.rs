//! The globe as SVG: one path of dots for the land, a disc for each marker.

use super::{
    REACH, leading, marker_radius,
    sphere::{Sphere, point},
};
use crate::{
    land,
    model::{Marker, ReportType},
};
use std::fmt::Write;

/// The globe's radius in the drawing's units. Whole numbers of them are fine enough, and short.
const RADIUS: f32 = 500.0;
/// The most markers drawn: the rest would be under them, or hardly seen.
const MOST: usize = 300;
/// Nearer to the edge than this the dots are drawn smaller, as they are seen from the side.
const SIDE: f32 = 0.4;

/// What `viewBox` is.
pub(super) fn view_box() -> String {
    let reach = (RADIUS * REACH) as i32;
    format!("-{reach} -{reach} {0} {0}", 2 * reach)
}

/// What is inside of the `svg`. Only numbers and names of types are in it.
pub(super) fn globe(markers: &[Marker], (lat, lng): (f32, f32)) -> String {
    let sphere = Sphere::facing(lat, lng);
    let mut svg = String::from(concat!(
        r#"<defs><radialGradient id="lit" cx=".4" cy=".35" r=".7"><stop class="near"/>"#,
        r#"<stop class="far" offset="1"/></radialGradient><radialGradient id="rim">"#,
        r#"<stop class="air" offset=".93"/><stop class="air" offset="1" stop-opacity="0"/>"#,
        r#"</radialGradient></defs><circle class="rim" r="538" fill="url(#rim)"/>"#,
        r#"<circle r="500" fill="url(#lit)"/>"#,
    ));
    for side in [true, false] {
        let class = if side { "land side" } else { "land" };
        _ = write!(svg, r#"<path class="{class}" d="{}"/>"#, dots(&sphere, side));
    }
    let most = markers.iter().map(total).max().unwrap_or_default();
    let seen = markers
        .iter()
        .map(|marker| (marker, sphere.project(point(marker.0, marker.1))))
        .filter(|(_, [.., z])| *z > 0.0);
    for (marker, [x, y, z]) in seen.take(MOST) {
        let (x, y) = drawn(x, y);
        // Smaller towards the edge, where the ground is seen from the side.
        let radius = marker_radius(total(marker), most, markers.len()) * RADIUS * (0.5 + 0.5 * z);
        let kind = ReportType::ALL[leading(marker.counts())].as_str();
        let rough = if marker.is_rough() { " rough" } else { "" };
        _ = write!(svg, r#"<circle class="{kind}{rough}" cx="{x}" cy="{y}" r="{radius:.0}"/>"#);
    }
    svg
}

/// The land's dots, at the side or before it: strokes of no length with round ends, each a step from
/// the last.
fn dots(sphere: &Sphere, side: bool) -> String {
    let mut path = String::from("M0 0");
    let mut last = (0, 0);
    for (lat, lng) in land::coarse_points() {
        let [x, y, z] = sphere.project(point(lat, lng));
        // The very edge would be a line.
        if z > 0.06 && (z < SIDE) == side {
            let (x, y) = drawn(x, y);
            let (dx, dy) = (x - last.0, y - last.1);
            let gap = if dy < 0 { "" } else { " " };
            _ = write!(path, "m{dx}{gap}{dy}h0");
            last = (x, y);
        }
    }
    path
}

fn drawn(x: f32, y: f32) -> (i32, i32) {
    ((x * RADIUS).round() as i32, (-y * RADIUS).round() as i32)
}

fn total(marker: &Marker) -> u64 {
    marker.counts().iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker(lat: f32, lng: f32, counts: [u64; 3]) -> Marker {
        let [spirit, water, both] = counts;
        Marker(lat, lng, spirit, water, both, "<Name>".to_owned(), 0, 'c')
    }

    #[test]
    fn what_is_on_the_near_side_is_drawn_where_it_is() {
        let near = [marker(0.0, 10.0, [4, 0, 0]), marker(30.0, 10.0, [0, 1, 0])];
        let svg = globe(&near, (0.0, 10.0));
        assert!(svg.contains(r#"<circle class="spirit" cx="0" cy="0" r="25"/>"#), "{svg}");
        assert!(svg.contains(r#"<circle class="water" cx="0" cy="-250" r="14"/>"#), "{svg}");
        let far = globe(&near, (0.0, -170.0));
        assert!(!far.contains("spirit") && !far.contains("water"));
    }

    #[test]
    fn it_is_short_with_the_most_land_and_markers() {
        let many: Vec<_> =
            (0..1_000).map(|n| marker(45.0, n as f32 * 0.05, [1_000 - n, 0, 0])).collect();
        let svg = globe(&many, (30.0, 30.0));
        assert!(svg.len() < 40_000, "{} bytes", svg.len());
        assert_eq!(svg.matches("<circle class=\"spirit\"").count(), MOST);
        assert!(!svg.contains("Name"));
    }
}
